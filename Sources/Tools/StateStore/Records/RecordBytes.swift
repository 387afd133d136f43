/// A record that borrows its bytes. It is valid only inside of the closure that receives it.
struct RecordBytes {
  let key: UnsafeRawBufferPointer
  let section: UnsafeRawBufferPointer
  let rank: Int64
  let path: UnsafeRawBufferPointer?
  let value: UnsafeRawBufferPointer?
}

extension Record {
  /// Calls `body` with the bytes of the record.
  func withBytes<Result>(_ body: (RecordBytes) -> Result) -> Result {
    key.withUnsafeBytes { key in
      section.withUnsafeBytes { section in
        Record.withBytes(of: path) { path in
          Record.withBytes(of: value) { value in
            body(RecordBytes(key: key, section: section, rank: rank, path: path, value: value))
          }
        }
      }
    }
  }

  private static func withBytes<Result>(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Result)
    -> Result
  {
    guard let bytes else { return body(nil) }
    return bytes.withUnsafeBytes { body($0) }
  }

  /// Copies the bytes of a record.
  init(_ bytes: RecordBytes) {
    self.init(
      key: Array(bytes.key), section: Array(bytes.section), rank: bytes.rank,
      path: bytes.path.map { Array($0) },
      value: bytes.value.map { Array($0) })
  }
}
