@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite struct SearchHighlighterTests {
  private func parts(
    _ search: String, _ text: String, of field: FieldPath? = nil, in fields: [FieldPath] = []
  ) -> [String] {
    SearchHighlighter(FetchRequest(search: search, searchFields: fields)).ranges(in: text, of: field).map {
      String(text[$0])
    }
  }

  @Test(arguments: [
    ("ada lov", "Ada Lovelace", ["Ada", "Lov"]), ("GROSS", "Ein Groß", ["Groß"]), ("s", "ß", ["ß"]),
    ("cafe", "Cafe\u{301}s", ["Cafe\u{301}"]),
    ("é", "e E É", ["e", "E", "É"]), ("an nan", "banana", ["anan"]), ("x", "Ada", []), ("", "Ada", []),
    ("a", "", []), (" \n ", "Ada", []),
    ("日本", "東京 日本", ["日本"]), ("b", "a\r\nb", ["b"]),
    ("각", "각\u{1100}\u{1161}\u{11A8}", ["각\u{1100}\u{1161}\u{11A8}"]),
  ])
  func `the matches of each word are found as the search finds them`(
    _ search: String, _ text: String, _ expected: [String]
  ) {
    #expect(parts(search, text) == expected)
  }

  @Test func `a word of marks alone highlights nothing`() {
    #expect(parts("\u{301}", "Ada") == [])
    #expect(SearchHighlighter(FetchRequest(search: "\u{301}")).isEmpty)
  }

  @Test func `a field that is not searched has no matches`() {
    #expect(parts("ada", "Ada", of: "name", in: ["title"]) == [])
    #expect(parts("ada", "Ada", of: "name", in: ["name"]) == ["Ada"])
    #expect(parts("ada", "Ada", of: "address.city", in: ["address"]) == ["Ada"])
    #expect(parts("ada", "Ada", of: "address", in: ["address.city"]) == ["Ada"])
    #expect(parts("ada", "Ada", of: "@modified") == [])
    #expect(parts("ada", "Ada", of: "@id") == ["Ada"])
    #expect(parts("ada", "Ada", of: "name") == ["Ada"])
  }

  @Test(arguments: Randomness.seeds(300))
  func `a text has matches exactly if the search finds one of the words`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = generator.hostileText()
    let scalars = Array(text.unicodeScalars)
    let start = generator.below(scalars.count + 1)
    var word = String.UnicodeScalarView()
    word.append(contentsOf: scalars[start..<min(scalars.count, start + 1 + generator.below(3))])
    let highlighter = SearchHighlighter(
      FetchRequest(search: generator.oneIn(3) ? generator.hostileText() : String(word)))
    let ranges = highlighter.ranges(in: text)
    var folded = FoldedText()
    Array(text.utf8).withUnsafeBytes { folded.append($0) }
    let words = ItemFilter.words(of: String(word)).filter { !$0.bytes.isEmpty }
    if highlighter.description
      == words.map({ String(decoding: $0.bytes, as: UTF8.self) }).joined(separator: " ")
    {
      let isFound = words.contains { folded.contains($0) }
      #expect(ranges.isEmpty != isFound, "\(seedNote(seed))")
    }
    for (range, next) in zip(ranges, ranges.dropFirst()) {
      #expect(range.upperBound < next.lowerBound, "\(seedNote(seed))")
    }
    #expect(ranges.allSatisfy { !$0.isEmpty }, "\(seedNote(seed))")
  }
}
