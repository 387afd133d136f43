@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// A colours list with a search field, as a diffable data source shows it.
@Suite(.timeLimit(.minutes(1)))
struct ColorsAppTests {
  private struct Color: PlainModel {
    var id: String
    var name: String
    var rgb: [Int]
  }

  /// A table view: it applies each snapshot and configures the cells that the snapshot marks.
  private struct Table {
    private(set) var cells: [Item.ID: String] = [:]
    private(set) var rows: [Item.ID] = []
    private(set) var configured = 0

    mutating func apply(_ update: ListUpdate<Color>) {
      let list = update.diffableSnapshot
      let marked = Set(list.reconfiguredItemIdentifiers)
      for id in list.itemIdentifiers where cells[id] == nil || marked.contains(id) {
        cells[id] = update.new[id: id].map { "\($0.name) \($0.rgb)" }
        configured += 1
      }
      rows = list.itemIdentifiers
      cells = cells.filter { list.contains($0.key) }
    }

    var text: [String] { rows.map { cells[$0] ?? "?" } }
  }

  @Test func `the table shows what the list has after each key and each edit`() async throws {
    let folder = try TemporaryFolder([
      "red.yaml": "name: Red\nrgb: [255, 0, 0]\n", "rose.yaml": "name: Rose\nrgb: [255, 0, 127]\n",
      "blue.yaml": "name: Blue\nrgb: [0, 0, 255]\n",
    ])
    let store = try ItemStore(at: folder.path)
    let colors = try store.list(of: Color.self, sort: "name")
    var updates = colors.updates.makeAsyncIterator()
    var table = Table()
    table.apply(try #require(await updates.next()))
    #expect(table.text == ["Blue [0, 0, 255]", "Red [255, 0, 0]", "Rose [255, 0, 127]"])

    colors.search = "r"
    colors.search = "ro"
    table.apply(try #require(await updates.next()))
    #expect(table.text == ["Rose [255, 0, 127]"])
    colors.search = ""
    table.apply(try #require(await updates.next()))
    #expect(table.configured == 5)

    // One cell is configured again; the others stay as they are.
    try folder.write("name: Amber\nrgb: [255, 191, 0]\n", to: "red.yaml")
    await store.scan(DirtyPaths(files: ["red.yaml"]))
    let update = try #require(await updates.next())
    #expect(update.reconfigured == ["red"])
    table.apply(update)
    #expect(table.configured == 6)
    #expect(table.text == ["Amber [255, 191, 0]", "Blue [0, 0, 255]", "Rose [255, 0, 127]"])
    #expect(table.text == update.new.map { "\($0.name) \($0.rgb)" })
  }

  @Test func `a row of the table is found by its place and by the model's id`() throws {
    let folder = try TemporaryFolder([
      "red.yaml": "name: Red\nrgb: []\n", "blue.yaml": "name: Blue\nrgb: []\n",
    ])
    let colors = try ItemStore(at: folder.path).list(of: Color.self, sort: "name").snapshot
    let first = try #require(colors[ListPlace(section: 0, item: 0)])
    #expect(first.name == "Blue")
    #expect(colors.place(of: first.itemID) == ListPlace(section: 0, item: 0))
    #expect(colors[id: first.id] == first)
    #expect(colors[id: "red"]?.name == "Red")
  }
}
