import Testing

@testable import Printing
@testable import Streams

struct LineBufferTests {
  private static func lines(_ pieces: [String], maximum: Int = 8) -> [ControlLine] {
    var buffer = LineBuffer(maxLength: maximum)
    var lines: [ControlLine] = []
    for piece in pieces {
      buffer.append(Array(piece.utf8)[...])
      while let line = buffer.nextLine() { lines.append(line) }
    }
    buffer.finish()
    while let line = buffer.nextLine() { lines.append(line) }
    return lines
  }

  private static func line(_ text: String) -> ControlLine { ControlLine(Array(text.utf8)) }

  @Test(
    arguments: [
      (["a\nb\n"], ["a", "b"]), (["a", "b\nc"], ["ab", "c"]), (["", "\n\n"], ["", ""]), ([], []),
      (["a\r\n"], ["a\r"]),
      (["12345678\n", "x"], ["12345678", "x"]),
    ] as [([String], [String])])
  func `pieces are joined to lines, and the rest is a line, too`(pieces: [String], lines: [String]) {
    #expect(Self.lines(pieces) == lines.map(Self.line))
  }

  @Test func `a line that is too long is replaced by a marker`() {
    let tooLong = ControlLine(nil)
    #expect(Self.lines(["123456789\na\n"]) == [tooLong, Self.line("a")])
    #expect(Self.lines(["12345", "6789", "0\na"]) == [tooLong, Self.line("a")])
    #expect(Self.lines(["a\n123456", "78901"]) == [Self.line("a"), tooLong])
  }
}
