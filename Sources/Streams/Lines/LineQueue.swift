/// Lines that wait until their reader has room. Each is made when it is sent.
package struct LineQueue: Sendable {
  /// One line of a stream, or several that were added together.
  package struct Line: Sendable {
    package let pieces: OutputPieces
    /// The token that the reader has once this was sent; nil for a line without one.
    package let token: String?
    /// True if each piece is a line of its own, the last of which has the token.
    fileprivate var hasLines = false
    fileprivate var next = 0
  }

  private var lines: [Line] = []

  package init() {}

  package var isEmpty: Bool { lines.isEmpty }

  /// The number of lines that wait; the parts of a list count as one.
  package var count: Int { lines.count }

  package mutating func add(_ line: [UInt8], token: String? = nil) { add(OutputPieces(line), token: token) }

  package mutating func add(_ line: OutputPieces, token: String?) {
    lines.append(Line(pieces: line, token: token))
  }

  /// Adds lines, the last of which has a token.
  package mutating func add(lines new: OutputPieces, token: String) {
    if new.count > 0 { lines.append(Line(pieces: new, token: token, hasLines: true)) }
  }

  package mutating func next() -> Line? {
    guard let line = lines.first, line.hasLines else { return removeFirst() }
    lines[0].next += 1
    let isLast = line.next + 1 == line.pieces.count
    if isLast { lines.removeFirst() }
    return Line(pieces: OutputPieces(1) { _ in line.pieces[line.next] }, token: isLast ? line.token : nil)
  }

  /// Removes and returns everything that was added with the next line; nil if there is none. Not
  /// for a queue that `next()` is used with.
  mutating func removeFirst() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }
}
