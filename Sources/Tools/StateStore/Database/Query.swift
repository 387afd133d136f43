import CSQLite

/// A prepared statement with its parameters and columns as SQLite has them.
struct Query {
  private let raw: OpaquePointer
  private let connection: Connection

  fileprivate init(_ raw: OpaquePointer, of connection: Connection) {
    self.raw = raw
    self.connection = connection
  }

  func run(_ parameters: [Parameter?]) throws {
    defer { reset() }
    try bind(parameters)
    while try step() {}
  }

  func step() throws -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.error
    }
  }

  func reset() { sqlite3_reset(raw) }

  func bind(_ parameters: [Parameter?]) throws {
    for (index, parameter) in parameters.enumerated() {
      if bind(parameter, CInt(index + 1)) != SQLITE_OK { throw connection.error }
    }
  }

  private func bind(_ parameter: Parameter?, _ index: CInt) -> CInt {
    switch parameter {
    case nil: return sqlite3_bind_null(raw, index)
    case .number(let number): return sqlite3_bind_int64(raw, index, number)
    case .bytes(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(raw, index, 0)
    case .bytes(let bytes):
      // SQLite copies the bytes.
      let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(raw, index, $0.baseAddress, sqlite3_uint64($0.count), copy)
      }
    }
  }

  /// Returns the number in a column; nil if the value is not an integer.
  func number(_ column: CInt) -> Int64? {
    sqlite3_column_type(raw, column) == SQLITE_INTEGER ? sqlite3_column_int64(raw, column) : nil
  }

  func bytes(_ column: CInt) -> [UInt8]? { borrowedBytes(column).map { Array($0) } }

  /// Returns the bytes in a column, valid until the next step; nil if the column has no blob.
  func borrowedBytes(_ column: CInt) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(raw, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(raw, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
  }

  func isNull(_ column: CInt) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }
}

enum Parameter {
  case number(Int64)
  case bytes([UInt8])
}

extension Connection {
  func query(_ sql: String) throws -> Query {
    let raw = try statement(sql)
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
    return Query(raw, of: self)
  }

  func run(_ sql: String, _ parameters: Parameter?...) throws { try query(sql).run(parameters) }

  func forEach(_ sql: String, _ parameters: Parameter?..., body: (Query) throws -> Void) throws {
    let query = try query(sql)
    defer { query.reset() }
    try query.bind(parameters)
    while try query.step() { try body(query) }
  }
}
