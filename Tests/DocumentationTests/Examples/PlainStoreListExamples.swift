import DiffableSnapshot
import Foundation
import PlainStore

@testable import Files

/// The examples in the documentation comments of `PlainStore` about lists, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreListExamples {
  // PlainStore/Aggregates/ResultsSnapshot+Aggregates.swift
  func aggregates(_ store: ItemStore) {
    let list = store.results().snapshot
    print(list.max("rating") ?? .null, list.average("rating") ?? .null, list.sum("price"))
  }

  // PlainStore/Aggregates/ResultsSnapshot+Aggregates.swift
  func counts(_ store: ItemStore) {
    let counts = store.results().snapshot.counts(by: "group")
    print(counts["friends"] ?? 0)
  }

  // PlainStore/Aggregates/ResultsSnapshot+Aggregates.swift
  func countsOfElements(_ store: ItemStore) {
    let tags = store.results().snapshot.counts(by: SectionDescriptor("tags", by: .element))
    _ = tags
  }

  // PlainStore/Aggregates/ResultsSnapshot+Aggregates.swift
  func groups(_ store: ItemStore) {
    for group in store.results().snapshot.grouped(by: "group") { print(group.id, group.count) }
  }

  // PlainStore/Hints/Hint.swift
  func hints(_ store: ItemStore) {
    let results = store.results(FetchRequest(sort: ["-raiting"]))
    for hint in results.hints { print(hint) }
  }

  // PlainStore/Items/Item.ID.swift
  func ids() {
    let name = "50% off"
    let offers: [Item.ID] = ["friends/ada", "sale/\(name)", Item.ID(name)]
    _ = offers
  }

  // PlainStore/Request/FetchRequest.swift
  func fetchRequest(_ store: ItemStore) throws {
    var request = FetchRequest()
    request.sort = ["-rating", "name"]
    request.predicate = try ItemPredicate("done = false AND due <= @today")
    let results = store.results(request)
    _ = results
  }

  // PlainStore/Request/ItemSortDescriptor.swift
  func sortByClosure(_ store: ItemStore) {
    let byLength = ItemSortDescriptor(by: { .number(.integer($0.id.description.count)) })
    let results = store.results(FetchRequest(sort: [byLength]))
    _ = results
  }

  // PlainStore/Request/SectionDescriptor.swift
  func sections() {
    let byGroup = SectionDescriptor("group", order: ["friends"])
    let byLetter = SectionDescriptor("name", by: .firstLetter)
    let byTag = SectionDescriptor("tags", by: .element)
    let bySize = SectionDescriptor(by: { $0.id.description.count > 9 ? "long" : "short" })
    _ = (byGroup, byLetter, byTag, bySize)
  }

  // PlainStore/Results/Changes/ResultsChange.swift
  func changesOfList(_ store: ItemStore) async {
    for await change in store.results().changes { print(change) }
  }

  // PlainStore/Results/Changes/ResultsUpdate+Changes.swift
  func updatesForDataSource(_ store: ItemStore) async {
    for await update in store.results().updates {
      let list = update.diffableSnapshot
      print(list.itemIdentifiers, list.reconfiguredItemIdentifiers)
    }
  }

  // PlainStore/Results/FieldChanges.swift
  func changesOfItem(_ old: Item, _ new: Item) {
    let changes = old.changes(to: new)
    print(changes.pointers)  // ["/rating"]
  }

  // PlainStore/Results/FetchedResults+Request.swift
  func changeRequest(_ results: FetchedResults) {
    results.change {
      $0.sort = ["-rating"]
      $0.limit = 10
    }
  }

  // PlainStore/Results/FetchedResults+Request.swift
  func window(_ results: FetchedResults) {
    results.window = 20..<40  // offset 20, limit 20
  }

  // PlainStore/Results/Sequences/FetchedResults+Sequences.swift
  func updates(_ results: FetchedResults, _ dataSource: (apply: (Snapshot<SectionID, Item.ID>) -> Void, Void))
    async
  {
    for await update in results.updates { dataSource.apply(update.diffableSnapshot) }
  }

  // PlainStore/Results/Changes/ResultsUpdate+Applying.swift
  func applyToItems(_ store: ItemStore) async {
    var rows: [Item] = []
    for await update in store.results().updates { update.apply(to: &rows) }
  }

  // PlainStore/Results/Sequences/FetchedResults+Sequences.swift
  func changes(_ results: FetchedResults) async {
    for await change in results.changes { print(change.kind, change.object.id) }
  }

  // PlainStore/Results/Sequences/FetchedResults+Sequences.swift
  func updatesAfter(_ results: FetchedResults) async {
    let shown = results.snapshot
    for await update in results.updates(after: shown) { print(update.changes) }
  }

  // PlainStore/Results/Sequences/FetchedResults+Sequences.swift
  func updatesOfItem(_ results: FetchedResults) async {
    for await ada in results.updates(of: "friends/ada") { print(ada?.fields.value ?? .null) }
  }

  // PlainStore/Results/Joint/JointUpdates.swift
  func jointUpdates(_ store: ItemStore) async throws {
    let open = store.results(FetchRequest(predicate: try ItemPredicate("done = false")))
    let done = store.results(FetchRequest(predicate: try ItemPredicate("done = true")))
    for await joint in store.updates(of: open, done) {
      let (opened, finished) = joint.updates
      print(opened?.new.count ?? 0, finished?.new.count ?? 0)
    }
  }

  // PlainStore/Results/FetchedResults.swift
  func search(_ store: ItemStore) {
    let results = store.results(FetchRequest(sort: ["-rating"]))
    Task {
      for await update in results.updates { print(update.new.count, update.diff.changes) }
    }
    results.search = "re"  // the next update, of origin `view`
  }

  // PlainStore/Results/FetchedResults+Request.swift
  func changeForSubscriber(_ results: FetchedResults, _ subscription: ResultsSubscription) {
    let (earlier, snapshot) = results.change(for: subscription) { $0.search = "re" }
    print(earlier as Any, snapshot.count)
  }

  // PlainStore/Request/SearchHighlighter.swift
  func highlight() {
    let highlighter = SearchHighlighter(FetchRequest(search: "ada lov"))
    let ranges = highlighter.ranges(in: "Ada Lovelace", of: "name")  // "Ada", "Lov"
    print(ranges.count)
  }

  // PlainStore/Survey/FieldSurvey.swift
  func fieldSurvey(_ store: ItemStore) {
    let survey = store.fieldSurvey()
    for field in survey.fields { print(field.path, field.kind?.phrase ?? "several kinds") }
  }

  // PlainStore/Worker/QueueExecutor.swift
  func saveOnQueue(_ store: ItemStore) {
    let executor = QueueExecutor("main")
    Task(executorPreference: executor) { try await store.delete("ada") }
  }

  // PlainStore/Results/Snapshot/ItemIndexPath.swift
  func indexPath() {
    let path = ItemIndexPath(section: 1, item: 0)
    print(path)  // [1, 0]
  }

  // PlainStore/Results/Snapshot/ResultsSection.swift
  func sectionsOfResults(_ results: FetchedResults) {
    for section in results.snapshot.sections {
      print(section.title ?? section.id.description, section.count)
      for contact in section { print(contact.id) }
    }
  }

  // PlainStore/Results/Snapshot/ResultsSnapshot+Collection.swift
  func firstItem(_ store: ItemStore) {
    let first = store.results().snapshot[0, 0]
    _ = first
  }

  // PlainStore/Results/Snapshot/ResultsSnapshot+Collection.swift
  func section(_ store: ItemStore) {
    let friends = store.results(FetchRequest(section: SectionDescriptor("group"))).snapshot[
      section: "friends"]
    _ = friends
  }

  // PlainStore/Settings/ViewDefinition.swift
  func view(_ settings: Settings) {
    let friends = settings.views["friends"] ?? ViewDefinition()
    var own = ViewDefinition()
    own.search = "ada"
    let request = friends.overridden(by: own).request
    _ = request
  }

  // PlainStore/Store/ItemStore+Fetching.swift
  func fetchItems(_ store: ItemStore) {
    let latest = store.fetch(FetchRequest(sort: ["-due"], limit: 3))
    print(latest.count, latest.max("due") ?? .null)
  }

  // PlainStore/Store/ItemStore+Fetching.swift
  func sumOfFetched(_ store: ItemStore) throws {
    let hours = try store.fetch(in: "todos/", where: "done = \(false)").sum("hours")
    _ = hours
  }

  // PlainStore/Store/ItemStore+Fetching.swift
  func count(_ store: ItemStore) throws {
    print(try store.count(in: "todos/", where: "done = \(false)"))
  }

  // PlainStore/Store/ItemStore+Lists.swift
  func listOfItems(_ store: ItemStore) throws {
    let open = try store.list(in: "todos/", where: "done = \(false)", sort: "due")
    _ = open
  }

  // PlainStore/Store/ItemStore+Opening.swift
  func open() async throws {
    let store = try await ItemStore.open("contacts")
    print(store.count)
  }

  // PlainStore/Store/ItemStore+Opening.swift
  func temporary() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
    print(store.count)  // 1
  }

  // PlainStore/Store/ItemStore+Opening.swift
  func seed(_ store: ItemStore) async throws {
    try await store.seed(["ada.yaml": "name: Ada\n", "bob.md": "Bob is here.\n"])
  }

  // PlainStore/Store/ItemStore+Settling.swift
  func settle(_ store: ItemStore, _ results: FetchedResults) async throws {
    try "name: Ada".write(toFile: "contacts/ada.yaml", atomically: true, encoding: .utf8)
    await store.settled()
    print(results.snapshot.count)  // 1
  }

  // PlainStore/Store/ItemStore.swift
  func store() async throws {
    let store = try await ItemStore.open("contacts")
    let results = try store.results { settings throws(SettingsError) in
      try settings.view(named: "friends").request
    }
    for await event in results.events { print(event) }
  }
}
