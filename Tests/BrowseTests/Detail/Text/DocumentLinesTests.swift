import Terminal
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
    #expect(texts(DocumentLines(Array("a\r\nb\nc".utf8))) == ["a", "b", "c"])
  }

  @Test func `an LF at the end begins no further line`() {
    #expect(texts(DocumentLines(Array("a\n\n".utf8))) == ["a", ""])
  }

  @Test func `an empty file has no lines`() {
    #expect(DocumentLines([]).count == 0)
    #expect(DocumentLines([]).line(containing: 0) == 0)
  }

  @Test func `a byte order mark is not shown`() {
    #expect(texts(DocumentLines([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8))) == ["a: 1"])
  }

  @Test func `a long line is cut between two characters`() {
    let text = "x" + String(repeating: "é", count: DocumentLines.maxShown)
    let lines = DocumentLines(Array(text.utf8))
    let (shown, hidden) = lines.text(of: 0..<text.utf8.count)
    #expect(shown.utf8.count == DocumentLines.maxShown - 1)
    #expect(shown.utf8.count + hidden == text.utf8.count)
    #expect(!shown.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test func `bytes that are not UTF-8 are replaced`() {
    #expect(texts(DocumentLines([0xFF, 0x0A, 0x80, 0x80, 0x80])).first == "\u{FFFD}")
  }

  @Test func `each line is found by its number and by its bytes`() throws {
    let lengths = (0..<2_000).map { $0 % 97 == 0 ? 30_000 : $0 % 40 }
    let bytes = lengths.flatMap { Array(repeating: UInt8(ascii: "-"), count: $0) + [0x0A] }
    let lines = DocumentLines(bytes)
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

  @Test func `lines are the same wherever the window begins`() {
    for seed in Randomness.seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<600).map { _ in generator.oneIn(9) ? generator.hostileText() : "a: 1" }.joined(
        separator: "\n")
      let lines = DocumentLines(Array(text.utf8))
      let all = texts(lines)
      #expect(all.count == lines.count, "\(seedNote(seed))")
      let first = generator.below(max(lines.count, 1))
      #expect(texts(lines, from: first) == Array(all.dropFirst(first)), "\(seedNote(seed))")
    }
  }

  @Test func `the spans of a line are those of the file, cut at its ends`() {
    let spans = [
      TextSpan(end: 2, style: Style(.key)), TextSpan(end: 6, style: Style(.string)),
      TextSpan(end: 7, style: Style(.number)),
    ]
    let lines = DocumentLines(Array("abc\ndef\n\nghi".utf8), spans)
    #expect(
      lines.spans(of: 0..<3) == [
        TextSpan(end: 2, style: Style(.key)), TextSpan(end: 3, style: Style(.string)),
      ])
    #expect(
      lines.spans(of: 4..<7) == [
        TextSpan(end: 2, style: Style(.string)), TextSpan(end: 3, style: Style(.number)),
      ])
    #expect(lines.spans(of: 8..<8).isEmpty)
    #expect(lines.spans(of: 9..<12).isEmpty)
  }
}
