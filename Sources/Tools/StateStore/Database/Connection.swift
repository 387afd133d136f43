import CSQLite

/// A connection to a database of SQLite, and its prepared statements. It is used by one thread at a
/// time, so SQLite needs no locks.
final class Connection {
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a database, and configures the connection. Throws even if the file is not a database.
  init(_ path: String, _ pragmas: [String]) throws(StateError) {
    let code = sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      close()
      throw StateError(sqlite: code)
    }
    sqlite3_extended_result_codes(handle, 1)
    for pragma in pragmas { try execute(pragma) }
    // SQLite reads the file only when it is asked for something.
    try execute("SELECT * FROM sqlite_master LIMIT 1")
  }

  deinit { close() }

  /// Closes the connection. Queries and the functions below must no longer be called.
  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close(handle)
    handle = nil
  }

  var error: StateError {
    StateError(sqlite: handle == nil ? SQLITE_MISUSE : sqlite3_extended_errcode(handle))
  }

  func execute(_ sql: String) throws(StateError) {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var code = SQLITE_ROW
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    if code != SQLITE_DONE { throw error }
  }

  func statement(_ sql: String) throws(StateError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  private func prepare(_ sql: String) throws(StateError) -> OpaquePointer {
    var statement: OpaquePointer?
    guard let handle, sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw error
    }
    return statement
  }

  /// Runs `body` in a transaction that may write from its start, undone if `body` or the commit throws.
  func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE TRANSACTION")
    do {
      try body()
      try execute("COMMIT TRANSACTION")
    } catch {
      // After some errors, such as a full disk, SQLite has already undone it.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK TRANSACTION") }
      throw error
    }
  }

  /// Writes the complete write-ahead log back to the file, and empties the log.
  func checkpoint() throws(StateError) {
    guard let handle,
      sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    else { throw error }
  }
}
