import PlainStore
import PlainText
import Testing

@testable import Sinks

@Suite struct ColumnSurveyTests {
  private func chosen(_ items: [Item], _ request: FetchRequest = FetchRequest(), width: Int? = nil) throws -> [String] {
    ColumnSurvey.columns(for: try SampleList(items, request: request).snapshot, width: width).map(\.description)
  }

  private let people: [Item] = [
    .sample("ada", ["name": .string("Ada"), "born": .int(1815), "tags": .list([.string("x")]), "note": .string("one\ntwo")]),
    .sample("bob", ["name": .string("Bob"), "rare": .int(1), "born": .int(1990), "note": .string("one")]),
    .sample("dan", ["nick": .string("dan"), "name": .string("Dan"), "born": .int(2001)]),
  ]

  @Test func `the id and what most items have, in the order of the files`() throws {
    #expect(try chosen(people) == ["@id", "name", "born", "note"])
  }

  @Test func `what is nested, rare, or repeats the id is left out`() throws {
    let items = [Item.sample("ada", ["slug": .string("ada"), "map": .map(["a": .int(1)]), "x": .int(1)])]
    #expect(try chosen(items) == ["@id", "x"])
  }

  @Test func `as many as fit, texts of several lines last`() throws {
    #expect(try chosen(people, width: 20) == ["@id", "name", "born"])
    #expect(try chosen(people, width: 11) == ["@id", "name"])
    #expect(try chosen(people, width: 4) == ["@id"])
  }

  @Test func `what sorts the list comes first, also a pseudo-field or a rare one`() throws {
    let sort = ["-rare", "@size"].compactMap { ItemSortDescriptor($0) }
    #expect(try chosen(people, FetchRequest(sort: sort)) == ["@id", "@size", "name", "rare", "born", "note"])
    #expect(try chosen(people, FetchRequest(sort: sort), width: 12) == ["@id", "rare"])
  }

  @Test func `the section's field stands in the headings`() throws {
    #expect(try chosen(people, .sectioned(by: "born")) == ["@id", "name", "note"])
  }

  @Test func `a map of very many keys is no table, however long its lines may be`() throws {
    let fields = Fields(unique: (0..<20_000).map { (key: "f\($0)", value: .int($0)) })
    let columns = try chosen([.sample("a", fields)])
    #expect(columns.count == 101 && columns.first == "@id" && columns.last == "f99")
    // What it is sorted by is among them.
    let sorted = try chosen([.sample("a", fields)], FetchRequest(sort: ["f19999"].compactMap { ItemSortDescriptor($0) }))
    #expect(sorted.count == 101 && sorted.last == "f19999")
  }

  @Test func `an empty list has its ids`() throws {
    #expect(try chosen([]) == ["@id"])
  }
}
