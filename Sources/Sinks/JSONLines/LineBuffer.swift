/// Cuts bytes that come in pieces into lines. Linear, and bounded: of a line that is too long nothing is kept but that it was there.
package struct LineBuffer: Sendable {
  /// The most bytes that a line may have.
  package static let maximum = 1 << 20

  private let maximum: Int
  /// What came of the line that is not whole yet.
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var lines: [ControlLine] = []
  private var next = 0

  package init(maximum: Int = LineBuffer.maximum) {
    self.maximum = maximum
  }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = pieces.popLast()
    for piece in pieces {
      extend(piece)
      endLine()
    }
    if let last { extend(last) }
  }

  /// The input is over: what is left is a line, too.
  package mutating func finish() {
    if !rest.isEmpty || isTooLong { endLine() }
  }

  /// The next whole line; nil where there is none yet.
  package mutating func takeLine() -> ControlLine? {
    guard next < lines.count else {
      lines.removeAll(keepingCapacity: true)
      next = 0
      return nil
    }
    defer { next += 1 }
    return lines[next]
  }

  private mutating func extend(_ piece: some Collection<UInt8>) {
    isTooLong = isTooLong || rest.count + piece.count > maximum
    if isTooLong { rest = [] } else { rest += piece }
  }

  private mutating func endLine() {
    lines.append(ControlLine(isTooLong ? nil : rest))
    rest.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}
