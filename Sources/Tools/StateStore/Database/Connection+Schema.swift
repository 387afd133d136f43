/// The tables of the database. They have a version: a database of a newer version is not changed,
/// one of an older version is migrated.
extension Connection {
  /// Identifies our files (`PRAGMA application_id`): "nwst".
  static let applicationID: Int64 = 0x6e77_7374
  /// The version that this program writes (`PRAGMA user_version`).
  static let schemaVersion = Int64(migrations.count)

  /// The statements that lead from each version to the next. Those of released versions never change.
  private static let migrations: [[String]] = [tables, [offered]]

  /// The tables of version 1, as SQLite keeps their definitions.
  ///
  /// - `state` has one row: the digest of the view, and the numbers of the acknowledged and the
  ///   newest step, and in `explicit` 1 if the reader acknowledges by itself.
  /// - `steps`: the lists that can be produced. `digest` is that of all records of the list.
  /// - `records`: the newest list. Keys and strings are blobs, so that no collation applies.
  /// - `undo`: the records that lead back to the list of step `base` from the next list. `gone` is
  ///   1 if the next list does not have the record.
  private static let tables = [
    """
    CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 0), view BLOB NOT NULL, \
    acknowledged INTEGER, newest INTEGER, explicit INTEGER NOT NULL, checksum BLOB NOT NULL)
    """,
    """
    CREATE TABLE steps (step INTEGER PRIMARY KEY, seq INTEGER NOT NULL, token BLOB NOT NULL, \
    digest BLOB NOT NULL, size INTEGER NOT NULL, checksum BLOB NOT NULL)
    """,
    """
    CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, section BLOB NOT NULL, rank INTEGER NOT NULL, \
    path BLOB, value BLOB) WITHOUT ROWID
    """,
    """
    CREATE TABLE undo (base INTEGER NOT NULL, key BLOB NOT NULL, kind INTEGER NOT NULL, gone INTEGER NOT NULL, \
    section BLOB NOT NULL, rank INTEGER NOT NULL, path BLOB, value BLOB, PRIMARY KEY (base, key)) WITHOUT ROWID
    """,
  ]

  /// The table that version 2 added: the rows that were offered and not acknowledged, each with a
  /// path under which it was offered. The row with an empty key has the digest of the others. A
  /// database without it was migrated, and its undo logs have the rows.
  private static let offered =
    "CREATE TABLE offered (key BLOB NOT NULL, path BLOB NOT NULL, PRIMARY KEY (key, path)) WITHOUT ROWID"

  /// Creates the tables, or migrates those of an older version. Call it in a transaction.
  func migrate() throws {
    let found = try number("PRAGMA user_version")
    guard found < Connection.schemaVersion else { return }
    for migration in Connection.migrations[Int(max(0, found))...] {
      for statement in migration { try execute(statement) }
    }
    try execute("PRAGMA application_id = \(Connection.applicationID)")
    try execute("PRAGMA user_version = \(Connection.schemaVersion)")
  }

  func hasOurTables() throws -> Bool {
    var found: [String] = []
    try forEach("SELECT CAST(sql AS BLOB) FROM sqlite_master") { row in
      found.append(String(decoding: row.bytes(0) ?? [], as: UTF8.self))
    }
    return found.sorted() == Connection.migrations.joined().sorted()
  }

  func number(_ sql: String) throws -> Int64 {
    var number: Int64 = 0
    try forEach(sql) { row in number = row.number(0) ?? 0 }
    return number
  }
}
