import Files

/// Puts a label before each line of an output. Only complete lines are returned, so that the lines
/// of several outputs do not mix.
struct LabelledLines {
  /// The longest part of a line that is kept. A longer line becomes several labelled lines.
  static let maxPiece = 1 << 16
  private static let lineFeed = UInt8(ascii: "\n")

  private let prefix: [UInt8]
  private var line: [UInt8] = []

  /// Makes the lines of an output. Without a label they stay as they are.
  init(_ label: String?) {
    prefix = label.map { Array("[\(DisplayText.safe($0))] ".utf8) } ?? []
  }

  mutating func add(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.maxPiece - line.count).prefix { $0 != Self.lineFeed }
      line += piece
      rest = rest.dropFirst(piece.count)
      if rest.first == Self.lineFeed {
        rest.removeFirst()
        output += completed()
      } else if line.count == Self.maxPiece, !rest.isEmpty {
        output += completed()
      }
    }
    return output
  }

  /// Returns the line that is not complete, with a line feed; nothing if there is none.
  mutating func finish() -> [UInt8] { line.isEmpty ? [] : completed() }

  private mutating func completed() -> [UInt8] {
    defer { line.removeAll(keepingCapacity: true) }
    return prefix + line + [Self.lineFeed]
  }
}
