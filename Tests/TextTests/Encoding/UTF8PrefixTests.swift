import TestSupport
import Testing

@testable import Values

@Suite struct UTF8PrefixTests {
  @Test func `the check agrees with the standard library`() {
    let pieces: [[UInt8]] = [
      [0x61], [0x7F], Array("é".utf8), Array("€".utf8), Array("😀".utf8), [0x80], [0xC0, 0x80], [0xC2],
      [0xE0, 0x80, 0x80],
      [0xED, 0xA0, 0x80], [0xEF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xFE], [0xED, 0x9F, 0xBF],
      [0xF4, 0x8F, 0xBF, 0xBF],
      Array("eight by".utf8),
    ]
    for seed in Randomness.seeds(3_000) {
      var generator = SeededGenerator(seed: seed)
      let bytes = (0..<generator.below(12)).flatMap { _ in
        generator.oneIn(2) ? [0x61] : generator.one(of: pieces)
      }
      let prefix = bytes.withUnsafeBytes { UTF8Prefix(of: $0) }
      #expect(
        (prefix.count == bytes.count) == (String(validating: bytes, as: UTF8.self) != nil),
        "\(seedNote(seed))")
      #expect(String(validating: bytes[..<prefix.count], as: UTF8.self) != nil, "\(seedNote(seed))")
      #expect(
        prefix.isASCII == bytes[..<min(prefix.count + 1, bytes.count)].allSatisfy { $0 < 0x80 },
        "\(seedNote(seed))")
    }
  }

  @Test func `the check finds control characters and special characters`() {
    let usual = ["a", "eight by", "\t", "\n", "é", "\u{A0}", "\u{2027}", "\u{FEFE}", "\u{FFFD}", "😀", "日本"]
    let special = [
      "\0", "\u{8}", "\u{B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}", "\u{9F}", "\u{2028}", "\u{2029}",
      "\u{FEFF}", "\u{FFFE}", "\u{FFFF}",
    ]
    for seed in Randomness.seeds(2_000) {
      var generator = SeededGenerator(seed: seed)
      let pieces = (0..<generator.below(12)).map { _ in
        generator.oneIn(20)
          ? generator.one(of: special) : generator.oneIn(20) ? "\r" : generator.one(of: usual)
      }
      let text = Array(pieces.joined().utf8)
      let prefix = text.withUnsafeBytes { UTF8Prefix(of: $0) }
      #expect(prefix.hasSpecialCharacters == pieces.contains { special.contains($0) }, "\(seedNote(seed))")
      #expect(prefix.hasCarriageReturns == pieces.contains("\r"), "\(seedNote(seed))")
    }
  }
}
