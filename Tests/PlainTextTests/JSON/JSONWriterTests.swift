import TestSupport
import Testing

@testable import PlainText

@Suite struct JSONWriterTests {
  @Test func `a number that JSON does not have is written as a string`() {
    #expect(JSONWriter.text(of: .number(.double(.nan))) == #"".nan""#)
    #expect(JSONWriter.text(of: .number(.double(-.infinity))) == #""-.inf""#)
    #expect(JSONWriter.text(of: .number(.literal("1e400"))) == "1e400")
  }

  @Test func `characters that control a terminal are escaped`() {
    let text = "\u{1B}[31m\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}\r\n\t\"\\é\u{A0}\u{2027}\u{2065}😀"
    #expect(
      JSONWriter.text(of: .string(text))
        == #""\u001b[31m\u007f\u009b\u2028\u202e\u2066\r\n\t\"\\é"# + "\u{A0}\u{2027}\u{2065}😀\"")
  }

  @Test func `a written value reads back as the same value`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let value = RandomValue.make(using: &generator)
      #expect(try read(JSONWriter.text(of: value), as: .json) == value, "\(seedNote(seed))")
    }
  }
}
