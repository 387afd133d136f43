import PlainText
import Testing

@testable import PlainStore

struct ResultsSnapshotIndexTitlesTests {
  @Test(arguments: [
    ("ada", "A"), ("élan", "É"), ("e\u{301}lan", "É"), ("ßeta", "S"), ("ǆep", "ǅ"), ("ⅳ", "Ⅳ"), ("  x", "X"), ("42", "4"), ("日本", "日"),
    ("🇩🇪 x", "🇩🇪"),
    ("ა", "ა"), ("#a", "#"),
  ])
  func `the index title is the first letter as a capital`(name: String, letter: String) {
    #expect(ResultsSnapshot.Section(id: SectionID(name), title: nil, count: 0).indexTitle == letter)
    #expect(ResultsSnapshot.Section(id: "other", title: name, count: 0).indexTitle == letter)
  }

  @Test func `a section without a name has no index title`() {
    #expect(ResultsSnapshot.Section(id: "", title: nil, count: 1).indexTitle == nil)
    #expect(ResultsSnapshot.Section(id: " ", title: nil, count: 1).indexTitle == nil)
  }

  @Test func `each index title occurs once and leads to its first section`() {
    var store = FakeStore(["a": ["g": "apple"], "b": ["g": "avocado"], "c": ["g": "fig"], "d": [:]])
    let list = store.list(FetchRequest(section: SectionDescriptor("g"))).snapshot
    #expect(list.sections.map(\.id) == ["", "apple", "avocado", "fig"])
    #expect(list.sectionIndexTitles == ["A", "F"])
    #expect(list.sectionIndex(forIndexTitle: "A") == 1)
    #expect(list.sectionIndex(forIndexTitle: "F") == 3)
    #expect(list.sectionIndex(forIndexTitle: "Q") == nil)
  }
}
