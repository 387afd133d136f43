import TestSupport
import Testing
import Values

@testable import Browse

@Suite struct DocumentLinesTests {
  private func texts(_ lines: DocumentLines, from first: Int = 0) -> [String] {
    var texts: [String] = []
    lines.forEachLine(from: first) { line in
      texts.append(lines.text(of: line.range).text)
      return true
    }
    return texts
  }

  @Test func `lines end with LF or CRLF`() {
    #expect(texts(DocumentLines(Array("a\r\nb\nc".utf8), as: .yaml)) == ["a", "b", "c"])
  }

  @Test func `an LF at the end begins no further line`() {
    #expect(texts(DocumentLines(Array("a\n\n".utf8), as: .yaml)) == ["a", ""])
  }

  @Test func `an empty file has no lines`() {
    #expect(DocumentLines([], as: .yaml).count == 0)
    #expect(DocumentLines([], as: .yaml).line(containing: 0) == 0)
  }

  @Test func `a byte order mark is not shown`() {
    #expect(texts(DocumentLines([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8), as: .yaml)) == ["a: 1"])
  }

  @Test func `a long line is cut between two characters`() {
    let text = "x" + String(repeating: "é", count: DocumentLines.maxShown)
    let lines = DocumentLines(Array(text.utf8), as: .plain)
    let (shown, hidden) = lines.text(of: 0..<text.utf8.count)
    #expect(shown.utf8.count == DocumentLines.maxShown - 1)
    #expect(shown.utf8.count + hidden == text.utf8.count)
    #expect(!shown.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test func `bytes that are not UTF-8 are replaced`() {
    #expect(texts(DocumentLines([0xFF, 0x0A, 0x80, 0x80, 0x80], as: .yaml)).first == "\u{FFFD}")
  }

  @Test func `each line is found by its number and by its bytes`() throws {
    let lengths = (0..<2_000).map { $0 % 97 == 0 ? 30_000 : $0 % 40 }
    let bytes = lengths.flatMap { Array(repeating: UInt8(ascii: "-"), count: $0) + [0x0A] }
    let lines = DocumentLines(bytes, as: .markdown)
    #expect(lines.count == lengths.count)
    var start = 0
    for (index, length) in lengths.enumerated() {
      if index % 7 == 0 {
        #expect(lines.range(ofLine: index) == start..<start + length)
        #expect(lines.line(containing: start + length / 2) == index)
      }
      start += length + 1
    }
    #expect(lines.range(ofLine: lengths.count) == nil)
    #expect(lines.range(ofLine: -1) == nil)
  }

  @Test func `a line has the same state wherever the window begins`() {
    let pieces = ["---", "a: |", "  text", "b: 'x", "y'", "```", "# t", "<!--", "-->", "...", "", "- \"q", "end\"", "[1, 2", "]"]
    for seed in Randomness.seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<600).map { _ in generator.oneIn(9) ? generator.hostileText() : generator.one(of: pieces) }.joined(separator: "\n")
      for language in [TextLanguage.yaml, .json, .markdown, .difference, .plain] {
        let lines = DocumentLines(Array(text.utf8), as: language)
        var all: [DocumentLines.Line] = []
        lines.forEachLine(from: 0) { line in
          all.append(line)
          return true
        }
        #expect(all.count == lines.count, "\(seedNote(seed))")
        let first = generator.below(max(lines.count, 1))
        var rest: [DocumentLines.Line] = []
        lines.forEachLine(from: first) { line in
          rest.append(line)
          return true
        }
        #expect(rest == Array(all.dropFirst(first)), "\(seedNote(seed))")
      }
    }
  }
}
