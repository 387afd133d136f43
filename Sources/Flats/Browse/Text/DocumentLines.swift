/// The lines of a file, with the places of some of them, so that the lines of a window cost as much
/// as the window, whatever the size of the file.
///
/// A line ends with LF; a CR before it is not shown. A byte order mark is not shown.
struct DocumentLines {
  let bytes: [UInt8]
  /// The styles of the file, from its first byte. What follows the last one is plain.
  let spans: [TextSpan]
  /// The number of lines. An empty file has none.
  let count: Int
  private let checkpoints: [Checkpoint]

  private typealias Checkpoint = (line: Int, offset: Int)

  /// The number of a line, from 0, and its bytes without its end.
  typealias Line = (index: Int, range: Range<Int>)

  static let maxShown = 16 << 10
  /// The distance of two checkpoints: one of both is reached.
  private static let spacing = (lines: 256, bytes: 16 << 10)
  init(_ bytes: [UInt8], _ spans: [TextSpan] = []) {
    var found: [Checkpoint] = []
    let count = bytes.withUnsafeBytes { raw in
      var line = 0
      var offset = DocumentLines.markLength(raw)
      while offset < raw.count {
        if found.last.map({
          line - $0.line >= DocumentLines.spacing.lines || offset - $0.offset >= DocumentLines.spacing.bytes
        }) ?? true {
          found.append((line, offset))
        }
        line += 1
        offset = DocumentLines.end(of: raw, from: offset) + 1
      }
      return line
    }
    self.bytes = bytes
    self.spans = spans
    self.count = count
    checkpoints = found
  }

  func forEachLine(from first: Int, _ body: (Line) -> Bool) {
    guard first >= 0, first < count, let checkpoint = checkpoint({ $0.line <= first }) else { return }
    bytes.withUnsafeBytes { raw in
      var line = checkpoint.line
      var offset = checkpoint.offset
      while offset < raw.count {
        let end = DocumentLines.end(of: raw, from: offset)
        let range = offset..<offset + DocumentLines.text(raw, offset..<end).count
        if line >= first, !body((line, range)) { return }
        line += 1
        offset = end + 1
      }
    }
  }

  /// Returns the spans of a line or a part of it, from the start of `range`.
  func spans(of range: Range<Int>) -> [TextSpan] {
    var found: [TextSpan] = []
    for span in spans[spans.prefixCount { $0.end <= range.lowerBound }...] where !range.isEmpty {
      found.append(TextSpan(end: min(span.end, range.upperBound) - range.lowerBound, style: span.style))
      if span.end >= range.upperBound { break }
    }
    return found
  }

  func range(ofLine index: Int) -> Range<Int>? {
    guard index >= 0, index < count, let checkpoint = checkpoint({ $0.line <= index }) else { return nil }
    return bytes.withUnsafeBytes { raw in
      var line = checkpoint.line
      var start = checkpoint.offset
      while true {
        let end = DocumentLines.end(of: raw, from: start)
        if line == index { return start..<start + DocumentLines.text(raw, start..<end).count }
        line += 1
        start = end + 1
      }
    }
  }

  func line(containing offset: Int) -> Int {
    guard let checkpoint = checkpoint({ $0.offset <= offset }) else { return 0 }
    return bytes.withUnsafeBytes { raw in
      var line = checkpoint.line
      var start = checkpoint.offset
      while true {
        let end = DocumentLines.end(of: raw, from: start)
        if offset <= end || end + 1 >= raw.count { return line }
        line += 1
        start = end + 1
      }
    }
  }

  func text(of line: Range<Int>) -> (text: String, hidden: Int) {
    var end = line.upperBound
    if line.count > DocumentLines.maxShown {
      end = line.lowerBound + DocumentLines.maxShown
      // Not inside a character, which has at most four bytes.
      for _ in 0..<3 where bytes[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return (String(decoding: bytes[line.lowerBound..<end], as: UTF8.self), line.upperBound - end)
  }

  private func checkpoint(_ isBefore: (Checkpoint) -> Bool) -> Checkpoint? {
    let count = checkpoints.prefixCount(where: isBefore)
    return count > 0 ? checkpoints[count - 1] : nil
  }

  private static func end(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
  }

  private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    let isReturned = range.last.map { bytes[$0] == 0x0D } ?? false
    return UnsafeRawBufferPointer(rebasing: bytes[isReturned ? range.dropLast() : range])
  }

  private static func markLength(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
