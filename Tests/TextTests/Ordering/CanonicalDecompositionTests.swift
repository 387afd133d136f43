import Foundation
import TestSupport
import Testing

@testable import Values

/// Foundation, which only the tests link, is the oracle.
struct CanonicalDecompositionTests {
  private static func scalars() -> [Unicode.Scalar] { (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init) }

  private static func values(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test func `each scalar is decomposed as by Foundation`() {
    // In one string, because a call for each scalar would take seconds.
    let isHangul = { (scalar: Unicode.Scalar) in (0xAC00..<0xD7A4).contains(scalar.value) }
    let scalars = Self.scalars().filter {
      !isHangul($0) && $0.properties.canonicalCombiningClass == .notReordered
    }
    let whole = String(String.UnicodeScalarView(scalars))
    let expected = Self.values(whole.decomposedStringWithCanonicalMapping)
    #expect(expected.count > scalars.count)
    #expect(scalars.flatMap(\.canonicalDecomposition).map(\.value) == expected)
    let marks = Self.scalars().filter { $0.properties.canonicalCombiningClass != .notReordered }
    for mark in marks {
      let found = mark.canonicalDecomposition.map(\.value)
      if found != Self.values(String(mark).decomposedStringWithCanonicalMapping) {
        Issue.record("U+\(String(mark.value, radix: 16))")
      }
    }
  }

  @Test func `each scalar is composed as by Foundation`() {
    for start in stride(from: UInt32(0), to: 0x30000, by: 64) {
      let scalars = (start..<start + 64).compactMap(Unicode.Scalar.init)
      // The digits keep a scalar apart from the next one.
      let text = scalars.map { "\($0)1" }.joined()
      if Self.values(text.precomposed) != Self.values(text.precomposedStringWithCanonicalMapping) {
        Issue.record("U+\(String(start, radix: 16))…")
      }
    }
  }

  /// Letters, marks and jamo that combine in many ways. There are no final consonants, some of which
  /// Foundation does not compose with the syllable before.
  private static let pool: [Unicode.Scalar] =
    Array("aAeEoOuUsdqкИαΩ가각ᄀᄁ하".unicodeScalars) + (0x300...0x34F).compactMap(Unicode.Scalar.init)
    + [0x1161, 0x1175, 0x5D0, 0x5B0, 0x5BC, 0x9C7, 0x9BE, 0x9D7, 0x3099, 0x304B, 0x1D157, 0x1D165]
    .compactMap(Unicode.Scalar.init)

  @Test(arguments: Randomness.seeds(4)) func `random strings are composed as by Foundation`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let scalars = (0...random.below(8)).map { _ in random.one(of: Self.pool) }
      let text = String(String.UnicodeScalarView(scalars))
      let (found, expected) = (
        Self.values(text.precomposed), Self.values(text.precomposedStringWithCanonicalMapping)
      )
      #expect(text.precomposed == text)
      if found != expected {
        Issue.record("\(scalars.map(\.value)) gives \(found), not \(expected); \(seedNote(seed))")
      }
    }
  }

  @Test func `each final consonant is composed with the syllable before it`() {
    let finals = (UInt32(1)..<28).compactMap { Unicode.Scalar(0x11A7 + $0) }
    #expect(finals.map { Self.values("가\($0)".precomposed) } == (1..<28).map { [0xAC00 + $0] })
    #expect(Self.values("각\u{11A8}".precomposed) == [0xAC01, 0x11A8])
  }

  @Test func `many marks do not take quadratic time`() {
    let marks = String(repeating: "\u{301}\u{327}", count: 100_000)
    #expect("e\(marks)".precomposed.unicodeScalars.count == 200_000)
  }
}
