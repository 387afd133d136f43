import Foundation
import Testing
import TextEdits
import Values

struct FoldingTests {
  private static func fold(_ text: String, _ folding: Folding = .all) -> String {
    String(decoding: folding.folded(text), as: UTF8.self)
  }

  @Test(arguments: [
    ("Ada LOVELACE 42!", "ada lovelace 42!"), ("Élodie Groß", "elodie gross"), ("STRASSE", "strasse"),
    ("ẞ", "ss"), ("Åse Øst", "ase øst"),
    ("İstanbul", "istanbul"),
    ("ısı", "ısı"), ("ΌΣΟΣ όσος", "οσοσ οσοσ"), ("Йод", "иод"), ("ﬁn", "fin"),
    ("Kelvin \u{212A}", "kelvin k"), ("漢字", "漢字"), ("각", "각"),
    ("Ngữ", "ngu"),
    ("e\u{301}\u{327}", "e"), ("\u{301}", ""), ("", ""), ("😀 A", "😀 a"), ("Ａ", "ａ"), ("कि", "कि"),
    ("Ą\0Ż", "a\0z"),
  ])
  func `folding removes case and accents`(_ text: String, _ expected: String) {
    #expect(FoldingTests.fold(text) == expected)
    #expect(FoldingTests.fold(text).utf8.elementsEqual(expected.utf8))
  }

  @Test func `case and accents fold separately`() {
    #expect(FoldingTests.fold("Él", .letterCase).utf8.elementsEqual("él".utf8))
    #expect(FoldingTests.fold("Él", .accents) == "El")
    #expect(FoldingTests.fold("Él", []).utf8.elementsEqual("Él".utf8))
    #expect(!FoldingTests.fold("e\u{301}", .letterCase).utf8.elementsEqual("é".utf8))
  }

  @Test(arguments: ["Élodie", "각 한국어 가", "Ångström ṩ ǖ Ệ", "ΐ ᾳ", "が Йй", "ÀÉÎÕÜ ñ ç"])
  func `composed and decomposed strings fold to the same bytes`(_ text: String) {
    #expect(
      Folding.all.folded(text.decomposedStringWithCanonicalMapping)
        == Folding.all.folded(text.precomposedStringWithCanonicalMapping))
    #expect(
      Folding.accents.folded(text.decomposedStringWithCanonicalMapping)
        == Folding.accents.folded(text.precomposedStringWithCanonicalMapping))
  }

  @Test func `jamo that form no syllable remain`() {
    #expect(Folding.all.folded("\u{1100}") == Array("\u{1100}".utf8))
    #expect(Folding.all.folded("\u{1161}\u{11A8}") == Array("\u{1161}\u{11A8}".utf8))
    #expect(Folding.all.folded("가\u{11A8}") == Array("각".utf8))
    #expect(Folding.all.folded("각\u{11A8}") == Array("각\u{11A8}".utf8))
  }

  @Test func `bytes that are not UTF-8 remain`() {
    let bytes: [UInt8] = [0x41, 0xFF, 0xC3, 0x41, 0xE2, 0x82, 0xED, 0xA0, 0x80, 0xC0, 0x80, 0xF8, 0xC3]
    var folded: [UInt8] = []
    bytes.withUnsafeBytes { Folding.all.fold($0, into: &folded) }
    #expect(folded == [0x61, 0xFF, 0xC3, 0x61, 0xE2, 0x82, 0xED, 0xA0, 0x80, 0xC0, 0x80, 0xF8, 0xC3])
  }

  @Test func `folding a folded string changes nothing`() {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = Folding.all.folded(String(scalar))
      if once != Folding.all.folded(String(decoding: once, as: UTF8.self)) {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func `capital letters fold as their small letters`() {
    for value in UInt32(0)...0x1_FFFF {
      guard let scalar = Unicode.Scalar(value), scalar != "İ" else { continue }
      let text = String(scalar)
      if Folding.letterCase.folded(text) != Folding.letterCase.folded(scalar.properties.lowercaseMapping) {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func `many threads can fill one table`() async {
    let text = String(String.UnicodeScalarView((UInt32(0x80)..<0x3000).compactMap(Unicode.Scalar.init)))
    let results = await withTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<8 { group.addTask { Folding.all.folded(text) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results).count == 1)
  }
}
