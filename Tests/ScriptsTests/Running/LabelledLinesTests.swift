import TestSupport
import Testing

@testable import Scripts

@Suite struct LabelledLinesTests {
  private func label(_ chunks: [[UInt8]]) -> [UInt8] {
    var lines = LabelledLines("x")
    return chunks.flatMap { lines.add($0) } + lines.finish()
  }

  @Test(arguments: [
    ("a\n", "[x] a\n"), ("a\nb\n", "[x] a\n[x] b\n"), ("a", "[x] a\n"), ("\n", "[x] \n"),
    ("\n\n", "[x] \n[x] \n"), ("", ""),
    ("a\n\nb", "[x] a\n[x] \n[x] b\n"), ("a\r\n", "[x] a\r\n"),
  ])
  func `each line has the label, and the last one is completed`(text: String, output: String) {
    #expect(String(decoding: label([Array(text.utf8)]), as: UTF8.self) == output)
  }

  @Test func `a line is passed on when it is complete`() {
    var lines = LabelledLines("x")
    #expect(lines.add(Array("a".utf8)).isEmpty)
    #expect(lines.add(Array("b\nc".utf8)) == Array("[x] ab\n".utf8))
    #expect(lines.finish() == Array("[x] c\n".utf8))
    #expect(lines.finish().isEmpty)
    #expect(lines.add(Array("d\n".utf8)) == Array("[x] d\n".utf8))
  }

  @Test func `a long line becomes several`() {
    let piece = [UInt8](repeating: UInt8(ascii: "y"), count: LabelledLines.maxPiece)
    #expect(label([piece + [0x0A]]) == Array("[x] ".utf8) + piece + [0x0A])
    #expect(label([piece + piece]) == Array("[x] ".utf8) + piece + Array("\n[x] ".utf8) + piece + [0x0A])
  }

  @Test func `a label of a terminal's control characters is shown, not sent`() {
    var lines = LabelledLines("a\u{1B}[31m\nb")
    let line = lines.add(Array("x\n".utf8))
    #expect(!line.contains(0x1B))
    #expect(line.filter { $0 == 0x0A }.count == 1)
  }

  @Test func `any split of the bytes has the same result`() {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      var bytes: [UInt8] = []
      for _ in 0..<random.below(30) {
        let length = random.oneIn(6) ? LabelledLines.maxPiece - 2 + random.below(5) : random.below(20)
        bytes += [UInt8](repeating: 0x61, count: length) + (random.oneIn(5) ? [] : [0x0A])
      }
      var chunks: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = 1 + random.below(random.oneIn(2) ? 10 : rest.count)
        chunks.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(label(chunks) == label([bytes]), "\(seedNote(seed))")
    }
  }
}
