import DirectoryWatch
import HashTreeCollections
import PlainStore
import PlainText

/// Which items of an older state went on under another id: those whose files are gone while others came with, by and large, the same values.
///
/// As git finds renames: first what is equal, then what shares at least half of the larger one, the most alike first; but what is compared are
/// values, so it does not matter how they are written. Linear, but for what is looked up by a value that few have.
struct RenamedItems {
  /// From the old id to the new one.
  private(set) var names: [Item.ID: Item.ID] = [:]

  init(from old: StoreState, to new: StoreState) {
    var gone = RenamedItems.items(of: old, missingIn: new)
    var come = RenamedItems.items(of: new, missingIn: old)
    if gone.isEmpty || come.isEmpty { return }
    // Of several copies one that keeps its file's name, where there is one.
    pair(&gone, &come) { Named(name: $0.path.name, fields: $0.fields) }
    pair(&gone, &come) { $0.fields }
    pairSimilar(gone.map(Features.init), come.map(Features.init))
  }

  private struct Named: Hashable {
    let name: Substring
    let fields: PackedValue
  }

  /// Those that say something: what is empty could be anything.
  private static func items(of state: StoreState, missingIn other: StoreState) -> [Item] {
    state.items.values.filter { other.items[$0.id] == nil && $0.fields.value != .map([:]) }.sorted { $0.path < $1.path }
  }

  private mutating func pair<Key: Hashable>(_ gone: inout [Item], _ come: inout [Item], by key: (Item) -> Key) {
    // From the last to the first, to be taken from the end.
    var waiting = Dictionary(grouping: gone.reversed(), by: key)
    come.removeAll { item in
      guard let partner = waiting[key(item)]?.popLast() else { return false }
      names[partner.id] = item.id
      return true
    }
    gone.removeAll { names[$0.id] != nil }
  }
}

// MARK: By and large the same

extension RenamedItems {
  /// Values that more items than this have say nothing about where one went.
  private static let mostHolders = 32

  private mutating func pairSimilar(_ gone: [Features], _ come: [Features]) {
    var holders: [Int: [Int]] = [:]
    for (index, features) in gone.enumerated() {
      for feature in features.weights.keys { holders[feature, default: []].append(index) }
    }
    var pairs: [(score: Double, gone: Int, come: Int)] = []
    for (index, features) in come.enumerated() {
      let candidates = features.weights.keys.reduce(into: Set<Int>()) { found, feature in
        if let some = holders[feature], some.count <= RenamedItems.mostHolders { found.formUnion(some) }
      }
      for candidate in candidates {
        let score = features.likeness(to: gone[candidate])
        if score >= 0.5 { pairs.append((score, candidate, index)) }
      }
    }
    pairs.sort { ($1.score, $0.gone, $0.come) < ($0.score, $1.gone, $1.come) }
    var taken: Set<Int> = []
    for pair in pairs where names[gone[pair.gone].item.id] == nil && taken.insert(pair.come).inserted {
      names[gone[pair.gone].item.id] = come[pair.come].item.id
    }
  }
}

/// The single values of an item, each with its field, and lines of long texts.
private struct Features {
  let item: Item
  /// By a hash of each, how much text it is.
  private(set) var weights: [Int: Int] = [:]
  private var total = 0

  init(_ item: Item) {
    self.item = item
    add(item.fields.value, Hasher(), depth: 0)
  }

  /// The part of the larger one that both have, and a little more where the file kept its name.
  func likeness(to other: Features) -> Double {
    let common = weights.reduce(0) { sum, feature in sum + min(feature.value, other.weights[feature.key] ?? 0) }
    let share = Double(common) / Double(max(total, other.total, 1))
    return item.path.name == other.item.path.name ? share + (1 - share) / 10 : share
  }

  private mutating func add(_ value: Value, _ field: Hasher, depth: Int) {
    switch value {
    // Deeper than this no two items are told apart.
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
