import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct SearchQueryTests {
  private static let item = Item.sample(
    "friends/ada-1815.md",
    [
      "title": "Apple tree (old)", "name": "Ada Lovelace", "city": "Zürich",
      "born": Value(text: "1815-12-10"),
      "rating": 8, "version": "8", "done": true, "none": .null, "time": "at 12:30", "std": "std::map",
      "url": "see https://example.org/a", "first name": "Augusta",
      "tags": .list(["garden", .map(["deep": "Größe"])]), "owner": .map(["login": "ada", "age": 36]),
      "body": "caf\u{65}\u{301} au\nlait OR not \"quoted\"",
    ])

  private static func matches(_ query: SearchQuery, _ item: Item = item) -> Bool {
    var text = FoldedText()
    return ItemFilter(FetchRequest(query: query), context: .now).fits(ItemFields(item), &text)
  }

  @Test(arguments: [
    "", "  ", "apple", "APPLE tree", "tree apple", "ada zurich", "\"apple tree\"", "apple AND tree",
    "pear OR apple", "apple OR pear", "pear OR apple tree", "(pear OR apple) tree", "apple (pear OR tree)",
    "-pear", "apple -pear", "-(apple pear)", "-\"tree apple\"", "NOT pear", "NOT (pear plum)", "NOT -apple",
    "app*", "love*", "\"au\nla\"*", "grö*", "-ppl*", "title:app*", "-title:ppl*", "tags:gard*",
    "~apltr", "~fradlv OR ~adlvl", "~\"ap tr\"", "-~zzz", "title:apple", "title:\"apple tree\"",
    "TITLE:x OR apple",
    "tags:garden", "tags:grosse", "owner:ada", "owner.login:ada", "owner.age:36", "rating:8", "-title:pear",
    "-missing:pear", "city:=zurich", "rating:=8", "version:=8", "done:=true", "tags:=garden",
    "born:=1815-12-10",
    "rating:>=8", "rating:>7", "rating:<9", "rating:<=8", "rating:7..9", "rating:8..8", "rating:8..",
    "rating:..8",
    "born:<=@today", "born:..@today-1d", "born:1815-01-01..1815-12-31", "name:>a", "name:\"a\"..\"b\"",
    "has:title", "no:none", "no:missing", "-has:missing", "-no:title", "has:owner.login", "@ext:md",
    "@dir:=friends",
    "@id:=friends/ada-1815", "`first name`:augusta", "has:`first name`", "12:30", "std::map",
    "https://example.org",
    "\"OR\"", "or", "not", "(old)", "\"\\\"quoted\"", "(apple)(tree)", "a-b OR apple", "friends/ada",
    "tags[0]:garden", "tags.@count:=2", "tags.@count:>1",
  ])
  func `a query matches`(text: String) throws {
    #expect(try SearchQueryTests.matches(SearchQuery(text)))
  }

  @Test(arguments: [
    "pear", "apple pear", "\"tree apple\"", "pear OR plum", "(pear OR plum) apple", "apple (pear OR plum)",
    "-apple", "-(apple tree)", "apple -tree", "NOT apple", "\"garden grosse\"", "ppl*", "title:ppl*",
    "~ltrap",
    "~zurich", "title:garden", "-tags:garden", "owner:garden", "city:=zur", "rating:=9", "rating:>8",
    "rating:9..",
    "rating:..7", "born:>@today", "name:>b", "no:title", "has:none", "has:missing", "-no:missing",
    "missing:a",
    "@ext:=m", "tags:=gard", "rating:>=a", "lovelace*e", "apple AND pear OR plum",
  ])
  func `a query does not match`(text: String) throws {
    #expect(try !SearchQueryTests.matches(SearchQuery(text)))
  }

  @Test(arguments: [
    ("\"apple", 1, "this quote is not closed"), ("a (b", 3, "this parenthesis is not closed"),
    ("a )", 3, "this parenthesis closes none"), ("a ()", 3, "these parentheses are empty"),
    ("a OR", 3, "missing after this"), ("OR a", 1, "missing before OR"),
    ("a OR OR b", 6, "missing before OR"),
    ("a AND", 3, "missing after this"), ("NOT", 1, "missing after this"), ("(a OR)", 4, "missing after this"),
    ("a status:", 3, "a value is missing after `status:`"), ("a n:>=", 3, "a value is missing after `n:>=`"),
    ("has:\"x\"", 5, "expected the name of a field"), ("due:<@todya", 6, "expected a day"),
    ("é \"b", 3, "this quote is not closed"), ("tag:(a b)", 5, "write the field before each word"),
    (String(repeating: "(", count: 31), 31, "nested more than 30 deep"),
    (String(repeating: "a ", count: 501), 1_000, "at most 500 terms"),
    (String(repeating: "a", count: 16_385), 16_385, "at most 16384 characters"),
  ])
  func `a mistake is reported with its column`(text: String, column: Int, message: String) {
    let error = #expect(throws: ItemPredicateError.self) { try SearchQuery(text) }
    #expect(error?.column == column)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("apple \"lovel", "apple \"lovel\""), ("apple (old", "apple (old)"), ("apple OR", "apple"),
    ("apple )", "apple \")\""),
    ("OR apple", "apple"), ("a OR OR b", "a OR b"), ("a ()", "a"), ("a OR ()", "a"), ("a (b OR ", "a (b)"),
    ("apple NOT", "apple"), ("a status:", "a status"), ("rating:>=", "rating"), ("a OR -(", "a"), ("(((", ""),
    ("\"", ""), ("a -", "a \"-\""), ("a ~", "a \"~\""), ("(OR a)", "(a)"), ("a OR () OR b", "a OR b"),
    ("tag:(a", "tag:\"(a\""),
  ])
  func `what is being typed means what is complete`(typed: String, complete: String) throws {
    let query = SearchQuery(typed: typed)
    #expect(
      FetchRequest(query: query).explanation == FetchRequest(query: try SearchQuery(complete)).explanation)
  }

  @Test func `plain words use the fast search, everything else is a predicate`() throws {
    let query = try SearchQuery("apple \"a tree\" -pear title:x (b c)")
    #expect(query.words == ["apple", "a tree"])
    #expect(
      query.predicate?.text
        == "NOT @text CONTAINS[cd] \"pear\" AND `title`.@text CONTAINS[cd] \"x\" AND (@text CONTAINS[cd] \"b\" AND @text CONTAINS[cd] \"c\")"
    )
    #expect(try SearchQuery("a b").predicate == nil)
    #expect(try SearchQuery("a OR b").words.isEmpty)
    #expect(
      try FetchRequest(query: SearchQuery("a OR b*")).explanation
        == "@text CONTAINS[cd] \"a\" OR @text BEGINSWITH[cd] \"b\"")
    #expect(
      try FetchRequest(query: SearchQuery("n:=3 d:1.. e:2..@today-7d")).explanation
        == "ANY `n` IN[cd] {3, \"3\"} AND ANY `d` >= 1 AND ANY `e` BETWEEN {2, @today - 7d}")
  }

  @Test func `the terms are what a match has`() throws {
    let query = try SearchQuery("a -b (c OR -d) -(e -f) g* ~h t:i -t:j \"k l\" n:>3")
    let texts: [String] = query.terms.map(\.text)
    #expect(texts == ["a", "c", "f", "g", "h", "i", "k l"])
    #expect(query.terms.compactMap(\.field) == ["t"])
    #expect(query.namedFields == ["t", "t", "n"])
  }

  @Test func `a fuzzy query finds letters in order`() throws {
    let query = SearchQuery(typed: "apltr -pear")
    #expect(!SearchQueryTests.matches(query))
    #expect(SearchQueryTests.matches(query.fuzzy))
    #expect(query.fuzzy != query)
    #expect(!SearchQueryTests.matches(SearchQuery(typed: "zzz").fuzzy))
  }

  @Test func `a field that no item has is unknown`() throws {
    let query = try SearchQuery("title:a titel:b ratng:>3 @id:x zzz:1 -has:zzz")
    let unknown = query.unknownFields(in: [SearchQueryTests.item])
    #expect(unknown.map(\.fields) == [["titel"], ["ratng"], ["zzz"]])
    #expect(unknown.map(\.error.column) == [9, 17, 32])
    #expect(
      unknown.first?.error.message
        == "no item has the field `titel`. Did you mean `title`? If it is text, put it in quotes.")
    #expect(query.unknownFields(in: [Item]()).isEmpty)
  }

  @Test func `queries are equal if their bytes and readings are`() throws {
    #expect(try SearchQuery("a b") == SearchQuery(typed: "a b"))
    #expect(try SearchQuery("caf\u{e9}") != SearchQuery("cafe\u{301}"))
    #expect(try SearchQuery("a").description == "a")
  }

  // MARK: Random texts

  private static let pieces = [
    "\"", "\\", "\\\"", "(", ")", "-", "~", "*", ":", "OR", " OR ", " AND ", "NOT ", " ", "\n", "..", ">=",
    "<", "=",
    "has:", "no:", "title:", "rating:", "tags:", "a", "apple", "Ada", "8", "@today", "@id", "@text", "`", "é",
    "e\u{301}",
    "👨‍👩‍👧", "\u{0}", "\u{1B}", "\u{85}", "\u{202E}", "]", "[", "[0]", ".", "'", "{", "}", "?", "true",
    "1815-12-10",
    "\u{301}", "ß", "TRUEPREDICATE", "[cd]", ",", "%@", "/",
  ]

  private static func text(_ random: inout SeededGenerator, upTo count: Int = 12) -> String {
    random.oneIn(5)
      ? random.hostileText() : (0..<random.below(count)).map { _ in random.one(of: pieces) }.joined()
  }

  @Test(arguments: Randomness.seeds(30))
  func `any text is a query or an error, and its predicate matches alike`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = SearchQueryTests.text(&random)
      let note = "\(text.debugDescription) \(seedNote(seed))"
      let other = Item.sample("b.md", ["title": .string(SearchQueryTests.text(&random)), "rating": 3])
      let typed = SearchQuery(typed: text)
      if let strict = try? SearchQuery(text) { #expect(strict == typed, "\(note)") }
      for query in [typed, typed.fuzzy] {
        #expect(query.predicate?.error == nil, "\(note)")
        let written = try ItemPredicate(FetchRequest(query: query).explanation)
        for item in [SearchQueryTests.item, other] {
          let matches = SearchQueryTests.matches(query, item)
          #expect(written.matches(item, in: .now) == matches, "\(note) \(written)")
        }
      }
    }
  }

  @Test(arguments: Randomness.seeds(30))
  func `a text in quotes is only text`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = SearchQueryTests.text(&random)
      if text.isEmpty { continue }
      let note = "\(text.debugDescription) \(seedNote(seed))"
      let escaped = text.unicodeScalars.map { "\"\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
        .joined()
      let item = Item.sample("x.md", ["title": .string("<\(text)>")])
      let other = Item.sample("x.md", ["title": "nothing"])
      for (before, after) in [("", ""), ("title:", ""), ("zzz OR ", ""), ("-(-", ")")] {
        let query = try SearchQuery("\(before)\"\(escaped)\"\(after)")
        #expect(SearchQueryTests.matches(query, item), "\(note)")
        #expect(query.terms.first { $0.text != "zzz" }?.text.hasSameBytes(as: text) == true, "\(note)")
        let isInOther = ["nothing", "x"].contains { PredicateTextTest(.contains, text, .all).holds($0) }
        #expect(SearchQueryTests.matches(query, other) == isInOther, "\(note)")
      }
    }
  }
}
