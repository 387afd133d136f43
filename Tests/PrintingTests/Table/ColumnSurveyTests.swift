import SampleLists
import Store
import Testing
import Values

@testable import Printing

@Suite struct ColumnSurveyTests {
  private func chosen(_ items: [Item], _ request: FetchRequest = FetchRequest(), width: Int? = nil) throws
    -> [String]
  {
    ColumnSurvey.columns(for: try SampleList(items, request: request).snapshot, width: width).map(
      \.description)
  }

  private let people: [Item] = [
    .sample(
      "ada",
      [
        "name": .string("Ada"), "born": .int(1815), "tags": .list([.string("x")]),
        "note": .string("one\ntwo"),
      ]),
    .sample("bob", ["name": .string("Bob"), "rare": .int(1), "born": .int(1990), "note": .string("one")]),
    .sample("dan", ["nick": .string("dan"), "name": .string("Dan"), "born": .int(2001)]),
  ]

  @Test func `the columns are the id and the common fields, in the order of the files`() throws {
    #expect(try chosen(people) == ["@id", "name", "born", "note"])
  }

  @Test func `nested fields and those that repeat the id are left out`() throws {
    let items = [Item.sample("ada", ["slug": .string("ada"), "map": .map(["a": .int(1)]), "x": .int(1)])]
    #expect(try chosen(items) == ["@id", "x"])
  }

  @Test func `as many columns as fit are chosen, texts of several lines last`() throws {
    #expect(try chosen(people, width: 20) == ["@id", "name", "born"])
    #expect(try chosen(people, width: 11) == ["@id", "name"])
    #expect(try chosen(people, width: 4) == ["@id"])
  }

  @Test func `the most useful text may be narrow, and comes before the other fields`() throws {
    let items = [
      Item.sample(
        "garden/mend-fence",
        ["due": .int(20_260_509), "title": .string("Mend the fence behind the shed"), "note": .string("Now")])
    ]
    #expect(try chosen(items, width: 33) == ["@id", "title"])
    #expect(try chosen(items, width: 45) == ["@id", "due", "title"])
    #expect(try chosen(items, width: 30) == ["@id", "due"])
  }

  @Test func `sort fields are chosen first, even pseudo-fields and rare ones`() throws {
    let sort: [ItemSortDescriptor] = ["-rare", "@size"]
    #expect(try chosen(people, FetchRequest(sort: sort)) == ["@id", "@size", "name", "rare", "born", "note"])
    #expect(try chosen(people, FetchRequest(sort: sort), width: 12) == ["@id", "rare"])
  }

  @Test func `the section's field is left out`() throws {
    #expect(try chosen(people, .sectioned(by: "born")) == ["@id", "name", "note"])
  }

  @Test func `the number of columns is limited even without a width`() throws {
    let fields = Fields(unique: (0..<20_000).map { (key: "f\($0)", value: .int($0)) })
    let columns = try chosen([.sample("a", fields)])
    #expect(columns.count == 101)
    #expect([columns.first, columns.last] == ["@id", "f99"])
    // A sort field is always among the columns.
    let sorted = try chosen(
      [.sample("a", fields)], FetchRequest(sort: ["f19999"]))
    #expect(sorted.count == 101)
    #expect(sorted.last == "f19999")
  }

  @Test func `an empty list has the id as its column`() throws {
    #expect(try chosen([]) == ["@id"])
  }
}
