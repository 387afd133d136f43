import Glibc
import Store
import Streams

/// The database of one state: the newest list, and the undo logs that lead back to earlier ones.
///
/// It is one connection with an exclusive lock: the write-ahead log of SQLite 3.40 is safe only
/// then. `synchronous=FULL`, because a commit must survive a power cut. Checkpoints are explicit,
/// so that a failed fsync of one is not missed.
struct StateDatabase {
  let connection: Connection
  private let writeAheadLog: String
  private(set) var history = History()
  private(set) var view: [UInt8] = []
  /// True if only the acknowledgements of the reader count.
  private(set) var readerAcknowledges = false
  /// The rows that were offered and not acknowledged, as they are recorded.
  private(set) var offer = Offer()
  private var offerDigest = RecordDigest()
  private let limits: History.Limits

  /// Opens a database that exists, and locks it. Reads the history, but no list.
  init(opening path: String, limits: History.Limits) throws {
    writeAheadLog = "\(path)-wal"
    self.limits = limits
    connection = try Connection(path, StateDatabase.pragmas + ["PRAGMA synchronous = FULL"])
    if try connection.number("PRAGMA user_version") > Connection.schemaVersion { throw StateError.newer }
    try connection.transaction { [connection] in try connection.migrate() }
    guard try connection.hasOurTables() else { throw StateError.damaged }
    (view, history, readerAcknowledges) = try connection.readHistory()
    (offer, offerDigest) = try StateDatabase.readOffer(connection, history)
  }

  /// Reads the rows that were offered. A database of an older version has them in its undo logs only.
  private static func readOffer(_ connection: Connection, _ history: History) throws -> (Offer, RecordDigest)
  {
    if let found = try connection.readOffer() { return found }
    let offer =
      try history.acknowledged.flatMap(history.step).map { try connection.offer(since: $0) } ?? Offer()
    var digest = RecordDigest()
    try connection.transaction { try connection.write(offer, replacing: Offer(), offer.rows, &digest) }
    return (offer, digest)
  }

  private static let pragmas = [
    // The lock has to be exclusive before the write-ahead log is opened for the first time. The
    // index of the log is then in memory and not in a shared file.
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA mmap_size = 0",
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
  ]

  /// Writes a new database into an empty file: one list after the other, each with its position.
  /// The file is complete, but not yet on the disk.
  static func create(
    at path: String, view: [UInt8], lists: [OfferedList], acknowledged: Int?, offer: Offer,
    readerAcknowledges: Bool
  ) throws {
    let connection = try Connection(
      path,
      pragmas + ["PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -16000"])
    defer { connection.close() }
    try connection.transaction {
      try connection.migrate()
      var history = History()
      var last: OfferedList?
      for list in lists {
        if let last {
          try connection.append(
            list.position, ListChanges(from: last.list, to: list.list, touched: list.touched), to: &history)
        } else {
          try connection.begin(list, &history)
        }
        last = list
      }
      if let acknowledged { history.acknowledge(history.steps[acknowledged]) }
      try connection.writeState(view: view, history, readerAcknowledges: readerAcknowledges)
      var digest = RecordDigest()
      try connection.write(offer, replacing: Offer(), offer.rows, &digest)
    }
    // This writes the mode into the header of the file.
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// Records a list that was offered after the newest one, and all rows that were offered, which may
  /// differ from the recorded ones in `rows`. Durable when it returns, as the changes below.
  mutating func append(
    _ position: StreamPosition, _ changes: ListChanges, _ offer: Offer, _ rows: Set<Item.ID>
  ) throws {
    try write(offer, rows) { connection, history in try connection.append(position, changes, to: &history) }
  }

  /// Records that the consumer has the list of a step, and the rows that it was offered besides.
  mutating func acknowledge(_ step: History.Step, _ offer: Offer, _ rows: Set<Item.ID>) throws {
    try write(offer, rows) { _, history in history.acknowledge(step) }
  }

  mutating func record(_ offer: Offer, _ rows: Set<Item.ID>) throws {
    try write(offer, rows) { _, _ in }
  }

  mutating func requireAcknowledgements() throws {
    readerAcknowledges = true
    try write(offer, []) { _, _ in }
  }

  /// Runs `body` in a transaction that also records an offer, applies the limits and writes the state.
  private mutating func write(
    _ offer: Offer, _ rows: Set<Item.ID>, _ body: (Connection, inout History) throws -> Void
  ) throws {
    var history = history
    var digest = offerDigest
    try connection.transaction {
      try body(connection, &history)
      try connection.reduce(&history, limits)
      try connection.writeState(view: view, history, readerAcknowledges: readerAcknowledges)
      if !rows.isEmpty { try connection.write(offer, replacing: self.offer, rows, &digest) }
    }
    self.history = history
    self.offer = offer
    offerDigest = digest
  }

  private static let maxLogSize: UInt64 = 4 << 20

  var needsCheckpoint: Bool {
    (try? FileStatus(in: AT_FDCWD, writeAheadLog).stamp.size).map { $0 > StateDatabase.maxLogSize } ?? false
  }

  /// Reads the list of a step. Throws if it is not exactly the list that was recorded.
  func list(of step: History.Step, request: FetchRequest) throws -> OfferedList {
    let records = try connection.records(of: step)
    guard let list = records.list(request) else { throw StateError.damaged }
    return OfferedList(list: list, position: step.position)
  }

  /// Writes the write-ahead log back to the file, and closes the connection.
  func close() throws {
    defer { connection.close() }
    try connection.checkpoint()
  }
}
