import DiffableSnapshot
import Files
import HashTreeCollections
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// A search in the corpus finds what a test of each item finds.
struct SearchCorpusTests {
  private static let texts = [
    "Ada Lovelace", "Élodie Groß", "GROSSE ẞ", "Zürich", "cafe\u{301} au lait", "한국어",
    "\u{1112}\u{1161}\u{11AB}", "ΣΊΣΥΦΟΣ ς", "ıİ i",
    "a\u{300}\u{316}b", "100% \"q\" \\ \n\t", "2024-11-01", "2024-11-01T10:00:00Z", "👩‍👩‍👧 ✈️", "", "ﬁ", "naïve",
    "\u{FF}\u{0}x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaab", "中文 字",
  ]

  private static func item(_ random: inout SeededGenerator, _ number: Int) -> Item {
    var fields: Fields = [
      "title": .string(random.one(of: texts)), "rating": .number(.integer(random.below(5))),
    ]
    if random.oneIn(2) {
      let tags: [Value] = (0..<random.below(3)).map { _ in .string(random.one(of: ["red", "Rød", "blue"])) }
      fields["tags"] = .list(tags)
    }
    if random.oneIn(2) {
      fields["at"] = PackedValue(.string(random.one(of: ["2024-11-01", "2023-02-30", "1e3"]))).value
    }
    for key in ["name", "label", "body"] where random.oneIn(3) {
      fields[key] = random.one(of: [
        .string(random.one(of: texts)), .list([.string(random.one(of: texts))]), .null, .string(""),
        .number(.integer(random.below(30))),
      ])
    }
    if random.oneIn(5) { fields["title"] = random.one(of: [.null, .string(""), .list([.string("Ada")])]) }
    if random.oneIn(3) {
      let elements: [Value] = [.number(.double(1.5)), .bool(true), .null, .string(random.one(of: texts))]
      fields["deep"] = .map(["a": .list(elements)])
    }
    return .sample(RelativePath(bytes: "\(random.one(of: ["é", "e", "n"]))/item-\(number).yaml".utf8), fields)
  }

  /// Returns a part of a text as a person may type it.
  private static func word(_ random: inout SeededGenerator) -> String {
    let text = Array(random.one(of: texts + ["item-1", "true", "1.5", "rød", "zz"]).unicodeScalars)
    let start = random.below(text.count + 1)
    let word = String(String.UnicodeScalarView(text[start..<min(text.count, start + 1 + random.below(4))]))
    return random.oneIn(2) ? word.uppercased() : word
  }

  /// Returns a query with several terms as a person may type it.
  private static func query(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0...random.below(4) {
      let word = random.oneIn(4) ? random.one(of: ["a", "e", "i", "ro", "19"]) : word(&random)
      let field = random.one(of: ["title", "name", "tags", "deep.a", "@dir", "@id", "missing"])
      text += random.one(of: ["", "", "", "-", "NOT ", "(", "-("])
      text += random.one(of: [
        word, word, "\"\(word)\"", "\(word)*", "~\(word)", "\(field):\(word)", "\(field):\"\(word)\"*",
        "has:\(field)", "rating:>=\(random.below(5))", "\(field):=\(word)",
      ])
      text += random.one(of: [" ", " ", " OR ", ") ", ") OR "])
    }
    return text
  }

  /// Returns the request after the next key or another change.
  private static func next(_ request: FetchRequest, _ random: inout SeededGenerator) throws -> FetchRequest {
    var request = request
    switch random.below(14) {
    case 10...12: request.query = SearchQuery(typed: query(&random))
    case 13:
      if random.oneIn(2) { request.query = nil }
      request.sortsByRelevance.toggle()
    case 0...3: request.search += word(&random)
    case 4, 5: request.search = String(request.search.unicodeScalars.dropLast(1 + random.below(2)))
    case 6: request.search += " \(word(&random))"
    case 7: request.search = random.oneIn(2) ? "" : word(&random)
    case 8: request.predicate = random.oneIn(2) ? nil : ItemPredicate("rating > \(random.below(4))")
    default: request.searchFields = random.one(of: [[], ["title"], ["tags", "@id"]])
    }
    return request
  }

  @Test(arguments: Randomness.seeds(30))
  func `a search in the corpus finds what a test of each item finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var items: [Item.ID: Item] = [:]
    for number in 0..<60 {
      let item = SearchCorpusTests.item(&random, number)
      items[item.id] = item
    }
    var request = FetchRequest(section: random.oneIn(3) ? SectionDescriptor("tags", by: .element) : nil)
    var index = ListIndex(
      StoreState(Array(items.values)), request: request, filter: ItemFilter(request, context: .now),
      minCorpusItems: 1)
    var corpora = 0
    for round in 0..<25 {
      if random.oneIn(4) {
        var changed: Set<Item.ID> = []
        for _ in 0..<1 + random.below(3) {
          let item = SearchCorpusTests.item(&random, random.below(70))
          items[item.id] = random.oneIn(3) ? nil : item
          changed.insert(item.id)
        }
        _ = index.update(changed, of: StoreState(Array(items.values)))
      } else {
        request = try SearchCorpusTests.next(request, &random)
        index.show(request, of: StoreState(Array(items.values)), filter: ItemFilter(request, context: .now))
      }
      if index.shared.hasTexts { corpora += 1 }
      var text = FoldedText()
      let filter = ItemFilter(request, context: .now)
      let expected = Set(items.values.filter { filter.fits(ItemFields($0), &text) }.map(\.id))
      let found = Set(index.shown.itemIdentifiers.map(\.item))
      #expect(found == expected, "round \(round), \(request); \(seedNote(seed))")
      let other = ListIndex(
        StoreState(Array(items.values)), request: request, filter: filter, minCorpusItems: .max)
      let isInOrder = index.shown.itemIdentifiers == other.shown.itemIdentifiers
      #expect(isInOrder, "round \(round), \(request); \(seedNote(seed))")
      if found != expected || !isInOrder { return }
    }
    #expect(corpora > 0)
  }

  @Test func `a pattern of names is found in the texts exactly where the predicate finds it`() throws {
    let texts = ["~ab", "~cd", "~ef", "~gh", "~ij", "~kl", "~12", "~\"\u{301}\""]
    let queries = texts.map { SearchQuery(typed: $0) }
    let defaults: Fields = ["label": "e f", "subject": .list(["g h"]), "note": "i j"]
    let reader = FieldReader(ModelFields(defaults: defaults))
    let items: [Item] = [
      .sample("k-l.yaml", ["title": "a-b", "name": "c-d"]), .sample("2.yaml", ["name": "a b", "label": "x"]),
      .sample("3.yaml", ["title": .list(["a b"]), "name": 12, "body": "c d", "subject": .null]),
      .sample("4.yaml", ["title": "", "subject": "a", "tags": .list(["b"])]),
    ]
    for query in queries {
      let request = FetchRequest(query: query)
      let filter = ItemFilter(request, context: .now)
      for item in items {
        let fields = reader.fields(of: item)
        var text = FoldedText()
        fields.appendTexts(to: &text)
        guard case .and(let conditions) = filter.textPredicate(asking: []) else { continue }
        switch conditions.first {
        case .names(let pattern)?:
          let isFound = text.withBytes { TextPredicate.test(names: pattern)($0) }
          #expect(isFound == filter.fitsPredicate(fields), "\(query) in \(item)")
        default: #expect(query.text == "~\"\u{301}\"")
        }
      }
    }
  }

  @Test func `texts that are too large have no corpus`() {
    let items = [Item.sample("a.yaml", ["n": "123"]), .sample("b.yaml", ["n": "456"])]
    let rows = ListIndex(
      StoreState(items), request: FetchRequest(), filter: ItemFilter(FetchRequest(), context: .now)
    ).all
    let searched = SearchedText(fields: [])
    func corpus(_ maxSize: Int) -> SearchCorpus? {
      SearchCorpus(of: rows, hasOccurrences: false, StoreState(items), searched, maxSize: maxSize)
    }
    // The id and the number, each with the byte after it, and the ends of two parts and of the names.
    #expect(corpus(17) == nil)
    #expect(corpus(18) != nil)
  }

  @Test func `a corpus with many old texts is made again`() throws {
    var request = FetchRequest(search: "x")
    var items: [Item.ID: Item] = [:]
    for number in 0..<16 {
      items["\(number)"] = .sample(RelativePath(bytes: "\(number).yaml".utf8), ["n": "x"])
    }
    var index = ListIndex(
      StoreState(Array(items.values)), request: FetchRequest(),
      filter: ItemFilter(FetchRequest(), context: .now), minCorpusItems: 1)
    index.show(request, of: StoreState(Array(items.values)), filter: ItemFilter(request, context: .now))
    #expect(index.shared.hasTexts)
    var edits = 0
    while index.shared.hasTexts, edits < 2 * SearchCorpus.minAddedCount {
      items["0"] = .sample("0.yaml", ["n": .string("x\(edits)")])
      _ = index.update(["0"], of: StoreState(Array(items.values)))
      edits += 1
    }
    #expect(edits == SearchCorpus.minAddedCount + 2)
    #expect(index.shown.numberOfItems == 16)
    request.search = "x\(edits - 1)"
    index.show(request, of: StoreState(Array(items.values)), filter: ItemFilter(request, context: .now))
    #expect(index.shared.hasTexts)
    #expect(index.shown.itemIdentifiers == ["0"])
  }

  @Test func `texts are released some time after the last search, and made again by the next one`() throws {
    let items = (0..<9).map {
      Item.sample(RelativePath(bytes: "\($0).yaml".utf8), ["n": .number(.integer($0))])
    }
    let state = StoreState(items)
    var request = FetchRequest()
    var index = ListIndex(
      state, request: request, filter: ItemFilter(request, context: .now), minCorpusItems: 1)
    let copy = index.shared
    request.search = "1"
    index.show(request, of: state, filter: ItemFilter(request, context: .now))
    #expect(copy.hasTexts)
    let rest = try #require(copy.releaseTexts(unusedFor: .seconds(60)))
    #expect(rest <= .seconds(60))
    #expect(rest > .seconds(30))
    #expect(copy.hasTexts)
    #expect(copy.releaseTexts(unusedFor: .zero) == nil)
    #expect(!copy.hasTexts)
    #expect(index.shown.itemIdentifiers == ["1"])
    request.search = "2"
    index.show(request, of: state, filter: ItemFilter(request, context: .now))
    #expect(copy.hasTexts)
    #expect(index.shown.itemIdentifiers == ["2"])
  }

  @Test func `a timer releases the texts after their lifetime`() async throws {
    let rows = SharedRows(
      ArrangedRows(StoreState([.sample("a.yaml", ["n": 1])]), RowOrder(FetchRequest())),
      textLifetime: .milliseconds(1))
    let arranged = ArrangedRows(StoreState([.sample("a.yaml", ["n": 1])]), RowOrder(FetchRequest()))
    let searched = SearchedText(fields: [])
    #expect(rows.corpus(searched, of: arranged, isTyping: true) == nil)
    #expect(!rows.hasTexts)
    let (shared, own) = (SharedRows(arranged, textLifetime: .milliseconds(1)), arranged)
    #expect(shared.corpus(searched, of: own, isTyping: true) != nil)
    try await waitUntil { !shared.hasTexts }
    #expect(!shared.hasTexts)
  }

  @Test func `only so many parts of the items have texts at once`() {
    let rows = ArrangedRows(StoreState([.sample("a.yaml", ["n": 1])]), RowOrder(FetchRequest()))
    var texts = SharedTexts()
    var made = 0
    for number in 0..<50 {
      let searched = SearchedText(fields: [FieldPath(keys: ["f\(number)"])])
      if texts.corpus(searched, of: rows, isTyping: true) != nil { made += 1 }
      #expect(texts.count <= 8)
    }
    #expect(made == 50)
  }
}

struct RowSetTests {
  @Test func `a set of rows has what was inserted`() {
    var set = RowSet(limit: 4_100)
    for row in [0, 63, 4_095, 4_099] { set.insert(row) }
    #expect(set.numbers(in: 0..<4_100) == [0, 63, 4_095, 4_099])
    #expect(set.numbers(in: 64..<4_096) == [4_095])
    #expect(set.contains(63))
    #expect(!set.contains(64))
  }

  @Test func `sets are combined number by number`() {
    var (first, second) = (RowSet(limit: 70), RowSet(limit: 70))
    for row in [1, 65] { first.insert(row) }
    for row in [1, 69] { second.insert(row) }
    #expect(first.union(second).numbers(in: 0..<70) == [1, 65, 69])
    #expect(first.subtracting(second).numbers(in: 0..<70) == [65])
    #expect(first.combined(with: second, by: &).numbers(in: 0..<70) == [1])
  }

  @Test func `parts of consecutive numbers are one set`() {
    var (first, second) = (RowSet(limit: 128), RowSet(limit: 2))
    first.insert(127)
    second.insert(1)
    let joined = RowSet(joining: [first, second])
    #expect(joined.limit == 130)
    #expect(joined.numbers(in: 0..<130) == [127, 129])
    #expect(RowSet(joining: []) == RowSet(limit: 0))
  }
}
