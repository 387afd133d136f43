import CZlib

enum GzipData {
  /// Compresses bytes as gzip (RFC 1952), as small as zlib can.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The compressed bytes; nil if they are not shorter, or if memory is exhausted. Equal bytes
  ///   give equal results.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 31: a window of 15 bits, and 16 for gzip. 9 is the largest memory level.
    let begun = deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let size = UInt32(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        // zlib reads from this address only.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = size
        stream.next_out = output.baseAddress
        stream.avail_out = size
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? bytes.count - Int(stream.avail_out) : 0
      }
    }.nonEmpty
  }
}

extension [UInt8] {
  /// The array; nil if it is empty.
  fileprivate var nonEmpty: [UInt8]? { isEmpty ? nil : self }
}
