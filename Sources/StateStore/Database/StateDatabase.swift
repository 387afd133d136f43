import GRDB
import Glibc
import LinuxFiles
import PlainStore

/// The database of one state: the newest list, and the undo logs that lead back to earlier ones.
///
/// It is one connection with an exclusive lock: the write-ahead log of SQLite 3.40 is safe only
/// then. `synchronous=FULL`, because a commit must survive a power cut. Checkpoints are explicit,
/// so that a failed fsync of one is not missed.
struct StateDatabase: Sendable {
  private let queue: DatabaseQueue
  /// The path of the write-ahead log.
  private let writeAheadLog: String
  /// The lists that the database can produce.
  private(set) var history = History()
  /// The digest of the view that the lists belong to.
  private(set) var view: [UInt8] = []
  private let limits: History.Limits

  /// Opens a database that exists, and locks it. Reads the history, but no list.
  ///
  /// - Throws: `StateFailure`.
  init(opening path: String, limits: History.Limits) throws {
    writeAheadLog = "\(path)-wal"
    self.limits = limits
    queue = try StateDatabase.connect(path, StateDatabase.configuration("PRAGMA synchronous = FULL"))
    do {
      (view, history) = try queue.writeWithoutTransaction { db in
        if try Schema.number("PRAGMA user_version", in: db) > Schema.version { throw StateFailure.newer }
        try db.inTransaction {
          try Schema.migrate(db)
          return .commit
        }
        guard try Schema.isValid(db) else { throw StateFailure.damaged }
        return try StateTables(db).readHistory()
      }
    } catch {
      try? queue.close()
      throw StateFailure(error)
    }
  }

  /// Opens a connection. It has to be closed, and stays in memory for the rest of the process.
  ///
  /// A dispatch queue with specific values, as GRDB's are, has them deallocated on the shared pool.
  /// libdispatch would wake up every second from then on.
  private static func connect(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    do {
      return try Unmanaged.passRetained(DatabaseQueue(path: path, configuration: configuration)).takeUnretainedValue()
    } catch {
      throw StateFailure(error)
    }
  }

  private static func configuration(_ pragmas: String...) -> Configuration {
    var configuration = Configuration()
    configuration.label = "state of a consumer"
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      // The lock has to be exclusive before the write-ahead log is opened for the first time. The
      // index of the log is then in memory and not in a shared file.
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try db.execute(sql: "PRAGMA mmap_size = 0")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "PRAGMA trusted_schema = OFF")
      try db.execute(sql: "PRAGMA cell_size_check = ON")
      for pragma in pragmas { try db.execute(sql: pragma) }
    }
    return configuration
  }

  /// Writes a new database into an empty file: one list after the other, each with its position.
  /// The file is complete, but not yet on the disk.
  static func create(at path: String, view: [UInt8], lists: [OfferedList], acknowledged: Int?) throws {
    let queue = try connect(
      path, configuration("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -16000"))
    do {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction {
          try Schema.migrate(db)
          let tables = StateTables(db)
          var history = History()
          var last: OfferedList?
          for list in lists {
            if let last {
              try tables.append(list.position, ListChanges(from: last.list, to: list.list, touched: list.touched), to: &history)
            } else {
              try tables.begin(list, &history)
            }
            last = list
          }
          if let acknowledged { history.acknowledge(history.steps[acknowledged]) }
          try tables.writeState(view: view, history)
          return .commit
        }
        // This writes the mode into the header of the file.
        try db.execute(sql: "PRAGMA journal_mode = WAL")
      }
      try queue.close()
    } catch {
      try? queue.close()
      throw StateFailure(error)
    }
  }

  /// Records a list that was offered after the newest one. Durable when it returns.
  mutating func append(_ position: StreamPosition, _ changes: ListChanges) throws {
    try write { tables, history in try tables.append(position, changes, to: &history) }
  }

  /// Records that the consumer has the list of a step. Durable when it returns.
  mutating func acknowledge(_ step: History.Step) throws {
    try write { _, history in history.acknowledge(step) }
  }

  /// Runs `body` in a transaction that also applies the limits and writes the row of the state.
  private mutating func write(_ body: (StateTables, inout History) throws -> Void) throws {
    do {
      var history = history
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          let tables = StateTables(db)
          try body(tables, &history)
          try tables.reduce(&history, limits)
          try tables.writeState(view: view, history)
          return .commit
        }
      }
      self.history = history
    } catch {
      throw StateFailure(error)
    }
  }

  /// The size in bytes above which the write-ahead log is written back to the file.
  private static let maxLogSize: UInt64 = 4 << 20

  /// True if the write-ahead log is large enough to be written back to the file.
  var needsCheckpoint: Bool {
    (try? FileStatus(in: AT_FDCWD, writeAheadLog).stamp.size).map { $0 > StateDatabase.maxLogSize } ?? false
  }

  /// Writes the write-ahead log back to the file.
  func checkpoint() throws {
    do {
      try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    } catch {
      throw StateFailure(error)
    }
  }

  /// Reads the list of a step, and verifies it.
  ///
  /// - Throws: `StateFailure.damaged` if it is not exactly the list that was recorded.
  func list(of step: History.Step, request: ListRequest) throws -> OfferedList {
    do {
      let records = try queue.writeWithoutTransaction { db in try StateTables(db).records(of: step) }
      guard let list = records.list(request) else { throw StateFailure.damaged }
      return OfferedList(list: list, position: step.position)
    } catch {
      throw StateFailure(error)
    }
  }

  /// Returns the rows in which the newest list may differ from that of a step.
  func touched(since step: History.Step) throws -> Set<Item.ID> {
    do {
      return try queue.writeWithoutTransaction { db in try StateTables(db).touched(since: step) }
    } catch {
      throw StateFailure(error)
    }
  }

  /// Writes the write-ahead log back to the file, and closes the connection.
  func close() throws {
    do {
      _ = try queue.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
      try queue.close()
    } catch {
      try? queue.close()
      throw StateFailure(error)
    }
  }
}
