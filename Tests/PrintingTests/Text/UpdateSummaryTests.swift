import SampleLists
import Store
import Testing
import Values

@testable import Printing

@Suite struct UpdateSummaryTests {
  private func summary(_ old: [Item], _ new: [Item], origin: UpdateOrigin = .files) throws -> String {
    try SampleList(old).update(to: SampleList(new), origin: origin).summary
  }

  private func item(_ id: String, _ n: Int = 0) -> Item { .sample(id, ["n": .int(n)]) }

  @Test func `a summary names the items of each kind of change`() throws {
    let text = try summary([item("ada"), item("bob")], [item("ada", 1), item("cleo")], origin: .git)
    #expect(text == "1 inserted (cleo), 1 deleted (bob), 1 updated (ada), origin git, 2 items")
  }

  @Test func `a summary of many changes names the first ones`() throws {
    let text = try summary([], (1...1_500).map { item("note-\($0)") })
    #expect(text == "1,500 inserted (note-1, note-2, note-3, …), origin files, 1,500 items")
  }
}
