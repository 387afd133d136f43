/// Lines that wait until their reader has room. Each is made when it is sent.
package struct LineQueue: Sendable {
  /// One line of a stream, or several that were added together.
  package struct Line: Sendable {
    /// The bytes, in pieces.
    package let pieces: OutputPieces
    /// The token that the reader has once this was sent; nil for a line without one.
    package let token: String?
  }

  private struct Entry: Sendable {
    let line: Line
    /// True if each piece is a line of its own, the last of which has the token.
    let hasLines: Bool
    /// The piece to send next.
    var next = 0
  }

  private var entries: [Entry] = []

  package init() {}

  /// True if no line waits.
  package var isEmpty: Bool { entries.isEmpty }

  /// The number of lines that wait; the parts of a list count as one.
  package var count: Int { entries.count }

  /// Adds a line.
  package mutating func add(_ line: [UInt8], token: String? = nil) { add(OutputPieces(line), token: token) }

  /// Adds a line in pieces.
  package mutating func add(_ line: OutputPieces, token: String?) {
    entries.append(Entry(line: Line(pieces: line, token: token), hasLines: false))
  }

  /// Adds lines, the last of which has a token.
  package mutating func add(lines: OutputPieces, token: String) {
    if lines.count > 0 { entries.append(Entry(line: Line(pieces: lines, token: token), hasLines: true)) }
  }

  /// Removes and returns the next line; nil if there is none.
  package mutating func next() -> Line? {
    guard var entry = entries.first else { return nil }
    guard entry.hasLines else { return removeFirst() }
    let (number, pieces) = (entry.next, entry.line.pieces)
    entry.next += 1
    let isLast = entry.next == pieces.count
    if isLast { entries.removeFirst() } else { entries[0] = entry }
    return Line(pieces: OutputPieces(1) { _ in pieces[number] }, token: isLast ? entry.line.token : nil)
  }

  /// Removes and returns everything that was added with the next line; nil if there is none. Not
  /// for a queue that `next()` is used with.
  mutating func removeFirst() -> Line? { entries.isEmpty ? nil : entries.removeFirst().line }
}
