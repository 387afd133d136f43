import SampleLists
import Store
import Testing
import Values

@testable import Printing

@Suite struct ColumnSurveyTests {
  private func chosen(_ items: [Item], _ request: FetchRequest = FetchRequest()) throws -> [String] {
    ColumnSurvey.columns(for: try SampleList(items, request: request).snapshot).map(\.path.description)
  }

  private let people: [Item] = [
    .sample(
      "ada",
      [
        "born": .int(1815), "tags": .list([.string("x")]), "note": .string("one\ntwo"),
        "address": .map(["city": .string("London"), "rooms": .list([.map([:])])]),
      ]),
    .sample("bob", ["rare": .int(1), "born": .int(1990), "note": .string("one"), "tags": .list([])]),
    .sample(
      "dan", ["nick": .string("dan"), "born": .int(2001), "address": .map(["city": .string("Rome")])]),
  ]

  private func note(_ id: String, _ title: String, ext: String = "md") -> Item {
    .sample(
      id,
      [
        "body": .string("Some words.\nMore of them."), "title": .string(title),
        "tags": .list([.string("a"), .string(id)]), "status": .string(id.count > 4 ? "open" : "done"),
      ], ext: ext)
  }

  @Test func `the columns are the id, common fields, those of maps, rarer ones, and long texts`() throws {
    #expect(try chosen(people) == ["@id", "born", "address.city", "rare", "tags", "note"])
  }

  @Test func `a vault of notes shows its title, tags and status before the text`() throws {
    let notes = [note("packing-list", "Packing list"), note("Cafe", "Café!"), note("todo", "Todo")]
    #expect(try chosen(notes) == ["title", "tags", "status", "body"])
  }

  @Test func `long titles come first, too`() throws {
    let long = String(repeating: "A long title ", count: 8)
    #expect(try chosen([note("a", "\(long)1"), note("b", "\(long)2")]).prefix(2) == ["title", "@id"])
  }

  @Test func `the id stays if one title does not say it, or two titles are the same`() throws {
    let notes = [note("a/packing-list", "Packing list"), note("b/todo", "To do")]
    #expect(try chosen(notes).first == "title")
    #expect(!(try chosen(notes).contains("@id")))
    #expect(try chosen(notes + [note("other", "Another")]).prefix(2) == ["title", "@id"])
    #expect(try chosen(notes + [note("c/todo", "Todo")]).prefix(2) == ["title", "@id"])
    #expect(
      try chosen(notes + [.sample("untitled", ["status": .string("open")])]).prefix(2) == ["title", "@id"])
  }

  @Test func `the body of a short Markdown file is a long text`() throws {
    let notes = (1...3).map {
      Item.sample("n\($0)", ["body": .string("Text \($0)"), "n": .int($0)], ext: "md")
    }
    #expect(try chosen(notes) == ["@id", "n", "body"])
  }

  @Test func `a set whose values are all in maps shows them`() throws {
    let items: [Item] = (0..<6).map { number in
      .sample(
        "site\(number)",
        [
          "owner": .map(["username": .string("user\(number)")]),
          "records": .map(
            number < 2
              ? ["A": .list([.string("10.0.0.\(number)")])] : ["CNAME": .string("host\(number).example")]),
        ])
    }
    #expect(try chosen(items) == ["@id", "owner.username", "records.CNAME", "records.A"])
  }

  @Test func `a field with one value for all items comes after those that tell items apart`() throws {
    let items = (0..<4).map { number in
      Item.sample("a\(number)", ["type": .string("task"), "n": .int(number)])
    }
    #expect(try chosen(items) == ["@id", "n", "type"])
  }

  @Test func `fields that repeat the id, maps, lists of maps and empty values are left out`() throws {
    let fields: Fields = [
      "slug": .string("ada"), "map": .map(["map": .map(["a": .int(1)])]), "list": .list([.map([:])]),
      "empty": .string(""), "none": .null, "x": .int(1),
    ]
    #expect(try chosen([.sample("ada", fields)]) == ["@id", "x"])
  }

  @Test func `where no field is common, the most frequent ones are shown`() throws {
    let items = (0..<30).map { number in
      Item.sample("a\(number)", [number < 4 ? "some" : "own\(number)": .int(number)])
    }
    #expect(try chosen(items).prefix(2) == ["@id", "some"])
  }

  @Test func `sort fields come after the title, even pseudo-fields and rare ones`() throws {
    let sort: [ItemSortDescriptor] = ["-rare", "@size"]
    #expect(
      try chosen(people, FetchRequest(sort: sort)) == [
        "@id", "@size", "rare", "born", "address.city", "tags", "note",
      ])
    let notes = [note("packing-list", "Packing list")]
    #expect(try chosen(notes, FetchRequest(sort: ["@id"])).prefix(2) == ["title", "@id"])
  }

  @Test func `the section's field is left out, also as the title`() throws {
    #expect(!(try chosen(people, .sectioned(by: "born")).contains("born")))
    #expect(try chosen([note("todo", "Todo")], .sectioned(by: "title")).first == "@id")
  }

  @Test func `the fields that a view names win`() throws {
    #expect(try chosen(people, .showing("note", "born")) == ["note", "born"])
  }

  @Test func `the number of columns is limited, and a sort field is always among them`() throws {
    let fields = Fields(unique: (0..<20_000).map { (key: "f\($0)", value: .int($0)) })
    let columns = try chosen([.sample("a", fields)])
    #expect(columns.count == 101)
    #expect([columns.first, columns.last] == ["@id", "f99"])
    let sorted = try chosen([.sample("a", fields)], FetchRequest(sort: ["f19999"]))
    #expect(sorted.count == 101)
    #expect(sorted[1] == "f19999")
  }

  @Test func `an empty list has the id as its column`() throws {
    #expect(try chosen([]) == ["@id"])
  }

  @Test func `a row in view whose title does not say its id brings the id back, and it stays`() throws {
    let known = (0..<300).map { note("note-\($0)", "Note \($0)") }
    var items = known
    // Not in the sample.
    items[1] = note("note-1", "Something else")
    let list = try SampleList(items).snapshot
    var choice = ColumnChoice()
    var updates = [choice.update(for: list, showing: [items[0]])]
    #expect(choice.columns.map(\.path.description).prefix(2) == ["title", "tags"])
    updates.append(choice.update(for: list, showing: [items[0], items[0]]))
    updates.append(choice.update(for: list, showing: Array(items.prefix(3))))
    #expect(choice.columns.map(\.path.description).prefix(2) == ["title", "@id"])
    updates.append(choice.update(for: list, showing: [items[0]]))
    #expect(updates == [true, false, true, false])
  }

  @Test func `columns are chosen again for another order, and if the rows in view have no value`() throws {
    let other = Item.sample("zed", ["colour": .string("red"), "shape": .string("round")])
    let items = (0..<9).map { note("note-\($0)", "Note \($0)") }
    var choice = ColumnChoice()
    var updates = [choice.update(for: try SampleList(items).snapshot, showing: items)]
    updates.append(choice.update(for: try SampleList(Array(items.prefix(2))).snapshot, showing: [items[0]]))
    let sorted = FetchRequest(sort: ["rating"])
    updates.append(choice.update(for: try SampleList(items, request: sorted).snapshot, showing: items))
    updates.append(choice.update(for: try SampleList([other], request: sorted).snapshot, showing: [other]))
    #expect(updates == [true, false, true, true])
    #expect(choice.columns.map(\.path.description).contains("colour"))
  }
}
