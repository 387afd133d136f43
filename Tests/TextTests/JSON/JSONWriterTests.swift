import TestSupport
import Testing

@testable import Values

@Suite struct JSONWriterTests {
  @Test func `a number that JSON does not have is written as a string`() {
    #expect(JSONWriter.text(of: .number(.double(.nan))) == #"".nan""#)
    #expect(JSONWriter.text(of: .number(.double(-.infinity))) == #""-.inf""#)
    #expect(JSONWriter.text(of: .number(.literal("1e400"))) == "1e400")
  }

  @Test func `characters that control a terminal are escaped`() {
    let text =
      "\u{1B}[31m\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}\u{200B}\u{200F}\u{206F}\r\n\t\"\\é\u{A0}\u{2027}\u{200D}\u{205F}😀"
    #expect(
      JSONWriter.text(of: .string(text))
        == #""\u001b[31m\u007f\u009b\u2028\u202e\u2066\u200b\u200f\u206f\r\n\t\"\\é"#
        + "\u{A0}\u{2027}\u{200D}\u{205F}😀\"")
  }

  @Test func `a written value reads back as the same value`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let value = RandomValue.make(using: &generator)
      #expect(try read(JSONWriter.text(of: value), as: .json) == value, "\(seedNote(seed))")
    }
  }

  @Test func `a packed value is written as its tree is`() {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let value = RandomValue.make(using: &generator)
      let packed = PackedValue(value)
      var (writer, expected) = (JSONWriter(), JSONWriter())
      writer.write(packed)
      expected.write(packed.value)
      #expect(writer.text == expected.text, "\(seedNote(seed))")
      #expect(writer.nonFiniteCount == expected.nonFiniteCount, "\(seedNote(seed))")
    }
  }

  @Test(arguments: Randomness.seeds(200))
  func `each character is escaped by itself, wherever it is in a long string`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let scalars: [Unicode.Scalar] = [
      "\"", "\\", "\n", "\u{1}", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{2027}", "\u{2028}", "\u{202E}",
      "\u{202F}",
      "\u{205F}", "\u{2060}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2010}", "\u{206F}", "\u{2070}",
      "\u{2066}", "\u{206A}", "\u{E9}", "\u{BD}", "\u{2019}", "\u{1F600}", "\u{FFFD}",
    ]
    let string: [Unicode.Scalar] = (0..<generator.below(80)).map { _ in
      generator.oneIn(4) ? generator.one(of: scalars) : "a"
    }
    let text = String(String.UnicodeScalarView(string))
    let written = JSONWriter.text(of: .string(text))
    let parts: [String] = string.map {
      String(JSONWriter.text(of: .string(String($0))).dropFirst().dropLast())
    }
    let expected: String = "\"" + parts.joined() + "\""
    #expect(written == expected, "\(seedNote(seed))")
    let readBack = try read(written, as: .json)
    #expect(readBack == .string(text), "\(seedNote(seed))")
  }
}
