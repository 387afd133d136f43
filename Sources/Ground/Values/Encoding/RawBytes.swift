import Glibc

extension UnsafeRawBufferPointer {
  /// The bytes of a C string, without its terminating zero.
  init(cString: UnsafePointer<UInt8>) {
    self.init(start: cString, count: strlen(UnsafeRawPointer(cString).assumingMemoryBound(to: CChar.self)))
  }

  /// Returns true if the bytes are the UTF-8 bytes of `text`.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: count))
  }
}

extension UnsafeRawBufferPointer {
  /// Returns true if both have the same bytes.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let other = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(own, other, count) == 0
  }

  /// Returns the offset of the first `byte` in `range`; nil if there is none.
  func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    guard let base = part.baseAddress, let found = memchr(base, Int32(byte), part.count) else { return nil }
    return range.lowerBound + (UnsafeRawPointer(found) - base)
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes, like `withUnsafeBytes`, and keeps the type of its error.
  package func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}
