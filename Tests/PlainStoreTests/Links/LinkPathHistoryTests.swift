import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// Lists that read through links, beside new lists of the same items and values without links.
struct LinkPathHistoryTests {
  private struct Country: PlainModel {
    var id: String
    var name: String?
  }

  private struct Author: PlainModel {
    var id: String
    var name: String?
    var country: Link<Country>?
    var rating: Int?
    static let defaults: Fields = ["name": "Zoe"]
  }

  private struct Book: PlainModel {
    var id: String
    var title: String?
    var author: Link<Author>?
    var reviewers: [Link<Author>]?
    var sequel: Link<Book>?
    enum CodingKeys: String, CodingKey { case id, title, author = "by", reviewers, sequel }
    static let defaults: Fields = ["by": "people/p0"]
  }

  private static let predicates: [ItemPredicate?] = [
    nil, nil, "title = 'a'", "by = 'people/p1'", "by.name BEGINSWITH 'A'", "by.name = nil", "by.name = title",
    "by.country.name = 'UK'", "NOT by.country.name = 'UK'", "ANY reviewers.name = 'Ada'",
    "NONE reviewers.rating > 1", "ANY reviewers.country.name = 'FR'", "reviewers.@count > 1",
    "reviewers.name.@count > 1", "reviewers[0].name = 'Ada'", "reviewers.rating.@max > 1",
    "reviewers.@sum.rating > 2", "ANY reviewers (name = 'Ada' AND rating > 1)",
    "ANY reviewers (country.name = 'UK' OR SELF = 'people/p2')", "sequel.by.name = 'Ada'",
    "sequel.sequel.title = 'b'", "sequel.by.country.name != nil",
  ]

  private static func request(_ random: inout SeededGenerator) -> FetchRequest {
    let sorts: [[ItemSortDescriptor]] = [
      [], ["title"], ["by.name"], ["-by.country.name", "title"], ["-reviewers.rating.@sum"],
      ["reviewers[0].name"], ["sequel.title", "-by.name"],
    ]
    let sections: [SectionDescriptor?] = [
      nil, nil, "title", "by.name", "-by.country.name", SectionDescriptor("reviewers.name", by: .element),
      SectionDescriptor("sequel.reviewers.country.name", by: .element),
    ]
    let folders: [RelativePath?] = ["books", "books", nil]
    let isSearched = random.oneIn(4)
    return FetchRequest(
      sort: random.one(of: sorts), section: random.one(of: sections), folder: random.one(of: folders),
      predicate: random.one(of: predicates), search: isSearched ? random.one(of: ["a", "b", "uk"]) : "",
      searchFields: random.one(of: [["by.name"], ["by.country.name", "title"], ["reviewers.name"]]),
      limit: random.oneIn(4) ? random.below(4) : nil, offset: random.oneIn(6) ? 1 : 0)
  }

  /// Returns the id of an item, with its new fields or nil if it goes.
  private static func change(_ random: inout SeededGenerator) -> (String, Fields?) {
    var fields: Fields = [:]
    func set(_ key: String, _ value: Value, _ random: inout SeededGenerator) {
      if !random.oneIn(4) { fields[key] = value }
    }
    let person = { (random: inout SeededGenerator) in Value.string("people/p\(random.below(5))") }
    let id: String
    switch random.below(6) {
    case 0:
      id = "c\(random.below(3))"
      set("name", random.one(of: ["UK", "FR"]), &random)
    case 1, 2:
      id = "people/p\(random.below(5))"
      set("name", random.one(of: ["Ada", "Al", "Bob"]), &random)
      set("country", .string("c\(random.below(4))"), &random)
      set("rating", .number(.integer(random.below(4))), &random)
    default:
      id = "books/b\(random.below(7))"
      set("title", random.one(of: ["a", "b", "Ada"]), &random)
      set("by", person(&random), &random)
      set("reviewers", .list((0..<random.below(4)).map { _ in person(&random) }), &random)
      set("sequel", .string("books/b\(random.below(8))"), &random)
    }
    return (id, random.oneIn(6) ? nil : fields)
  }

  /// The fields of an item with maps instead of links, as far as paths reach.
  private static func expanded(_ id: Item.ID, as type: String, _ items: [Item.ID: Item], depth: Int = 3)
    -> Value?
  {
    guard depth >= 0, var fields = items[id]?.fields.value.fields else { return nil }
    if type == "author", fields["name"] == nil { fields["name"] = "Zoe" }
    if type == "book", fields["by"] == nil { fields["by"] = "people/p0" }
    let links = [
      "book": ["by": "author", "reviewers": "author", "sequel": "book"], "author": ["country": "country"],
    ]
    for (key, target) in links[type] ?? [:] {
      func map(_ link: Value) -> Value {
        expanded(Item.ID(link.text), as: target, items, depth: depth - 1) ?? link
      }
      switch fields[key] {
      case .list(let elements)?: fields[key] = .list(elements.map(map))
      case let link?: fields[key] = map(link)
      case nil: break
      }
    }
    return .map(fields)
  }

  @Test(arguments: Randomness.seeds(150))
  func `a list that reads through links equals a new list after each step`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let decoder = ModelDecoder(Book.self) { _ in nil }
    var store = FakeStore()
    for _ in 0..<random.below(20) {
      let (id, fields) = Self.change(&random)
      store.change([id: fields])
    }
    var request = Self.request(&random)
    let list = LiveList<Item>(store.state, request: request, decoding: decoder)
    let subscription = list.subscribe()
    var rows: [[Item]] = []
    for round in 0..<60 {
      if random.oneIn(6) {
        request = Self.request(&random)
        list.change { [request] in $0 = request }
      } else {
        let before = store.state
        for _ in 0...random.below(3) {
          let (id, fields) = Self.change(&random)
          store.change([id: fields])
        }
        let changes = StoreChanges(from: before, to: store.state)
        list.update(with: StoreStep(state: store.state, changes: changes, origin: .files))
      }
      let note = Comment(rawValue: "round \(round), \(request); \(seedNote(seed))")
      let live = list.snapshot
      let fresh = ListSnapshot<Item>(of: store.state, request: request, decoder: decoder)
      #expect(live.list == fresh.list, note)
      #expect(live.totalCount == fresh.totalCount, note)
      #expect(Set(live.items.keys) == Set(fresh.items.keys), note)
      // The list has the items that match with maps instead of links, unless the predicate is about their ids.
      if request.predicate?.text.contains("people/") == true { continue }
      let matching = store.items.values.filter { item in
        let isInside = request.folder == nil || item.path.description.hasPrefix("books/")
        let value = Self.expanded(item.id, as: "book", store.items)
        return isInside
          && request.predicate.map { predicate in value.map { predicate.matches($0) } == true } ?? true
      }
      #expect(Set(live.items.keys) == Set(matching.map(\.id)), note)
      if random.oneIn(3) { continue }
      while let update = subscription.consumeStep()?.updateFromNothing {
        ListUpdate<Item>(update).apply(to: &rows)
      }
      #expect(rows.map { $0.map(\.id) } == live.sections.map { $0.map(\.id) }, note)
    }
  }
}
