import Store
import TestSupport
import Testing
import Values

@testable import Browse

/// Random searches, predicates, orders, sections and views, while files and settings change.
@Suite struct ListRequestPropertyTests {
  /// What the person chose, and the request that follows from it.
  private struct Choices {
    var view: String?
    var search: String?
    var predicate: ItemPredicate?
    var sort: [ItemSortDescriptor]?
    var section: SectionDescriptor??
    var columns: (fields: [FieldPath], widths: [FieldPath: Int])?

    mutating func add(_ change: RequestChange) {
      switch change {
      case .search(let text): search = text
      case .predicate(let new): predicate = new
      case .sort(let new): sort = new
      case .section(let new): section = .some(new)
      case .columns(let fields, let widths): columns = (fields, widths)
      case .view(let name): self = Choices(view: name, search: search)
      }
    }

    func request(_ settings: Settings) throws -> FetchRequest {
      var request = try ListSource.request(settings, view)
      if let search { request.typedSearch = search }
      request.predicate = predicate ?? request.predicate
      request.sort = sort ?? request.sort
      if case .some(let section) = section { request.section = section }
      if let columns { (request.fields, request.widths) = columns }
      request.sortsByRelevance = request.searches
      return request
    }
  }

  private static let settings = "views: {down: {sort: [-n]}, big: {where: n > 2, section: word}}\n"

  private func change(_ generator: inout SeededGenerator) throws -> RequestChange {
    switch generator.below(7) {
    case 0, 1: .search(generator.one(of: ["", "w", "w1", "w2 1", "none", "W1"]))
    case 2:
      .predicate(
        generator.oneIn(3)
          ? nil : try ItemPredicate(generator.one(of: ["n < 5", "word = 'w1'", "n > 2"])))
    case 3: .sort(generator.one(of: [["n"], ["-n"], ["word", "-n"], []]))
    case 5:
      .columns(generator.one(of: [[], ["n"], ["word", "n"]]), widths: generator.oneIn(2) ? [:] : ["n": 9])
    case 4: .section(generator.oneIn(2) ? nil : SectionDescriptor("word"))
    default: .view(generator.one(of: [nil, "down", "big"]))
    }
  }

  private func write(_ folder: TemporaryFolder, _ generator: inout SeededGenerator) throws {
    let name = "\(generator.below(12)).yaml"
    if generator.oneIn(4) {
      try? folder.remove(name)
    } else {
      try folder.write("n: \(generator.below(8))\nword: w\(generator.below(3))\n", to: name)
    }
  }

  @Test(arguments: Randomness.seeds(4))
  func `the list that is shown is that of a new store with the request that was chosen`(_ seed: UInt64)
    async throws
  {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder([".notes-watch.yaml": ListRequestPropertyTests.settings])
    for _ in 0..<8 { try write(folder, &generator) }
    let driver = try await FollowerDriver.open(folder)
    var choices = Choices()
    for _ in 0..<40 {
      if generator.oneIn(2) { try write(folder, &generator) }
      if generator.oneIn(4) { try driver.take() }
      let change = try change(&generator)
      driver.follower.change(change)
      choices.add(change)
    }
    await driver.follower.store?.settled()
    let fresh = try ItemStore(at: folder.path)
    let expected = fresh.fetch(try choices.request(fresh.settings))
    try await driver.wait("for the chosen list; \(seedNote(seed))") {
      driver.snapshot?.request == expected.request && driver.snapshot?.list == expected.list
        && driver.snapshot?.map(\.fields) == expected.map(\.fields)
    }
    #expect(driver.outcomes.isEmpty, "\(seedNote(seed))")
  }
}
