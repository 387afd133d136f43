import Files
@testable import Store
import Testing
import Values

@testable import Query

struct SectionOrderTests {
  private static func sorted(_ ids: [SectionID], _ descriptor: SectionDescriptor?) -> [SectionID] {
    let order = SectionOrder(descriptor)
    return ids.sorted { order.key(of: $0) < order.key(of: $1) }
  }

  private static let ids: [SectionID] = ["note 10", "b", "", "Ä", "note 2", "c", "a", "work", "friends"]

  @Test func `sections without a given order are sorted as strings`() {
    let sorted = SectionOrderTests.sorted(SectionOrderTests.ids, SectionDescriptor("g"))
    #expect(sorted == ["a", "Ä", "b", "c", "friends", "note 2", "note 10", "work", ""])
  }

  @Test func `named sections come first, in their order, in either direction`() {
    let ascending = SectionDescriptor("g", order: ["work", "friends", "work", "none"])
    #expect(
      SectionOrderTests.sorted(SectionOrderTests.ids, ascending) == [
        "work", "friends", "a", "Ä", "b", "c", "note 2", "note 10", "",
      ])
    let descending = SectionDescriptor("g", descending: true, order: ["work", "friends"])
    #expect(
      SectionOrderTests.sorted(SectionOrderTests.ids, descending) == [
        "work", "friends", "note 10", "note 2", "c", "b", "Ä", "a", "",
      ])
    let order = SectionOrder(ascending)
    #expect(order.named == ["work", "friends", "none"])
    #expect(order.isNamed("none"))
    #expect(!order.isNamed("a"))
  }

  @Test func `a named section of items without a value has its place in the order`() {
    let order = SectionOrderTests.sorted(SectionOrderTests.ids, SectionDescriptor("g", order: ["work", ""]))
    #expect(order == ["work", "", "a", "Ä", "b", "c", "friends", "note 2", "note 10"])
  }

  @Test func `the root sorts as a string among folders`() {
    #expect(SectionOrderTests.sorted(["b", "", "a"], SectionDescriptor("@dir")) == ["", "a", "b"])
    #expect(
      SectionOrderTests.sorted(["b", "", "a"], SectionDescriptor("@dir", descending: true)) == ["b", "a", ""])
  }

  @Test func `different sections have different keys`() {
    let order = SectionOrder(SectionDescriptor("g"))
    #expect(order.key(of: "caf\u{e9}") != order.key(of: "cafe\u{301}"))
    #expect(order.key(of: "1") != order.key(of: "01"))
  }

  @Test func `a list without a section descriptor always has one section`() {
    let order = SectionOrder(nil)
    #expect(order.named == [""])
    #expect(order.sectionIDs(of: Item.sample("a.md", ["g": "x"]), nil) == [""])
  }
}
