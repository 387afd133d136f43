import TextEdits
import Values

/// The old elements that the new elements of a list are versions of.
///
/// Equal elements belong together, wherever they are; then those with the same conventional key
/// (`id`, `name`, …); then those with the most fields in common. Elements without a common field
/// are different elements, so that unknown fields never get into another element.
struct ElementOrigins {
  /// The position of the old element for each new one; nil for an added element.
  private(set) var origins: [Int?]
  private var isFree: [Bool]
  private let old: [Value]
  private let new: [Value]

  private static let maxComparisons = 1 << 14
  /// Keys whose values identify an element. Two elements of different identity never belong
  /// together.
  private static let identities = ["id", "_id", "uuid", "guid", "key", "slug"]

  init(of new: [Value], in old: [Value]) {
    (self.old, self.new) = (old, new)
    origins = [Int?](repeating: nil, count: new.count)
    isFree = [Bool](repeating: true, count: old.count)
    let pairs = SequenceAlignment(old, new).pairs
    for pair in pairs { match(pair.second, pair.first) }
    matchMoved()
    for key in ElementOrigins.identities + ["name"] { matchByKey(key) }
    matchNearest(Array(old.indices), Array(new.indices), minimum: 0.6)
    var start = (old: 0, new: 0)
    for pair in pairs + [(first: old.count, second: new.count)] {
      matchChanged(old: start.old..<pair.first, new: start.new..<pair.second)
      start = (pair.first + 1, pair.second + 1)
    }
    matchNearest(Array(old.indices), Array(new.indices), minimum: 0.5)
  }

  private mutating func match(_ index: Int, _ origin: Int) {
    origins[index] = origin
    isFree[origin] = false
  }

  /// Matches equal elements in another order.
  private mutating func matchMoved() {
    var known: [Value: [Int]] = [:]
    for place in old.indices.reversed() where isFree[place] { known[old[place], default: []].append(place) }
    for index in new.indices where origins[index] == nil {
      if let place = known[new[index]]?.popLast() { match(index, place) }
    }
  }

  /// Matches elements with the same value of a key that no other element has.
  private mutating func matchByKey(_ key: String) {
    var known: [Value: [Int]] = [:]
    for place in old.indices where isFree[place] {
      if let name = old[place][key] { known[name, default: []].append(place) }
    }
    var wanted: [Value: [Int]] = [:]
    for index in new.indices where origins[index] == nil {
      if let name = new[index][key] { wanted[name, default: []].append(index) }
    }
    for (name, indices) in wanted {
      guard indices.count == 1, let places = known[name], places.count == 1,
        !isOther(old[places[0]], new[indices[0]])
      else { continue }
      match(indices[0], places[0])
    }
  }

  /// Matches the changed elements between two equal ones.
  private mutating func matchChanged(old range: Range<Int>, new newRange: Range<Int>) {
    let places = range.filter { isFree[$0] }
    let indices = newRange.filter { origins[$0] == nil }
    if places.count == indices.count {
      for (place, index) in zip(places, indices) where isVersion(old[place], new[index]) {
        match(index, place)
      }
    } else {
      matchNearest(places, indices, minimum: 0)
    }
  }

  /// Matches the elements that have the most fields in common.
  ///
  /// - Parameter minimum: The part of the fields that must be equal, from 0 to 1.
  private mutating func matchNearest(_ places: [Int], _ indices: [Int], minimum: Double) {
    let places = places.filter { isFree[$0] }
    let indices = indices.filter { origins[$0] == nil }
    guard places.count * indices.count <= ElementOrigins.maxComparisons else { return }
    var candidates: [(common: Int, place: Int, index: Int)] = []
    for place in places {
      for index in indices where !isOther(old[place], new[index]) {
        guard case .map(let first) = old[place], case .map(let second) = new[index] else { continue }
        let common = first.commonCount(with: second)
        if common > 0, Double(common) >= minimum * Double(max(first.count, second.count)) {
          candidates.append((common, place, index))
        }
      }
    }
    // The sort is stable: of equal candidates, the first elements win.
    for candidate in candidates.sorted(by: { $0.common > $1.common })
    where isFree[candidate.place] && origins[candidate.index] == nil {
      match(candidate.index, candidate.place)
    }
  }

  /// Returns true if an element may have been changed in place: it still has a field of the old
  /// element, or both have only one field.
  private func isVersion(_ old: Value, _ new: Value) -> Bool {
    guard case .map(let first) = old, case .map(let second) = new else { return true }
    return !isOther(old, new) && (first.commonCount(with: second) > 0 || max(first.count, second.count) == 1)
  }

  /// Returns true if the elements have different identities.
  private func isOther(_ old: Value, _ new: Value) -> Bool {
    ElementOrigins.identities.contains { key in
      if let first = old[key], let second = new[key] { first != second } else { false }
    }
  }
}
