import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Words of a predicate that are read as fields, and are probably strings without quotes.
struct UnquotedStringsTests {
  private static let items = [
    Item.sample(
      "a.yaml",
      [
        "status": "open", "tags": ["x", "y"], "parts": .list([["kind": "a"], ["size": 1]]),
        "due": Value(text: "2026-01-01"),
      ]),
    Item.sample("b.yaml", ["status": "done", "rating": 5, "nothing": .null, "next-step": "wait"]),
  ]

  private func found(_ text: String, _ items: [Item] = UnquotedStringsTests.items) throws -> [String] {
    try ItemPredicate(text).unquotedStrings(in: items).map(\.error.message)
  }

  @Test(
    arguments: [
      ("status = done", "status = \"done\""), ("done = status", "\"done\" = status"),
      ("status != in-progress", "status != \"in-progress\""),
      ("NOT status = done", "status = \"done\""),
      ("rating > 3 AND (TRUE OR NOT (status ==[cd] done))", "status ==[cd] \"done\""),
      ("status < done", "status < \"done\""), ("status >= done", "status >= \"done\""),
      ("status IN done", "status IN \"done\""),
      ("status IN {done, open, \"x\"}", "status IN {\"done\", \"open\", \"x\"}"),
      ("status BETWEEN {a, status}", "status BETWEEN {\"a\", status}"),
      ("status CONTAINS done", "status CONTAINS \"done\""),
      ("status BEGINSWITH[c] done", "status BEGINSWITH[c] \"done\""),
      ("status ENDSWITH done", "status ENDSWITH \"done\""), ("status LIKE done", "status LIKE \"done\""),
      ("tags CONTAINS x", "tags CONTAINS \"x\""), ("x IN tags", "\"x\" IN tags"),
      ("ANY tags = x", "ANY tags = \"x\""),
      ("ALL tags IN {x, y}", "ALL tags IN {\"x\", \"y\"}"), ("NONE tags = x", "NONE tags = \"x\""),
      ("SOME tags = x", "ANY tags = \"x\""),
      ("ANY parts (kind = a)", "kind = \"a\""), ("NONE parts (NOT kind = status)", "kind = \"status\""),
      ("ANY tags (SELF = x)", "SELF = \"x\""),
      ("ANY parts (ANY SELF.kind = b)", "ANY SELF.kind = \"b\""),
      ("(status) = (done)", "(status) = (\"done\")"),
      ("`status` = done", "`status` = \"done\""),
      ("@dir = work", "@dir = \"work\""), ("nothing = done", "nothing = \"done\""),
      ("due = Größe", "due = \"Größe\""),
      ("due <= today", "due <= @today"), ("ratnig = status", "rating"), ("tags[0] = x", "tags[0] = \"x\""),
      ("next-step = wait", "next-step = \"wait\""),
    ] as [(String, String)])
  func `a bare word beside a field that exists is probably a string`(text: String, meant: String) throws {
    let found = try found(text)
    #expect(found.count == 1)
    #expect(found.first?.contains("did you mean `\(meant)`?") == true, "\(found)")
    #expect(found.first?.contains("backquotes") == true)
  }

  @Test(arguments: [
    "status = `done`", "status = \"done\"", "status = done.x", "status = done[0]", "status = done.@count",
    "status = rating",
    "status = nothing", "foo = bar", "foo = done AND status = 'x'", "done", "NOT done", "done IS NULL",
    "done = nil", "done = 5",
    "done IN {1, 2}", "ANY done = 'x'", "ANY done (x = y)", "ANY parts (kind = size)",
    "ANY parts (foo = done)", "status = @created",
    "@id = status", "status = next-step", "@today = done", "ANY nowhere (kind = done)",
  ])
  func `other predicates have no such word`(text: String) throws {
    #expect(try found(text) == [])
  }

  @Test func `an empty folder has no warnings, and interpolated fields are meant`() throws {
    #expect(try found("status = done", []) == [])
    let interpolated = ItemPredicate("status = \(FieldPath("done"))")
    #expect(interpolated.unquotedStrings(in: UnquotedStringsTests.items) == [])
    #expect(
      try ItemPredicate(interpolated.text).unquotedStrings(in: UnquotedStringsTests.items) == [])
  }

  @Test func `the error has the column of the word`() throws {
    let found = try #require(
      ItemPredicate("rating > 3 AND status = done").unquotedStrings(
        in: UnquotedStringsTests.items
      ).first)
    #expect(found.error.column == 25)
    #expect(found.fields == ["done"])
    let inner = ItemPredicate("ANY parts (kind = done)").unquotedStrings(
      in: UnquotedStringsTests.items)
    #expect(inner.first?.fields == ["parts.done"])
  }

  @Test func `a long comparison is not repeated, and there are at most eight sentences`() throws {
    let words = (0..<1_000).map { "w\($0)" }.joined(separator: ", ")
    let long = try #require(try found("status IN {\(words)}").first)
    #expect(long.utf8.count < 300)
    #expect(long.contains("did you mean `\"w0\"`?"), "\(long)")
    #expect(try found((0..<100).map { "status = w\($0)" }.joined(separator: " OR ")).count == 8)
  }

  @Test func `a word counts as a field in any item, before the predicate, the folder and the limit`() throws {
    var store = FakeStore(["a/x": ["status": "open"], "b/y": ["done": 1]])
    #expect(
      store.list(FetchRequest(predicate: ItemPredicate("status = done"), limit: 1)).snapshot.warnings == [])
    #expect(
      store.list(FetchRequest(folder: "a/", predicate: ItemPredicate("status = done"))).snapshot.warnings
        == [])
  }

  @Test func `a hint replaces the one about an unknown field`() throws {
    var store = FakeStore(["a": ["status": "open"]])
    let hints = store.list(FetchRequest(predicate: ItemPredicate("status = done OR status = 'open'")))
      .snapshot.hints
    #expect(hints.map(\.kind) == [.unquotedString])
    #expect(hints.map(\.field) == ["done"])
    #expect(hints.map(\.kind.description) == ["unquotedString"])
    #expect(
      hints.first?.message
        == "no item has the field `done`: did you mean `status = \"done\"`? If it is a field, put it in backquotes."
    )
  }

  @Test func `defaults of a model are not fields of items`() throws {
    struct Note: Decodable, Equatable { var status = "open" }
    let folder = try TemporaryFolder(["ada.yaml": "status: open\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Note.self, FetchRequest(predicate: ItemPredicate("status = done")))
    #expect(list.snapshot.hints.map(\.kind) == [.unquotedString])
  }

  @Test func `a warning begins and ends with the field, although the list stays the same`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "title: x\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    let results = store.list(FetchRequest(predicate: ItemPredicate("status = done")))
    let (first, steps) = results.snapshotAndSteps()
    #expect(first.warnings == [])
    steps.followFolder()
    try folder.write("status: open\n", to: "ada.yaml")
    #expect(await steps.next()?.isStepOfFolder == true)
    #expect(steps.given?.warnings.map(\.kind) == [.unquotedString])
    try folder.write("title: x\ndone: 5\n", to: "bob.yaml")
    #expect(await steps.next()?.isStepOfFolder == true)
    #expect(steps.given?.warnings == [])
    #expect(results.snapshot.isEmpty)
  }

  @Test func `a follower of warnings is not woken by other changes, and keeps no old list`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "title: x\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    let results = store.list(FetchRequest(predicate: ItemPredicate("status = done OR title = 'y'")))
    let (_, warnings) = results.snapshotAndSteps()
    let (_, steps) = results.snapshotAndSteps()
    try folder.write("status: open\n", to: "ada.yaml")
    #expect(await warnings.nextWarnings()?.map(\.kind) == [.unquotedString])
    try folder.write("title: y\n", to: "bob.yaml")
    while steps.given?.count != 1 { #expect(await steps.next() != nil) }
    #expect(!warnings.isReady)
    #expect(warnings.given?.count == 1)
  }

  /// A bare word that no item has, in a random place of a random predicate.
  @Test(arguments: Randomness.seeds(40))
  func `a word that no item has is always found, and its comparison never selects an item`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let word = random.one(of: ["done", "in-progress", "Ünknown", "x_1-y"])
    for _ in 0..<50 {
      let comparison = UnquotedStringsTests.comparison(with: word, &random)
      let isNegated = random.oneIn(2)
      let alone = isNegated ? "NOT (\(comparison))" : comparison
      let predicate = try ItemPredicate(alone)
      for item in UnquotedStringsTests.items {
        #expect(!predicate.matches(item, in: PredicateTests.context), "\(alone); \(seedNote(seed))")
      }
      var text = alone
      for _ in 0..<random.below(4) {
        text = random.one(of: [
          "(\(text))", "NOT (\(text))", "\(text) OR rating > 3", "rating IS NULL AND (\(text))",
          "FALSE OR \(text)",
        ])
      }
      let found = try ItemPredicate(text).unquotedStrings(in: UnquotedStringsTests.items)
      #expect(found.count == 1, "\(text); \(seedNote(seed))")
      #expect(
        found.first?.fields.map(\.description).contains { $0.hasSuffix(word) } == true,
        "\(text); \(seedNote(seed))")
    }
  }

  private static func comparison(with word: String, _ random: inout SeededGenerator) -> String {
    let field = random.one(of: ["status", "@id", "rating", "`next-step`"])
    let sign = random.one(of: ["=", "!=", "<", ">=", "=[c]", "CONTAINS", "BEGINSWITH", "LIKE"])
    switch random.below(6) {
    case 0: return "\(field) \(sign) \(word)"
    case 1: return "\(word) \(sign) \(field)"
    case 2: return "\(field) IN \(word)"
    case 3: return "ANY tags \(sign) \(word)"
    case 4: return "tags CONTAINS \(word)"
    default: return "\(field) = (\(word))"
    }
  }
}

extension ListEvent {
  /// True for a step without an update and without problems.
  fileprivate var isStepOfFolder: Bool {
    if case .step(update: nil, let problems) = self { problems.isEmpty } else { false }
  }
}
