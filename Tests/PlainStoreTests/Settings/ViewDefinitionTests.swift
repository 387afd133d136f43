@testable import Store
import TestSupport
import Testing
import Values
import Streams

@testable import Folder
@testable import Query

struct ViewDefinitionTests {
  private static let full = """
    sort: [-rating, 'name:exact']
    section: -group
    section-order: [friends, work]
    section-titles: {friends: My Friends, work: Colleagues}
    where: rating > 3
    search: ada
    search-fields: [name, address.city]
    fields: name,rating
    widths: {name: 30, address.city: 1}
    limit: 10
    offset: 2
    empty: Nobody.
    """

  private static func view(_ text: String) throws -> ViewDefinition {
    guard case .map(let fields) = try yaml(text) else { return ViewDefinition() }
    return try ViewDefinition(fields, at: ["views", "v"])
  }

  @Test func `every key is read`() throws {
    let request = try ViewDefinitionTests.view(ViewDefinitionTests.full).request
    let section = SectionDescriptor(
      "group", descending: true, order: ["friends", "work"],
      titles: ["friends": "My Friends", "work": "Colleagues"])
    #expect(
      request
        == FetchRequest(
          sort: ["-rating", "name:exact"], section: section, predicate: ItemPredicate("rating > 3"),
          search: "ada",
          searchFields: ["name", "address.city"], fields: ["name", "rating"],
          widths: ["name": 30, "address.city": 1], limit: 10, offset: 2,
          emptyText: "Nobody."))
  }

  @Test func `a view can be written and read again`() throws {
    let view = try ViewDefinitionTests.view(ViewDefinitionTests.full)
    #expect(
      view.written.keys.sorted() == ViewDefinition.keys.filter { !["nulls", "query"].contains($0) }.sorted())
    #expect(try ViewDefinition(view.written) == view)
    #expect(ViewDefinition().written == [:])
  }

  @Test(arguments: [
    (
      "widths: {name: 0}", ["widths", "name"],
      "A width is an integer from 1 to 500, in characters, found `0`."
    ),
    ("widths: [name]", ["widths"], "Expected a map, found a list."),
    ("sort: {}", ["sort"], "Expected a string, found a map."),
    ("sort: ['-']", ["sort"], "``, column 1: The path is empty. Write the name of a field."),
    ("sort: ':exact'", ["sort"], "``, column 1: The path is empty. Write the name of a field."),
    ("{sort: a, nulls: 1}", ["nulls"], "Expected `first` or `last`, found `1`."),
    (
      "nulls: first", ["nulls"],
      "`nulls` says where `sort` puts items without a value. Write `sort` beside it."
    ),
    (
      "{nulls: last, limit: 1}", ["nulls"],
      "`nulls` says where `sort` puts items without a value. Write `sort` beside it."
    ),
    (
      "section: 'a:nulls-first'", ["section"],
      "Sections have no `:nulls-first`. Name the section `\"\"` in `section-order`."
    ),
    ("section: ''", ["section"], "``, column 1: The path is empty. Write the name of a field."),
    ("section: [a]", ["section"], "Expected a string, found a list."),
    ("section-order: {a: b}", ["section-order"], "Expected a string, found a map."),
    (
      "section-titles: [a]", ["section-titles"], "Expected a map from sections to their titles, found a list."
    ),
    ("section-titles: {a: [b]}", ["section-titles", "a"], "Expected a string, found a list."),
    ("search: [a]", ["search"], "Expected a string, found a list."),
    (
      "search-fields: [a, '.']", ["search-fields"],
      "`.`, column 1: A key is missing here. Write single dots between keys, and two backquotes for an empty key."
    ),
    (
      "fields: 'a,b.'", ["fields"],
      "`b.`, column 3: A key is missing here. Write single dots between keys, and two backquotes for an empty key."
    ),
    ("limit: -1", ["limit"], "The number must not be negative."),
    ("limit: 1.5", ["limit"], "Expected an integer from 0 to \(Int.max), found a number `1.5`."),
    (
      "limit: 99999999999999999999", ["limit"],
      "Expected an integer from 0 to \(Int.max), found a number `99999999999999999999`."
    ),
    ("offset: true", ["offset"], "Expected an integer from 0 to \(Int.max), found a boolean `true`."),
    ("empty: {}", ["empty"], "Expected a string, found a map."),
    (
      "sorts: a", ["sorts"],
      "There is no setting `sorts` here. Did you mean `sort`? The settings are \(ViewDefinition.keys.joined(separator: ", "))."
    ),
  ])
  func `an error has its place and its reason`(text: String, keys: [String], message: String) {
    #expect(throws: SettingsError(["views", "v"] + keys, message)) { try ViewDefinitionTests.view(text) }
  }

  @Test func `an error in a predicate keeps its column`() throws {
    let error = try #require(throws: SettingsError.self) {
      try ViewDefinitionTests.view("where: 'rating > > 3'")
    }
    #expect(error.keys == ["views", "v", "where"])
    #expect(error.message.hasPrefix("The predicate is not valid at column 10: "), "\(error)")
    #expect(throws: SettingsError.self) { try ViewDefinitionTests.view("where: [a]") }
  }

  @Test func `a view has a search or a query`() throws {
    let both = #expect(throws: SettingsError.self) { try ViewDefinitionTests.view("{search: a, query: b}") }
    #expect(both?.keys == ["views", "v", "query"])
    #expect(both?.message == "A view has `search` or `query`. Remove one of them.")
    let malformed = #expect(throws: SettingsError.self) { try ViewDefinitionTests.view("query: 'a OR'") }
    #expect(malformed?.message.hasPrefix("The query is not valid at column 3: ") == true)
    let query = try ViewDefinitionTests.view("query: 'tags:garden -done:true'")
    #expect(query.request.query == (try SearchQuery("tags:garden -done:true")))
    #expect(try ViewDefinition(query.written) == query)
    let search = try ViewDefinitionTests.view("search: ada")
    #expect(query.overridden(by: search) == search)
    #expect(search.overridden(by: query) == query)
    #expect(try query.changed(by: ["query": .null]) == ViewDefinition())
    #expect(try search.changed(by: ["query": "a", "limit": 1]).written == ["query": "a", "limit": 1])
  }

  @Test func `a view is overridden only by the written parts of the other`() throws {
    let view = try ViewDefinitionTests.view(ViewDefinitionTests.full)
    #expect(view.overridden(by: ViewDefinition()) == view)
    #expect(ViewDefinition().overridden(by: view) == view)
    let other = try ViewDefinitionTests.view(
      "{sort: a, section: b, section-order: c, section-titles: {}, where: d = 1, search: e, search-fields: f, fields: g, widths: {g: 1}, limit: 0, offset: 0, empty: h}"
    )
    #expect(view.overridden(by: other) == other)
  }

  @Test func `nulls first is the suffix of all sort fields`() throws {
    #expect(
      try ViewDefinitionTests.view("{nulls: first, sort: [-a, b]}").sort == [
        "-a:nulls-first", "b:nulls-first",
      ])
    #expect(
      try ViewDefinitionTests.view("{sort: 'a:nulls-first,b', nulls: last}").sort == ["a:nulls-first", "b"])
    let changed = try ViewDefinitionTests.view("sort: a").changed(by: ["nulls": .null, "sort": "b"])
    #expect(changed.sort == ["b"])
  }

  @Test(arguments: [.null, "first", "last"] as [Value])
  func `a change of nulls needs sort beside it`(nulls: Value) throws {
    let view = try ViewDefinitionTests.view("sort: a")
    let error = SettingsError(
      ["nulls"], "`nulls` says where `sort` puts items without a value. Write `sort` beside it.")
    #expect(throws: error) { try view.changed(by: ["nulls": nulls]) }
    #expect(throws: error) { try view.changed(by: ["nulls": nulls, "limit": 1]) }
    let sort = try view.changed(by: ["nulls": nulls, "sort": "b"]).sort
    #expect(sort == (nulls == "first" ? ["b:nulls-first"] : ["b"]))
  }

  @Test func `a number in the settings names the section of its value`() throws {
    let view = try ViewDefinitionTests.view(
      "{section: v, section-order: [3.10, '3.10', 1.0], section-titles: {3.20: new, 2.0: two, 2: II}}")
    #expect(view.sectionOrder == ["3.1", "3.10", "1"])
    #expect(view.sectionTitles == ["3.20": "new", "3.2": "new", "2.0": "two", "2": "II"])
    #expect(try ViewDefinitionTests.view("{section: v, section-order: 3.10}").sectionOrder == ["3.1"])
  }

  @Test func `a section order without a section is ignored`() throws {
    #expect(try ViewDefinitionTests.view("section-order: [a]").request == FetchRequest())
  }

  @Test(arguments: [
    ("a, b,c", ["a", "b", "c"]), ("`a,b`,c", ["`a,b`", "c"]),
    (" -`a, b`.`c,d`:exact , e", ["-`a, b`.`c,d`:exact", "e"]),
    ("a`b,c`", ["a`b", "c`"]),
    ("/a`b,c`", ["/a`b", "c`"]), ("x.`a``,`,b", ["x.`a``,`", "b"]), (",, ,", []), ("`a,b", ["`a,b"]),
    ("a,\u{301}b", ["a", "\u{301}b"]),
  ])
  func `commas in backquotes do not separate paths`(text: String, paths: [String]) {
    #expect(ViewDefinition.splitPaths(text) == paths)
  }

  @Test(arguments: Randomness.seeds(10))
  func `the description of a sort descriptor parses to the same descriptor, also in a list`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let pieces = ["-", ":exact", ":nulls-first", ",", " ", "`", ".", "a", "[0]", "/", "@max", "\u{301}"]
    for _ in 0..<100 {
      let path = FieldPath(
        keys: (0...random.below(2)).map { _ in
          (0..<random.below(4)).map { _ in random.one(of: pieces) }.joined()
        })
      let descriptor = ItemSortDescriptor(
        path, descending: random.oneIn(2), exact: random.oneIn(2), nullsFirst: random.oneIn(2))
      #expect(
        try ItemSortDescriptor(parsing: descriptor.description) == descriptor,
        "\(descriptor); \(seedNote(seed))")
      let quoted = (random.oneIn(2) ? "-" : "") + path.quoted
      #expect(
        ViewDefinition.splitPaths("x, \(quoted) ,y") == ["x", quoted, "y"], "\(quoted); \(seedNote(seed))")
    }
  }

  @Test func `a string is split at its commas, and spaces around them are removed`() {
    #expect(ViewDefinition.split(" a b ,,c, ") == ["a b", "c"])
    #expect(ViewDefinition.split("") == [])
  }

  @Test func `parts are changed under their keys, and null removes a part`() throws {
    var view = ViewDefinition()
    view.sort = ["n"]
    view.limit = 3
    let changed = try view.changed(by: ["search": "re", "limit": .null, "offset": 2])
    #expect(changed.written == ["sort": .list([.string("n")]), "search": "re", "offset": 2])
    for key in ViewDefinition.keys where key != "nulls" {
      #expect(try changed.changed(by: [key: .null]).written[key] == nil)
    }
    #expect(throws: SettingsError.self) { try view.changed(by: ["lmit": .null]) }
    #expect(throws: SettingsError.self) { try view.changed(by: ["sort": .null, "limit": "x"]) }
  }
}
