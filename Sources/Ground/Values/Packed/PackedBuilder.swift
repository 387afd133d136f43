import Glibc

/// Writes one packed value, part by part in reading order, into memory that grows as needed.
struct PackedBuilder {
  private var storage: [UInt8] = []
  private(set) var count = 0

  /// A buffer larger than this is released, so that one large file does not occupy memory for good.
  private static let maxRetainedCapacity = 1 << 20
  private static let minCapacity = 1 << 10

  mutating func reset() {
    count = 0
    if storage.count > PackedBuilder.maxRetainedCapacity { storage = [] }
  }

  func finish() -> PackedValue { PackedValue(bytes: withBytes { Array($0) }) }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Appends what `body` writes, at most `maxSize` bytes; if it is more, nothing, and returns nil.
  @inline(__always)
  mutating func write<Result, Failure: Error>(
    _ maxSize: Int, _ body: (inout PackedWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if storage.count - count < maxSize { grow(by: maxSize) }
    let start = count
    return try storage.withUnsafeMutableBufferPointer { buffer throws(Failure) in
      var writer = PackedWriter(UnsafeMutableRawBufferPointer(buffer), count: start)
      let result = try body(&writer)
      if writer.isFull { return nil }
      count = writer.count
      return result
    }
  }

  /// Enough for nearly all texts of `count` bytes, and for all that are not large: an empty list of two bytes
  /// needs five, a number of three bytes nine.
  static func usualSize(ofText count: Int) -> Int {
    (count > maxSizeForWorstCase ? count + count / 4 : 5 * count) + PackedWriter.maxHeaderSize
  }

  private static let maxSizeForWorstCase = 64 << 10

  private mutating func grow(by size: Int) {
    let capacity = max(count + size, 2 * storage.count, PackedBuilder.minCapacity)
    storage = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
      let free = UnsafeMutableRawBufferPointer(buffer)
      withBytes { free.copyMemory(from: $0) }
      // As fast in a debug build, where each test reads its texts with a new builder.
      if let base = free.baseAddress { memset(base + count, 0, capacity - count) }
      initializedCount = capacity
    }
  }

  mutating func appendNull() { write(PackedWriter.maxHeaderSize) { $0.appendNull() } }

  /// Appends a string, or a date if `string` is one. The bytes must be valid UTF-8.
  mutating func append(string: UnsafeRawBufferPointer) {
    write(PackedWriter.maxHeaderSize + string.count) { $0.append(string: string) }
  }

  @discardableResult
  mutating func append(key: UnsafeRawBufferPointer) -> Range<Int> {
    write(PackedWriter.maxHeaderSize + key.count) { $0.append(key: key) } ?? count..<count
  }

  /// The result of `begin` for a list or map that is the root.
  static let rootStart = 5

  mutating func begin(_ container: PackedValue.Tag) -> Int {
    write(PackedWriter.maxHeaderSize) { $0.begin(container) } ?? count
  }

  mutating func end(_ start: Int) { write(0) { $0.end(start) } }

  mutating func append(packed: UnsafeRawBufferPointer) {
    write(packed.count) { $0.append(packed: packed) }
  }

  /// Appends a copy of bytes that were written before, for an alias.
  mutating func appendCopy(of range: Range<Int>) { write(range.count) { $0.appendCopy(of: range) } }

  mutating func truncate(to count: Int) { self.count = count }

  mutating func append(_ value: Value) {
    var size = PackedBuilder.minCapacity
    while write(size, { $0.append(value) }) == nil { size *= 2 }
  }
}
