import PlainStore
import Sinks

/// The lines of one view that wait until the client has room. Each is made when it is sent.
struct ViewOutput {
  /// One line of a stream.
  struct Line {
    /// The line, in pieces.
    let pieces: OutputPieces
    /// The token that the client has once the line was sent; nil for a line without one.
    let token: String?
  }

  /// Some lines that were added together.
  private struct Batch {
    let pieces: OutputPieces
    /// True if each piece is a line.
    let hasLines: Bool
    let token: String?
    var next = 0
  }

  private var batches: [Batch] = []

  /// True if no line waits.
  var isEmpty: Bool { batches.isEmpty }

  /// The number of lines that wait; the parts of a list count as one.
  var count: Int { batches.count }

  /// Adds a line.
  mutating func add(_ line: [UInt8], token: String? = nil) { add(OutputPieces(line), token: token) }

  /// Adds a line in pieces.
  mutating func add(_ line: OutputPieces, token: String?) {
    batches.append(Batch(pieces: line, hasLines: false, token: token))
  }

  /// Adds lines, the last of which has a token.
  mutating func add(lines: OutputPieces, token: String) {
    if lines.count > 0 { batches.append(Batch(pieces: lines, hasLines: true, token: token)) }
  }

  /// Removes and returns the next line; nil if there is none.
  mutating func next() -> Line? {
    guard var batch = batches.first else { return nil }
    guard batch.hasLines else {
      batches.removeFirst()
      return Line(pieces: batch.pieces, token: batch.token)
    }
    let number = batch.next
    batch.next += 1
    let isLast = batch.next == batch.pieces.count
    if isLast { batches.removeFirst() } else { batches[0] = batch }
    return Line(pieces: OutputPieces(1) { [pieces = batch.pieces] _ in pieces[number] }, token: isLast ? batch.token : nil)
  }
}
