import DiffableSnapshot
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct ListSnapshotCollectionTests {
  /// Contacts in two sections, with a third one that stays although it is empty.
  private static func contacts() -> ListSnapshot<Item> {
    var store = FakeStore([
      "ada": ["name": "Ada", "group": "friends"], "bob": ["name": "Bob", "group": "work"],
      "cleo": ["name": "Cleo", "group": "friends"],
    ])
    let section = SectionDescriptor("group", order: ["friends", "family"], titles: ["friends": "Friends"])
    return store.list(FetchRequest(sort: ["name"], section: section)).snapshot
  }

  @Test func `a snapshot is a collection of its items in order`() {
    let contacts = Self.contacts()
    #expect(contacts.map(\.id) == ["ada", "cleo", "bob"])
    #expect(contacts.count == 3)
    #expect(contacts.first?.id == "ada")
    #expect(contacts.last?.id == "bob")
    #expect(contacts[1].id == "cleo")
    #expect(contacts.reversed().map(\.id) == ["bob", "cleo", "ada"])
    #expect(contacts[1...].map(\.id) == ["cleo", "bob"])
    #expect(!contacts.isEmpty)
  }

  @Test func `a section is a collection of its items with an id and a title`() {
    let sections = Self.contacts().sections
    #expect(sections.map(\.id) == ["friends", "family", "work"])
    #expect(sections.map(\.title) == ["Friends", nil, nil])
    #expect(sections.map(\.indexTitle) == ["F", "F", "W"])
    #expect(sections.map { $0.map(\.id.description) } == [["ada", "cleo"], [], ["bob"]])
    #expect(Array(sections[0]).map(\.id) == ["ada", "cleo"])
    #expect(sections[0][1].id == "cleo")
    #expect(sections[1].isEmpty)
    #expect(Self.contacts()[section: "work"]?.map(\.id) == ["bob"])
    #expect(Self.contacts()[section: "nowhere"] == nil)
  }

  @Test func `an item is found by its place and its id`() {
    let contacts = Self.contacts()
    #expect(contacts[ListPlace(section: 0, item: 1)]?.id == "cleo")
    #expect(contacts[ListPlace(section: 2, item: 0)]?.id == "bob")
    #expect(contacts[section: "friends"]?[1].id == "cleo")
    #expect(contacts[id: "bob"]?.value(at: "name") == "Bob")
    #expect(contacts.place(of: "cleo") == ListPlace(section: 0, item: 1))
    #expect(contacts.place(of: "bob") == ListPlace(section: 2, item: 0))
    #expect(contacts.section(of: "cleo") == "friends")
    #expect(contacts.index(of: "bob") == 2)
  }

  @Test(arguments: [(-1, 0), (0, -1), (0, 2), (1, 0), (3, 0), (.max, .max), (.min, .min)])
  func `a place that does not exist has no item`(section: Int, item: Int) {
    #expect(Self.contacts()[ListPlace(section: section, item: item)] == nil)
  }

  @Test func `a section or an id that is not shown has no item`() {
    let contacts = Self.contacts()
    #expect(contacts[section: "nowhere"] == nil)
    #expect(contacts[id: "dan"] == nil)
    #expect(contacts.place(of: "dan") == nil)
    #expect(contacts.places(of: "dan") == [])
    #expect(contacts.section(of: "dan") == nil)
    #expect(contacts.index(of: "dan") == nil)
  }

  @Test func `every way to an item leads to the same one`() {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      var store = FakeStore()
      for number in 0..<30 {
        store.change([
          "i\(number)": [
            "group": .string(random.one(of: ["x", "y", "z"])), "n": .number(.integer(random.below(9))),
          ]
        ])
      }
      let window = random.oneIn(2) ? 3..<20 : nil
      let request = FetchRequest(
        sort: ["n"], section: SectionDescriptor("group"), limit: window?.count,
        offset: window?.lowerBound ?? 0)
      let list = store.list(request).snapshot
      #expect(list.count == list.sections.reduce(0) { $0 + $1.count })
      for (position, item) in list.enumerated() {
        #expect(list[position] === item)
        #expect(list.index(of: item.id) == position)
        #expect(list[id: item.id] === item)
        #expect(list.list.place(of: item.id).flatMap { list[section: $0.section]?[$0.index] } === item)
        #expect(list.place(of: item.id).flatMap { list[$0] } === item, "\(seedNote(seed))")
      }
      let objects = list.sections.flatMap { Array($0).map(\.id) }
      #expect(objects == list.map(\.id), "\(seedNote(seed))")
    }
  }

  @Test func `snapshots, sections and places print a short line`() {
    let contacts = Self.contacts()
    #expect(contacts.description == "3 items: friends [ada, cleo], family [], work [bob]")
    #expect(contacts.sections[0].description == "friends [ada, cleo]")
    #expect(ListPlace(section: 1, item: 2).description == "[1, 2]")
    var store = FakeStore()
    #expect(store.list().snapshot.description == "0 items")
    for number in 10..<22 { store.change(["i\(number)": [:]]) }
    #expect(
      store.list().snapshot.description == "12 items: i10, i11, i12, i13, i14, i15, i16, i17, i18, i19, …")
    #expect(store.list(FetchRequest(limit: 1)).snapshot.description == "1 item: i10")
  }
}
