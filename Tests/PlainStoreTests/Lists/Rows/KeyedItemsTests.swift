@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// Items are sorted as their keys are.
struct KeyedItemsTests {
  @Test(arguments: Randomness.seeds(200))
  func `sorting and merging give the order of the keys`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var parts = (0..<1 + random.below(5)).map { _ in KeyedItems() }
    var keys: [(number: Int, key: SortKey)] = []
    let prefix = String(repeating: "x", count: random.below(20))
    for number in 0..<random.below(60) {
      let text =
        prefix + (0..<random.below(24)).map { _ in random.one(of: ["a", "b", "0", "1", "\0", "é"]) }.joined()
      var builder = SortKeyBuilder()
      KeyedItemsTests.append(text, number, to: &builder)
      keys.append((number, builder.finish()))
      KeyedItemsTests.append(text, number, to: &builder)
      parts[random.below(parts.count)].append(number, &builder)
    }
    for index in parts.indices { parts[index].sort() }
    let expected = keys.sorted { $0.key < $1.key }.map(\.number)
    #expect(KeyedItems.merged(parts) == expected, "\(seedNote(seed))")
  }

  @Test(arguments: Randomness.seeds(2))
  func `pieces that are merged alone give the order of the keys`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var parts = (0..<2 + random.below(4)).map { _ in KeyedItems() }
    var keys: [(number: Int, key: SortKey)] = []
    for number in 0..<18_000 + random.below(9_000) {
      var builder = SortKeyBuilder()
      // Few texts, so that the cuts lie between keys that begin alike.
      let text = random.one(of: ["", "a", "ab", "b"])
      KeyedItemsTests.append(text, number, to: &builder)
      keys.append((number, builder.finish()))
      KeyedItemsTests.append(text, number, to: &builder)
      // The last part is the longest.
      parts[min(parts.count - 1, random.below(2 * parts.count))].append(number, &builder)
    }
    for index in parts.indices { parts[index].sort() }
    let expected = keys.sorted { $0.key < $1.key }.map(\.number)
    #expect(KeyedItems.merged(parts) == expected, "\(seedNote(seed))")
  }

  /// The keys of one list have the same segments, and the id makes them unique.
  private static func append(_ text: String, _ number: Int, to builder: inout SortKeyBuilder) {
    builder.append(.string(text), descending: false)
    builder.append(id: "\(number)")
  }

  @Test func `a long list is arranged by several threads as a short one by one`() {
    let items = (0..<20_000).map { Item.sample(RelativePath(bytes: "\($0 * 7919 % 20_000).md".utf8), [:]) }
    let arrangement = ItemArrangement(of: StoreState(items), sort: [], order: SectionOrder(nil))
    #expect(arrangement.ids.map(\.description) == (0..<20_000).map(String.init))
  }
}
