import Store
import Streams

/// Writes what a consumer was offered and acknowledged to the database of its state.
struct Recorder {
  private let file: StateFile
  private let name: String
  private let view: [UInt8]
  private let request: FetchRequest
  private let limits: History.Limits
  /// Finds that the consumer has the list of this start; nil without a cache.
  private let known: KnownList?
  /// The list of this start; nil once the state was opened.
  private var current: ListSnapshot<Item>?
  /// The open database; nil if a new one has to be written.
  private var database: StateDatabase?
  private var identity: FileIdentity?
  private var delivery: Delivery
  /// The rows that the consumer was offered since the list from which it resumes.
  private(set) var openedOffer = Offer()
  /// True if only the acknowledgements of the reader count, in this run and in later ones.
  private(set) var readerAcknowledges = false
  private var recorded: OfferedList?
  /// The number of the newest lists that the database does not have yet.
  private var unrecorded = 0
  /// True if the last attempt to write failed. That was reported.
  private(set) var hasFailed = false
  /// True after `close()`. Then nothing else may be called.
  private(set) var isClosed = false
  private var sentences: [String] = []

  init(
    _ file: StateFile, name: String, view: [UInt8], request: FetchRequest, limits: History.Limits,
    keepsOffers: Bool,
    current: (list: ListSnapshot<Item>, known: KnownList)? = nil
  ) {
    delivery = Delivery(keepsOffers: keepsOffers)
    self.file = file
    self.name = name
    self.view = view
    self.request = request
    self.limits = limits
    self.known = current?.known
    self.current = current?.list
  }

  mutating func removeSentences() -> [String] {
    defer { sentences = [] }
    return sentences
  }

  mutating func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool) {
    delivery.begin(list, at: position, isAcknowledged: isAcknowledged)
    attempt { recorder in try recorder.replace() }
  }

  mutating func offer(_ update: ListUpdate<Item>, at position: StreamPosition) {
    let changes = delivery.offer(update, at: position)
    unrecorded += 1
    write(changes)
  }

  /// Records that the consumer has everything up to a token. Returns false if the token is unknown.
  mutating func acknowledge(_ token: String) -> Bool {
    if !delivery.acknowledge(token) {
      guard recorded != nil, let database, let step = database.history.step(token) else { return false }
      // A list of an earlier run. What was acknowledged stays acknowledged.
      if let base = database.history.acknowledged, step.number <= base { return true }
      guard let list = try? database.list(of: step, request: request) else { return true }
      delivery.acknowledge(list)
    }
    write(nil)
    return true
  }

  mutating func requireAcknowledgements() {
    if readerAcknowledges { return }
    readerAcknowledges = true
    write(nil)
  }

  /// Records that the consumer has everything up to a token, and nothing after it. Returns false if the
  /// token is unknown. A token before `start`, from which the consumer resumed, means that one.
  mutating func takeBack(to token: String, from start: String?) -> Bool {
    guard acknowledge(token) else { return false }
    // A list that the database does not have is not acknowledged there, so nothing is taken back.
    guard unrecorded == 0, let database, var step = database.history.step(token),
      let base = database.history.acknowledged
    else {
      return true
    }
    if let first = start.flatMap({ database.history.step($0) }), first.number > step.number { step = first }
    guard step.number < base, let newest = delivery.newest,
      let list = try? database.list(of: step, request: request)
    else {
      return true
    }
    var offer = delivery.offer
    if delivery.keepsOffers, let rows = try? database.connection.offer(since: step) { offer.formUnion(rows) }
    delivery.resume(
      after: list, newest: OfferedList(list: newest.list, position: newest.position, touched: nil),
      offering: offer,
      recorded: database.offer)
    write(nil)
    return true
  }

  mutating func close() {
    if isClosed { return }
    if hasFailed { write(nil) }
    isClosed = true
    if !hasFailed, let recorded, let newest = database?.history.newest, recorded.position == newest.position {
      known?.record(recorded.list, newest.digest)
    }
    try? database?.close()
    database = nil
    file.release()
  }

  /// Writes what the database does not have. The changes of the newest list are nil if not known.
  private mutating func write(_ changes: ListChanges?) {
    if database != nil, file.identity != identity {
      sentences.append(
        "The state \(name) was deleted or replaced while it was in use. It is being written again.")
      abandon()
    }
    if database == nil { return attempt { recorder in try recorder.replace() } }
    attempt { recorder in try recorder.append(changes) }
  }

  /// Runs an attempt to write. If it fails for another reason than a full disk, the content of the
  /// file is unknown, so the file is replaced. Reports only the first of several failures in a row.
  private mutating func attempt(_ body: (inout Recorder) throws -> Void) {
    let hadDatabase = database != nil
    do {
      do {
        try body(&self)
      } catch  where hadDatabase && StateError(error).code != .full {
        abandon()
        try replace()
      }
      if hasFailed { sentences.append("The state \(name) can be recorded again.") }
      hasFailed = false
    } catch {
      if !hasFailed {
        sentences.append(
          """
          The state \(name) cannot be recorded: \(StateError(error).message). After a restart, the stream resumes from the last \
          recorded position.
          """)
      }
      hasFailed = true
    }
  }

  /// Closes the database without using its file again.
  private mutating func abandon() {
    try? database?.close()
    database = nil
  }

  /// Writes the lists and the acknowledgement that the open database does not have.
  private mutating func append(_ changes: ListChanges?) throws {
    guard recorded != nil else { return try replace() }
    unrecorded = min(unrecorded, delivery.lists.count)
    let lists = delivery.lists.suffix(unrecorded)
    for list in lists {
      let changes = lists.count == 1 ? changes : nil
      guard let last = recorded else { return }
      try database?.append(
        list.position, changes ?? ListChanges(from: last.list, to: list.list, touched: nil), delivery.offer,
        delivery.unrecordedRows)
      recorded = list
      unrecorded -= 1
    }
    if readerAcknowledges, database?.readerAcknowledges == false { try database?.requireAcknowledgements() }
    let isFirst = database?.history.acknowledged == nil && delivery.acknowledged != nil
    if let token = delivery.acknowledged?.position.token {
      // The database can lack a list that is in memory only if its limits are lower.
      guard let step = database?.history.step(token) else { return try replace() }
      if step.number != database?.history.acknowledged {
        try database?.acknowledge(step, delivery.offer, delivery.unrecordedRows)
      }
    }
    if !delivery.unrecordedRows.isEmpty, database?.offer != delivery.offer {
      try database?.record(delivery.offer, delivery.unrecordedRows)
    }
    delivery.offerIsRecorded()
    // The first position is written to the file itself. If only the write-ahead log had it, damage
    // of the log would make the consumer a new one.
    if isFirst || database?.needsCheckpoint == true { try checkpoint() }
  }

  /// Writes the log back to the file. On a full disk that can wait: the log has everything.
  private func checkpoint() throws {
    do {
      try database?.connection.checkpoint()
    } catch let error where StateError(error).code != .full {
      throw error
    } catch {}
  }

  /// Replaces the file by a new database with everything that is in memory.
  private mutating func replace() throws {
    let lists = delivery.lists
    let acknowledged = delivery.acknowledged == nil ? nil : 0
    let readerAcknowledges = readerAcknowledges
    let offer = delivery.offer
    try file.restoreFolder()
    try file.withFolderLock { folder in
      // While the folder is locked, no other process can open the file in between.
      abandon()
      try file.replace(in: folder) { path in
        try StateDatabase.create(
          at: path, view: view, lists: lists, acknowledged: acknowledged, offer: offer,
          readerAcknowledges: readerAcknowledges)
      }
      database = try StateDatabase(opening: file.path, limits: limits)
    }
    identity = file.identity
    recorded = lists.last
    unrecorded = 0
    delivery.offerIsRecorded()
  }

  /// Opens or creates the file, and finds the consumer's list. Throws only `StateError.locked`.
  mutating func open(since token: String?) throws(StateError) -> (start: StreamStart, canRecord: Bool) {
    var content = StateFile.Content.nothing
    defer { current = nil }
    do {
      let file = file
      let limits = limits
      database = try file.withFolderLock { _ in
        content = file.content()
        return content == .state ? try StateDatabase(opening: file.path, limits: limits) : nil
      }
    } catch {
      return try start(of: error, content, since: token)
    }
    identity = file.identity
    readerAcknowledges = database?.readerAcknowledges ?? false
    switch content {
    case .state:
      let start = start(since: token)
      if case .gone(let failure) = start, failure.reason == .damaged { abandon() }
      return (start, true)
    case .nothing:
      return try create(since: token)
    case .foreign:
      return (gone(.damaged), true)
    case .unusable(let reason):
      reportUnusable(reason)
      return (gone(.damaged), false)
    }
  }

  /// Creates an empty state, so that a second process finds it in use.
  private mutating func create(since token: String?) throws(StateError) -> (
    start: StreamStart, canRecord: Bool
  ) {
    let start = token == nil ? StreamStart.new : gone(.unknownToken)
    do {
      try replace()
      return (start, true)
    } catch {
      let error = StateError(error)
      if case .locked = error.code { throw error }
      reportUnusable(error.message)
      return (start, false)
    }
  }

  /// Returns the start if the database could not be opened.
  private mutating func start(
    of error: StateError, _ content: StateFile.Content, since token: String?
  ) throws(StateError) -> (start: StreamStart, canRecord: Bool) {
    switch error.code {
    case .locked: throw error
    case .damaged: return (gone(.damaged), true)
    case .newer:
      reportUnusable(error.message)
      return (gone(.newerVersion), false)
    case .badName, .noHome, .full, .refused:
      reportUnusable(error.message)
      return (content == .state ? startOfCopy(since: token) : gone(.damaged), false)
    }
  }

  /// Reads the list of a token, or the acknowledged one, from a state that cannot be written.
  private mutating func startOfCopy(since token: String?) -> StreamStart {
    (try? file.withCopy { path in try readCopy(path, since: token) }) ?? gone(.damaged)
  }

  private mutating func readCopy(_ path: String, since token: String?) throws -> StreamStart {
    let found = try StateDatabase(opening: path, limits: limits)
    defer { try? found.close() }
    let (step, start) = find(token, in: found)
    guard let step else { return start }
    let list = try found.list(of: step, request: request)
    openedOffer = try offer(since: step, in: found)
    return .resumed(list.list, list.position)
  }

  /// Finds the step of a token, or the acknowledged one; if there is none, the start.
  private func find(_ token: String?, in database: StateDatabase) -> (step: History.Step?, start: StreamStart)
  {
    let history = database.history
    let isOther = history.newest != nil && database.view != view
    let step = isOther ? nil : token.map { history.step($0) } ?? history.acknowledged.flatMap(history.step)
    return (step, isOther ? gone(.viewMismatch) : token == nil ? .new : gone(.unknownToken))
  }

  /// Reads the list of a token, or the acknowledged one, from the open database.
  private mutating func start(since token: String?) -> StreamStart {
    guard let database else { return gone(.damaged) }
    let (found, start) = find(token, in: database)
    guard let step = found, let newest = database.history.newest else { return start }
    do {
      let list = try list(of: step, newest, in: database)
      var last: OfferedList?
      if step != newest {
        last = try database.list(of: newest, request: request)
        last?.touched = try database.connection.touched(since: step)
      }
      openedOffer = try offer(since: step, in: database)
      delivery.resume(after: list, newest: last, offering: openedOffer, recorded: database.offer)
      recorded = last ?? list
      // A token given by the consumer acknowledges its list.
      if database.history.acknowledged != step.number || database.offer != openedOffer { write(nil) }
      return .resumed(list.list, list.position)
    } catch {
      return gone(.damaged)
    }
  }

  /// Returns the rows that the consumer was offered after a step; none if it does not take them back.
  private func offer(since step: History.Step, in database: StateDatabase) throws -> Offer {
    if !delivery.keepsOffers { return Offer() }
    var offer = database.offer
    if step.number != database.history.acknowledged {
      offer.formUnion(try database.connection.offer(since: step))
    }
    return offer
  }

  /// Reads the list of a step, unless it is the newest one and the list of this start is the same.
  private mutating func list(of step: History.Step, _ newest: History.Step, in database: StateDatabase) throws
    -> OfferedList
  {
    if step == newest, let known, let current = exchange(&current, with: nil),
      known.matches(current, step.digest)
    {
      return OfferedList(list: current.withoutProblems, position: step.position)
    }
    return try database.list(of: step, request: request)
  }

  private func gone(_ reason: GoneReason) -> StreamStart { .gone(ResumeFailure(reason, state: name)) }

  private mutating func reportUnusable(_ reason: String) {
    sentences.append("The state \(name) cannot be used: \(reason). Nothing is recorded in it.")
  }
}
