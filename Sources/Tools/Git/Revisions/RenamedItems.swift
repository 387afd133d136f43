import Store

/// The items that got another id between two states: removed items, paired with added items of
/// similar values.
///
/// As git does it for files: first equal items, then those that share at least half of the larger
/// one, most similar first. Values are compared, not bytes, so formatting does not matter. Linear,
/// except for lookups of values that few items have.
struct RenamedItems {
  private(set) var names: [Item.ID: Item.ID] = [:]

  init(from old: StoreState, to new: StoreState) {
    var removed = RenamedItems.items(of: old, missingIn: new)
    var added = RenamedItems.items(of: new, missingIn: old)
    if removed.isEmpty || added.isEmpty { return }
    // Among equal items, one with the same file name is preferred.
    pair(&removed, &added) { [$0.path.name: $0.fields] }
    pair(&removed, &added) { $0.fields }
    pairSimilar(removed.map(Features.init), added.map(Features.init))
  }

  /// The items that the other state lacks, in path order, but no empty ones: they would match anything.
  private static func items(of state: StoreState, missingIn other: StoreState) -> [Item] {
    state.items.values.filter { other.items[$0.id] == nil && $0.fields.value != .map([:]) }.sorted {
      $0.path < $1.path
    }
  }

  private mutating func pair<Key: Hashable>(
    _ removed: inout [Item], _ added: inout [Item], by key: (Item) -> Key
  ) {
    // Reversed, because partners are removed from the end.
    var waiting = Dictionary(grouping: removed.reversed(), by: key)
    added.removeAll { item in
      guard let partner = waiting[key(item)]?.popLast() else { return false }
      names[partner.id] = item.id
      return true
    }
    removed.removeAll { names[$0.id] != nil }
  }
}

// MARK: Similar items

extension RenamedItems {
  /// A value that more items than this share is not evidence for a pair, and would make the search
  /// quadratic.
  private static let maxHolders = 32

  private mutating func pairSimilar(_ removed: [Features], _ added: [Features]) {
    var holders: [Int: [Int]] = [:]
    for (index, features) in removed.enumerated() {
      for feature in features.weights.keys { holders[feature, default: []].append(index) }
    }
    var pairs: [(score: Double, removed: Int, added: Int)] = []
    for (index, features) in added.enumerated() {
      let candidates = features.weights.keys.reduce(into: Set<Int>()) { found, feature in
        if let some = holders[feature], some.count <= RenamedItems.maxHolders { found.formUnion(some) }
      }
      for candidate in candidates {
        let score = features.similarity(to: removed[candidate])
        if score >= 0.5 { pairs.append((score, candidate, index)) }
      }
    }
    pairs.sort { ($1.score, $0.removed, $0.added) < ($0.score, $1.removed, $1.added) }
    var used: Set<Int> = []
    for pair in pairs where names[removed[pair.removed].item.id] == nil && used.insert(pair.added).inserted {
      names[removed[pair.removed].item.id] = added[pair.added].item.id
    }
  }
}

/// The scalar values of an item, each with its field. Strings are split into lines.
private struct Features {
  let item: Item
  /// The size of each feature in bytes, by its hash.
  private(set) var weights: [Int: Int] = [:]
  private var total = 0

  init(_ item: Item) {
    self.item = item
    add(item.fields.value, Hasher(), depth: 0)
  }

  /// Returns the shared part of the larger item, from 0 to 1. The same file name adds a little.
  func similarity(to other: Features) -> Double {
    let common = weights.reduce(0) { sum, feature in sum + min(feature.value, other.weights[feature.key] ?? 0)
    }
    let share = Double(common) / Double(max(total, other.total, 1))
    return item.path.name == other.item.path.name ? share + (1 - share) / 10 : share
  }

  private mutating func add(_ value: Value, _ field: Hasher, depth: Int) {
    switch value {
    // Values nested deeper than this are ignored: the recursion must be bounded.
    case _ where depth > 64: break
    case .map(let fields):
      for (key, value) in fields {
        var field = field
        field.combine(key)
        add(value, field, depth: depth + 1)
      }
    case .list(let elements):
      for element in elements { add(element, field, depth: depth + 1) }
    default:
      for line in value.text.utf8.split(separator: 0x0A) {
        var field = field
        field.combine(String(Substring(line)))
        weights[field.finalize(), default: 0] += line.count + 1
        total += line.count + 1
      }
    }
  }
}
