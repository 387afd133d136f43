import Store
import TestSupport
import Testing

@testable import Browse

@Suite struct OwnRevisionsTests {
  @Test func `a state that another program made in between ends the chain`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    let first = try #require(store.item("ada"))
    let painted = PaintedItem("ada", first.revision)
    var own = OwnRevisions()
    try folder.write("rating: 2\n", to: "ada.yaml")
    await store.refresh()
    let second = try #require(store.item("ada"))
    #expect(!own.leads(from: painted, to: second))
    own.record(painted, from: first, to: second.ownFields)
    #expect(own.leads(from: painted, to: second))
    try folder.write("rating: 3\n", to: "ada.yaml")
    await store.refresh()
    let third = try #require(store.item("ada"))
    #expect(!own.leads(from: painted, to: third))
    own.record(PaintedItem("ada", third.revision), from: third, to: third.ownFields)
    #expect(!own.leads(from: painted, to: third))
  }

  @Test func `an older own state is not one that follows from a newer one`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    var items: [Item] = []
    for number in 1...3 {
      try folder.write("rating: \(number)\n", to: "a.yaml")
      await store.refresh()
      items.append(try #require(store.item("a")))
    }
    var own = OwnRevisions()
    own.record(PaintedItem("a", items[0].revision), from: items[0], to: items[1].ownFields)
    own.record(PaintedItem("a", items[1].revision), from: items[1], to: items[2].ownFields)
    #expect(own.leads(from: PaintedItem("a", items[0].revision), to: items[1]))
    #expect(own.leads(from: PaintedItem("a", items[1].revision), to: items[2]))
    #expect(!own.leads(from: PaintedItem("a", items[2].revision), to: items[1]))
    #expect(!own.leads(from: PaintedItem("a", items[1].revision), to: items[0]))
  }
}
