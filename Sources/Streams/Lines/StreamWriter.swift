public import Store

/// Makes the lines of one stream of version 1, for every output: standard output, a file, a client
/// or an event of HTTP.
///
/// ```swift
/// var writer = StreamWriter(root: "contacts") { Timestamp(seconds: Int64(time(nil)), nanoseconds: 0) }
/// let subscription = results.subscribe()
/// writer.begin(view: [:], nil)
/// while let event = await subscription.next() {
///   writer.add(event)
///   writer.write { print(String(decoding: $0, as: UTF8.self), terminator: "") }
/// }
/// ```
///
/// The lines wait in `lines`. An output that blocks passes them on with `write`; one that has to
/// wait for room asks `lines` for the next one. A long line is made in pieces while it is sent.
///
/// Every stream of the public interface begins with the complete list; only the program continues one. With its
/// log, each position is recorded before a reader can see its token, and acknowledged after
/// its line was written. For that, call `write` after each event. After a reader's first
/// acknowledgement, only those of the reader count, in later runs too: what was written after that
/// position is not acknowledged any more.
public struct StreamWriter: Sendable {
  package var lines = LineQueue()
  /// The list that the reader has once everything was sent; nil before the first one.
  package private(set) var list: ListSnapshot<Item>?
  private var encoder: StreamEncoder
  private let itemsPerLine: Int
  private let root: String
  private let clock: @Sendable () -> Timestamp
  private var tokens: TokenSource
  private let log: (any DeliveryLog)?
  /// The token from which the reader resumed. Nil for a new stream.
  private let startToken: String?
  /// The reason why the reader cannot resume, until it was added.
  private var failure: ResumeFailure?
  /// The rows that an earlier run offered to the reader, until the first event.
  private var offer: Offer
  /// The first list, until it is recorded: when its last line is written, which has the token.
  private var unrecorded: (list: ListSnapshot<Item>, position: StreamPosition)?
  private var written: String?
  /// True after the first acknowledgement of the reader, which may have been wrong.
  private var readerAcknowledges: Bool
  /// True after the first acknowledgement that was right.
  private var hasReaderPosition = false

  /// The last step, and its token.
  public var position: StreamPosition { encoder.position }

  /// Makes the writer of a new stream.
  ///
  /// - Parameters:
  ///   - root: The name of the folder, for the first line.
  ///   - itemsPerLine: A list with more items (by default 1,000) is split into several lines.
  ///   - clock: Returns the current time, for the `time` of updates.
  public init(
    root: String, itemsPerLine: Int = 1_000, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.init(.new, root: root, itemsPerLine: itemsPerLine, clock: clock)
  }

  /// - Parameters:
  ///   - log: Records what the reader has.
  ///   - offer: What a reader that acknowledges by itself was offered since `start`. The first
  ///     update takes back what is again as in its list.
  ///   - readerAcknowledges: True if lines do not count as acknowledged when they are written.
  package init(
    _ start: StreamStart, root: String, tokens: TokenSource = TokenSource(), log: (any DeliveryLog)? = nil,
    offering offer: Offer = Offer(), readerAcknowledges: Bool = false, itemsPerLine: Int = 1_000,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.root = root
    self.tokens = tokens
    self.log = log
    self.offer = offer
    self.readerAcknowledges = readerAcknowledges
    self.itemsPerLine = itemsPerLine
    self.clock = clock
    encoder = StreamEncoder(itemsPerLine: itemsPerLine, at: start.position, tokens: tokens)
    startToken = start.position?.token
    written = startToken
    switch start {
    case .new: break
    case .resumed(let list, _): self.list = list
    case .gone(let failure): self.failure = failure
    }
  }

  // MARK: Adding lines

  /// Adds the first lines: for a reader that resumes its position, then what changed since then or
  /// a bookmark; for any other one the list, after an error line if its position is gone.
  ///
  /// - Parameters:
  ///   - view: The parts of the view that differ from the default, as in the settings.
  ///   - first: The first event of the reader's subscription; nil to add it later.
  public mutating func begin(view: Fields, _ first: ListEvent?) {
    lines.add(StreamEncoder.hello(root: root, view: view, since: list == nil ? nil : position))
    if let failure { lines.add(StreamEncoder.error(failure)) }
    failure = nil
    var first = first
    if let list {
      first = first.takingBack(offer, after: list)
      if first?.update == nil { lines.add(encoder.bookmark(keepsToken: true), token: position.token) }
    }
    offer = Offer()
    if let first { add(first) }
  }

  package mutating func begin(view: Fields, from: Fields, to: Fields) {
    lines.add(encoder.hello(root: root, view: view, from: from, to: to))
  }

  /// Adds the lines of an output that begins with the list that the last one has.
  package mutating func repeatStart(view: Fields, _ problems: [Problem]) {
    guard let list else { return }
    lines.add(StreamEncoder.hello(root: root, view: view))
    lines.add(lines: encoder.pieces(of: list), token: position.token)
    add(problems.map(ProblemChange.raised))
  }

  /// Adds the lines of an event.
  public mutating func add(_ event: ListEvent) {
    switch event {
    case .snapshot(let snapshot):
      let pieces = encoder.pieces(of: snapshot)
      if list == nil, log != nil { unrecorded = (snapshot, position) }
      lines.add(lines: pieces, token: position.token)
      list = snapshot
      add(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update {
        let pieces = encoder.pieces(of: update, time: clock())
        log?.offer(update, at: position)
        lines.add(pieces, token: position.token)
        list = update.new
      }
      add(problems)
    }
  }

  private mutating func add(_ problems: [ProblemChange]) {
    for problem in problems { lines.add(StreamEncoder.problem(problem)) }
  }

  /// Adds a line that says that the list stays the same, with a new token.
  public mutating func addBookmark() {
    let line = encoder.bookmark()
    if let list {
      log?.offer(ListUpdate<Item>(from: list, to: list, touched: [], origin: .view), at: position)
    }
    lines.add(line, token: position.token)
  }

  package mutating func add(warnings: [Hint], besides known: [Hint]) {
    for warning in warnings where !known.contains(warning) {
      lines.add(StreamEncoder.message("warning: \(warning.message)"))
    }
  }

  /// Makes later tokens from another source, as for another view.
  package mutating func replaceTokens(_ tokens: TokenSource) {
    self.tokens = tokens
    encoder = StreamEncoder(itemsPerLine: itemsPerLine, at: position, tokens: tokens)
  }

  // MARK: Readers that write back

  /// Records that the reader has everything up to a token; false if the token is unknown. From now on
  /// only such acknowledgements count.
  package mutating func acknowledge(_ token: String) -> Bool {
    if !readerAcknowledges { log?.requireAcknowledgements() }
    readerAcknowledges = true
    guard let log else { return tokens.hasMade(token) }
    if hasReaderPosition { return log.acknowledge(token) }
    hasReaderPosition = log.takeBack(to: token, from: startToken)
    return hasReaderPosition
  }

  /// Applies a control line, and adds the answer: one update of origin `view`, a bookmark if the list
  /// stays the same, or an error that changes nothing. An acknowledgement has an answer only if its
  /// token is unknown. Returns the events whose lines were added.
  package mutating func answer(
    _ line: ControlLine, changing view: inout ControlledView, of results: LiveList<Item>,
    to subscription: ListSubscription
  ) -> [ListEvent] {
    switch view.answer(line, of: results, to: subscription, acknowledging: { acknowledge($0) }) {
    case .acknowledged: return []
    case .refused(let message):
      lines.add(StreamEncoder.error(code: ControlledView.errorCode, message: message))
      return []
    case .changed(let earlier, let answer):
      let events = [earlier, answer].compactMap(\.self)
      for event in events { add(event) }
      if answer == nil { addBookmark() }
      return events
    }
  }

  // MARK: Writing

  /// Passes all lines on. While a piece is written, the next ones are made.
  ///
  /// - Parameter body: Writes one piece. Each line is one piece, except a long update.
  public mutating func write<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    while let line = lines.removeFirst() {
      let last = line.pieces.count - 1
      try line.pieces.forEach { number, piece throws(Failure) in
        if line.token != nil, number == last { recordFirstList() }
        try body(piece)
      }
      acknowledgeWritten(line.token)
    }
  }

  package mutating func write(to output: inout some ByteOutput) throws { try write { try output.write($0) } }

  private mutating func recordFirstList() {
    if let (list, position) = unrecorded { log?.begin(list, at: position, isAcknowledged: false) }
    unrecorded = nil
  }

  private mutating func acknowledgeWritten(_ token: String?) {
    guard let token, token != written else { return }
    written = token
    if !readerAcknowledges { _ = log?.acknowledge(token) }
  }
}

extension ListEvent? {
  /// Returns the first event of a reader that resumes, with everything that it has to take back.
  fileprivate func takingBack(_ offer: Offer, after list: ListSnapshot<Item>) -> ListEvent? {
    if offer.isEmpty { return self }
    var pending = PendingChanges(after: list, offering: offer)
    var problems: [ProblemChange] = []
    if case .step(let update, let found)? = self {
      if let update { pending.add(update) }
      problems = found
    }
    return pending.update.map { .step(update: $0, problems: problems) } ?? self
  }
}

extension ListEvent {
  package var update: ListUpdate<Item>? {
    guard case .step(let update, _) = self else { return nil }
    return update
  }
}
