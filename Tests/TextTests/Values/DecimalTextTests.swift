import TestSupport
import Testing

@testable import Values

@Suite struct DecimalTextTests {
  @Test func `only decimal numbers are parsed`() {
    for text in ["", "-", ".", "e1", "1e", "1e+", "0x1", "1 ", " 1", "1_0", "inf", "nan", "1.2.3", "++1"] {
      #expect(Array(text.utf8).withUnsafeBytes { DecimalText($0) == nil }, "\(text)")
    }
  }

  @Test func `a decimal number is written as in JSON`() {
    for (text, json) in [
      ("+1", "1"), ("-007", "-7"), ("000", "0"), (".5", "0.5"), ("1.", "1"), ("-.5e+1", "-0.5e+1"),
      ("01.50E2", "1.50E2"),
    ] {
      #expect(Array(text.utf8).withUnsafeBytes { DecimalText($0)?.json } == Array(json.utf8), "\(text)")
    }
  }

  @Test func `integers agree with the standard library`() {
    for seed in Randomness.seeds(1_000) {
      var generator = SeededGenerator(seed: seed)
      let digits = (0..<1 + generator.below(22)).map { _ in String(generator.below(10)) }.joined()
      let text = generator.one(of: ["", "-", "+"]) + digits
      #expect(Array(text.utf8).withUnsafeBytes { DecimalText($0)?.int } == Int(text), "\(seedNote(seed))")
    }
  }
}
