package import PlainStore
package import Values

/// Writes the stream of version 1: one line for the view, the snapshot, then one line per step.
/// Each line is one write, except a long one: its first parts are written while the next ones are
/// made.
///
/// With a log, each position is recorded before a reader can see its token, and acknowledged after
/// its line was written. After a reader's first acknowledgement, only those of the reader count, in
/// later runs too: what was written after that position is not acknowledged any more.
package struct JSONLinesSink<Output: ByteOutput> {
  private var encoder: StreamEncoder
  private var output: Output
  private let clock: () -> Timestamp
  private let tokens: TokenSource
  private let log: (any DeliveryLog)?
  /// The list that the reader has. Kept only with a log.
  private var list: ResultsSnapshot?
  /// The token from which the reader resumed. Nil for a new stream.
  private let start: String?
  /// True after the first acknowledgement of the reader, which may have been wrong.
  private var readerAcknowledges: Bool
  /// True after the first acknowledgement that was right.
  private var hasReaderPosition = false

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - output: The destination of the lines.
  ///   - itemsPerLine: A snapshot with more items than this is split into several lines.
  ///   - position: The position from which the reader resumes. Nil for a new stream.
  ///   - tokens: Makes the tokens.
  ///   - log: Records what the reader has.
  ///   - readerAcknowledges: True if only the reader's acknowledgements count from the start.
  ///   - clock: Returns the current time, for the `time` of updates.
  package init(
    _ output: Output, itemsPerLine: Int = 1_000, at position: StreamPosition? = nil, tokens: TokenSource = TokenSource(),
    log: (any DeliveryLog)? = nil, readerAcknowledges: Bool = false, clock: @escaping () -> Timestamp
  ) {
    encoder = StreamEncoder(itemsPerLine: itemsPerLine, at: position, tokens: tokens)
    start = position?.token
    self.output = output
    self.clock = clock
    self.tokens = tokens
    self.log = log
    self.readerAcknowledges = readerAcknowledges
  }

  /// Writes the first line of a live stream.
  package mutating func begin(root: String, view: Fields) throws {
    try output.write(encoder.hello(root: root, view: view))
  }

  /// Writes the first lines of a stream for a reader that has a list from an earlier run: the
  /// position, then what changed since then, or a bookmark if nothing did.
  ///
  /// - Parameters:
  ///   - root: The folder as it was given.
  ///   - view: The view.
  ///   - list: The list that the reader has.
  ///   - offer: What a reader that acknowledges by itself was offered since then. The first update
  ///     takes back what is again as in `list`.
  ///   - event: The first event of a subscription that resumes after `list`; nil if there is none.
  package mutating func resume(
    root: String, view: Fields, after list: ResultsSnapshot, offering offer: Offer = Offer(), _ event: ResultsEvent?
  ) throws {
    try output.write(encoder.hello(root: root, view: view, since: encoder.position))
    if log != nil { self.list = list }
    let event = event.takingBack(offer, after: list)
    if event?.update == nil { try output.write(encoder.bookmark(keepsToken: true)) }
    if let event { try receive(event) }
  }

  /// Writes the first line of a comparison of two states.
  package mutating func begin(root: String, view: Fields, from: Fields, to: Fields) throws {
    try output.write(encoder.hello(root: root, view: view, from: from, to: to))
  }

  /// Writes an error line.
  ///
  /// - Parameter why: The reason of the code `gone`. Nil for other codes.
  package mutating func report(code: String, message: String, why: GoneReason? = nil) throws {
    try output.write(encoder.error(code: code, message: message, why: why))
  }

  /// Writes a bookmark line.
  package mutating func bookmark() throws {
    let line = encoder.bookmark()
    if let list { log?.offer(ResultsUpdate(from: list, to: list, touched: [], origin: .view), at: encoder.position) }
    try write(line)
  }

  /// Writes the lines of an event.
  package mutating func receive(_ event: ResultsEvent) throws {
    switch event {
    case .snapshot(let snapshot):
      if log != nil { list = snapshot }
      let log = log
      try encoder.snapshot(snapshot, willEnd: { log?.begin(snapshot, at: $0, isAcknowledged: false) }, write: { try output.write($0) })
      acknowledgeWritten()
      try write(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update {
        if log != nil { list = update.new }
        let log = log
        try encoder.update(update, time: clock(), willWrite: { log?.offer(update, at: $0) }, write: { try output.write($0) })
        acknowledgeWritten()
      }
      try write(problems)
    }
  }

  /// Records that the reader has everything up to a token. From now on only such acknowledgements
  /// count.
  ///
  /// - Returns: False if the token is unknown.
  package mutating func acknowledge(_ token: String) -> Bool {
    if !readerAcknowledges { log?.requireAcknowledgements() }
    readerAcknowledges = true
    guard let log else { return tokens.hasMade(token) }
    if hasReaderPosition { return log.acknowledge(token) }
    hasReaderPosition = log.takeBack(to: token, from: start)
    return hasReaderPosition
  }

  /// Writes a line with a new position.
  private mutating func write(_ line: [UInt8]) throws {
    try output.write(line)
    acknowledgeWritten()
  }

  private func acknowledgeWritten() {
    if !readerAcknowledges { _ = log?.acknowledge(encoder.position.token) }
  }

  private mutating func write(_ problems: [ProblemChange]) throws {
    for problem in problems { try output.write(StreamEncoder.problem(problem)) }
  }
}

extension ResultsEvent? {
  /// Returns the first event of a reader that resumes, with everything that it has to take back.
  fileprivate func takingBack(_ offer: Offer, after list: ResultsSnapshot) -> ResultsEvent? {
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

extension ResultsEvent {
  /// The update of the event. Nil for a snapshot, and if only problems came or went.
  package var update: ResultsUpdate? {
    guard case .step(let update, _) = self else { return nil }
    return update
  }
}
