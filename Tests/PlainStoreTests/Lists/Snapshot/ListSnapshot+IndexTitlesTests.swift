@testable import Store
import Testing
import Values

@testable import Query

struct ListSnapshotIndexTitlesTests {
  @Test(arguments: [
    ("ada", "A"), ("élan", "É"), ("e\u{301}lan", "É"), ("ßeta", "S"), ("ǆep", "ǅ"), ("ⅳ", "Ⅳ"), ("  x", "X"),
    ("42", "4"), ("日本", "日"),
    ("🇩🇪 x", "🇩🇪"),
    ("ა", "ა"), ("#a", "#"),
  ])
  func `the index title is the first letter as a capital`(name: String, letter: String) {
    #expect(Self.section(name, title: nil)?.indexTitle == letter)
    #expect(Self.section("other", title: name)?.indexTitle == letter)
  }

  @Test func `a section without a name has no index title`() throws {
    for name in ["", " "] { #expect(try #require(Self.section(name, title: nil)).indexTitle == nil) }
  }

  /// Returns the only section of a list whose items have one value.
  private static func section(_ name: String, title: String?) -> ListSection<Item>? {
    var store = FakeStore(["a": ["g": .string(name)]])
    let descriptor = SectionDescriptor("g", titles: title.map { [SectionID(name): $0] } ?? [:])
    return store.list(FetchRequest(section: descriptor)).snapshot.sections.first
  }

  @Test func `each index title occurs once and leads to its first section`() {
    var store = FakeStore(["a": ["g": "apple"], "b": ["g": "avocado"], "c": ["g": "fig"], "d": [:]])
    let list = store.list(FetchRequest(section: SectionDescriptor("g"))).snapshot
    #expect(list.sections.map(\.id) == ["apple", "avocado", "fig", ""])
    #expect(list.sectionIndexTitles == ["A", "F"])
    #expect(list.sectionIndex(forIndexTitle: "A") == 0)
    #expect(list.sectionIndex(forIndexTitle: "F") == 2)
    #expect(list.sectionIndex(forIndexTitle: "Q") == nil)
  }
}
