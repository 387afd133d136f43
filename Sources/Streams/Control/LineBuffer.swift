import Glibc

/// Splits a stream of bytes into lines. Linear in time, with bounded memory: a line that is too
/// long is replaced by an empty marker.
package struct LineBuffer: Sendable {
  /// The default for the maximum length of a line in bytes.
  package static let maxLength = 1 << 20

  private let maxLength: Int
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var lines: [ControlLine] = []
  private var next = 0

  package init(maxLength: Int = LineBuffer.maxLength) {
    self.maxLength = maxLength
  }

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    var start = bytes.startIndex
    // A reader may send anything as fast as it can, so each byte has to cost little.
    while let end = LineBuffer.lineFeed(in: bytes[start...]) {
      extend(bytes[start..<end])
      endLine()
      start = end + 1
    }
    extend(bytes[start...])
  }

  private static func lineFeed(in bytes: ArraySlice<UInt8>) -> Int? {
    let offset: Int? = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, CInt(UInt8(ascii: "\n")), bytes.count)
      else { return nil }
      return start.distance(to: UnsafeRawPointer(found))
    }
    return offset.map { bytes.startIndex + $0 }
  }

  /// Ends the input. Remaining bytes are a line, too.
  package mutating func finish() {
    if !rest.isEmpty || isTooLong { endLine() }
  }

  package mutating func nextLine() -> ControlLine? {
    guard next < lines.count else {
      lines.removeAll(keepingCapacity: true)
      next = 0
      return nil
    }
    defer { next += 1 }
    return lines[next]
  }

  private mutating func extend(_ piece: ArraySlice<UInt8>) {
    isTooLong = isTooLong || rest.count + piece.count > maxLength
    if isTooLong { rest = [] } else { rest += piece }
  }

  private mutating func endLine() {
    lines.append(ControlLine(isTooLong ? nil : rest))
    rest.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}
