import Query
import TextEdits

/// A merge of the changes of a model into the complete fields of its file.
///
/// `base` is the encoding of the model that the file decodes to, and `new` that of the model to
/// save. Only their differences are applied to `full`, so that fields that the type does not know
/// stay, at any depth, and untouched values keep their text.
struct ModelMerge {
  /// The defaults of the type, which serve missing fields. A field with a default is set to null
  /// instead of removed, because a missing field would get the default again.
  let defaults: Fields
  /// True if a map that the file does not have is written with its changed keys only, because its
  /// other keys are defaults; false if it is written completely.
  var writesChangesOnly = true
  /// Returns what the type decodes and encodes if the list at a path has only this element; nil if
  /// that is unknown.
  var alone: (_ path: [String], _ element: Value) -> [Value]? = { _, _ in nil }

  func merged(_ full: Fields, _ base: Fields, _ new: Fields) -> Fields {
    merged(full, base, new, defaults, at: [])
  }

  func inserted(_ new: Fields) -> Fields { ModelMerge.completed(new, defaults) }

  /// Returns fields with null instead of each field that is missing although it has a default.
  private static func completed(_ fields: Fields, _ defaults: Fields) -> Fields {
    defaults.reduce(into: fields) { fields, pair in
      switch (fields[pair.key], pair.value) {
      case (nil, _): fields.append(.null, unique: pair.key)
      case (.map(let own)?, .map(let other)): fields[pair.key] = .map(completed(own, other))
      default: break
      }
    }
  }

  /// - Parameter path: The path of the map; nil inside a list.
  private func merged(_ full: Fields, _ base: Fields, _ new: Fields, _ defaults: Fields, at path: [String]?)
    -> Fields
  {
    var fullKeys = FieldIndex(full)
    var baseKeys = FieldIndex(base)
    var newKeys = FieldIndex(new)
    var result: [(key: String, value: Value)] = []
    for (place, field) in full.enumerated() {
      let old = baseKeys.place(of: field.key, near: place).map { base[$0].value }
      let wanted = newKeys.place(of: field.key, near: place).map { new[$0].value }
      let value = merged(field.value, old, wanted, defaults[field.key], at: path.map { $0 + [field.key] })
      if let value { result.append((field.key, value)) }
    }
    for (place, field) in new.enumerated() where fullKeys.place(of: field.key, near: place) == nil {
      let old = baseKeys.place(of: field.key, near: place).map { base[$0].value }
      if let value = merged(nil, old, field.value, defaults[field.key], at: nil) {
        result.append((field.key, value))
      }
    }
    // A missing field that has a default, and is nil now.
    for (place, field) in base.enumerated() where fullKeys.place(of: field.key, near: place) == nil {
      guard newKeys.place(of: field.key, near: place) == nil, defaults[field.key] != nil else { continue }
      result.append((field.key, .null))
    }
    return result.reduce(into: Fields()) { $0.append($1.value, unique: $1.key) }
  }

  /// Returns the new value of a field or an element; nil if it is missing then.
  private func merged(_ full: Value?, _ base: Value?, _ new: Value?, _ defaults: Value?, at path: [String]?)
    -> Value?
  {
    if base == new { return full }
    guard let new else { return defaults == nil ? nil : .null }
    switch (full, base, new) {
    case (.map(let full)?, .map(let base)?, .map(let new)):
      return .map(merged(full, base, new, defaults?.fields ?? [:], at: path))
    case (nil, .map(let base)?, .map(let new)) where writesChangesOnly:
      return .map(merged([:], base, new, defaults?.fields ?? [:], at: nil))
    case (.list(let full)?, .list(let base)?, .list(let new)): return .list(merged(full, base, new, at: path))
    case (.number(let full)?, _, .number(let new)): return .number(new.styled(like: full))
    case (.date(let full)?, _, .date(let new)): return .date(new.styled(like: full))
    case (_, _, .map(let new)): return .map(ModelMerge.completed(new, defaults?.fields ?? [:]))
    default: return new
    }
  }

  // MARK: Lists

  private func merged(_ full: [Value], _ base: [Value], _ new: [Value], at path: [String]?) -> [Value] {
    guard
      let places = ElementPlaces(
        of: base, in: full, alone: { element in path.flatMap { alone($0, element) } })
    else { return new }
    let origins = ElementOrigins(of: new, in: base).origins
    var result: [(value: Value, place: Int?)] = []
    for (index, value) in new.enumerated() {
      if let origin = origins[index] {
        let place = places.places[origin]
        result.append((merged(full[place], base[origin], value, nil, at: nil) ?? value, place))
      } else {
        result.append((value, nil))
      }
    }
    if places.isReordered {
      // The order of the model is its own. The file keeps its order, and new elements are last.
      result =
        result.filter { $0.place != nil }.sorted { $0.place ?? 0 < $1.place ?? 0 }
        + result.filter { $0.place == nil }
    }
    // Elements that the model does not have stay after the element before them.
    for place in places.others {
      let index = (0..<place).reversed().lazy.compactMap { before in result.firstIndex { $0.place == before }
      }.first
      result.insert((full[place], place), at: index.map { $0 + 1 } ?? 0)
    }
    return result.map(\.value)
  }
}

extension Number {
  /// Returns this number in the notation of another number, if its value stays the same:
  /// `2` for 2.0 over `1`, `3.0` for 3 over `1.0`, `3.20` for 3.2 over `3.10`.
  func styled(like other: Number) -> Number {
    let styled: Number?
    switch (self, other) {
    // The sign of -0.0 would be lost.
    case (.double(let value), _)
    where other.isWrittenAsInteger && value.magnitude < 0x1p53 && (value != 0 || value.sign == .plus):
      styled = Int(exactly: value).map(Number.integer)
    case (.integer(let value), .double(let old)) where old.isFinite && value.magnitude < 1 << 53:
      styled = .double(Double(value))
    default: styled = padded(like: other)
    }
    guard let styled, styled.hasSameValue(as: self) else { return self }
    return styled
  }

  /// Returns this number with zeros at its end, so that it has as many digits after the point as
  /// the other one, if that ends in a zero.
  private func padded(like other: Number) -> Number? {
    guard case .literal(let model) = other, model.utf8.last == UInt8(ascii: "0"),
      let count = Number.fractionCount(model), count > 0
    else {
      return nil
    }
    let text = description
    guard let own = Number.fractionCount(text), own < count else { return nil }
    return Number(
      json: text + (text.utf8.contains(UInt8(ascii: ".")) ? "" : ".")
        + String(repeating: "0", count: count - own))
  }

  /// Nil for a number with an exponent and for an infinity.
  private static func fractionCount(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 }),
      Number(json: text) != nil
    else {
      return nil
    }
    return text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
      text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
    } ?? 0
  }
}

/// The old elements that the new elements of a list are versions of.
///
/// Equal elements belong together, wherever they are; then those with the same conventional key
/// (`id`, `name`, …); then those with the most fields in common. Elements without a common field
/// are different elements, so that unknown fields never get into another element.
private struct ElementOrigins {
  /// The position of the old element for each new one; nil for an added element.
  private(set) var origins: [Int?]
  private var isFree: [Bool]
  private let old: [Value]
  private let new: [Value]

  private static let maxComparisons = 1 << 14
  /// Keys that identify an element: two elements of different identity never belong together.
  private static let identities = ["id", "_id", "uuid", "guid", "key", "slug"]

  init(of new: [Value], in old: [Value]) {
    self.old = old
    self.new = new
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

  private func isOther(_ old: Value, _ new: Value) -> Bool {
    ElementOrigins.identities.contains { key in
      if let first = old[key], let second = new[key] { first != second } else { false }
    }
  }
}

/// The positions in a file's list of the elements of the decoded list.
///
/// Usually they have the same positions. A type may also decode a set, skip elements, or decode
/// other values than those of the file. Then they are found by what each element alone decodes to,
/// or by their values.
private struct ElementPlaces {
  let places: [Int]
  let others: [Int]

  var isReordered: Bool { zip(places, places.dropFirst()).contains { $0 > $1 } }

  private static let maxComparisons = 1 << 20
  /// Decoding an element alone costs as much as decoding the item.
  private static let maxDecodedAlone = 256

  /// Nil if an element cannot be found. `base` has the elements as the decoded list encodes them; for
  /// `alone` see `ModelMerge`.
  init?(of base: [Value], in full: [Value], alone: (Value) -> [Value]?) {
    let different =
      base.count == full.count ? base.indices.filter { !ElementPlaces.isSame(base[$0], full[$0]) } : []
    if base.count != full.count || !different.isEmpty,
      let known = ElementPlaces(of: base, decodedFrom: full, alone)
    {
      self = known
      return
    }
    if base.count == full.count {
      let isAffordable = different.count * different.count <= ElementPlaces.maxComparisons
      // Values may be decoded to others, as some URLs are; but if they are found elsewhere, the
      // type has its own order.
      let isReordered =
        isAffordable
        && different.contains { index in different.contains { ElementPlaces.isSame(base[index], full[$0]) } }
      if !isReordered {
        places = Array(base.indices)
        others = []
        return
      }
    }
    guard base.count * full.count <= ElementPlaces.maxComparisons else { return nil }
    var free = Array(full.indices)
    var found: [Int] = []
    for value in base {
      guard let index = free.firstIndex(where: { ElementPlaces.isSame(value, full[$0]) }) else { return nil }
      found.append(free.remove(at: index))
    }
    places = found
    others = free
  }

  /// Nil if what each element of the file decodes to does not explain the decoded list.
  private init?(of base: [Value], decodedFrom full: [Value], _ alone: (Value) -> [Value]?) {
    guard full.count <= ElementPlaces.maxDecodedAlone else { return nil }
    var known: [Value: [Int]] = [:]
    for index in full.indices.reversed() {
      guard let values = alone(full[index]), values.count <= 1 else { return nil }
      for value in values { known[value, default: []].append(index) }
    }
    var found: [Int] = []
    for value in base {
      guard let index = known[value]?.popLast() else { return nil }
      found.append(index)
    }
    places = found
    others = full.indices.filter(Set(full.indices).subtracting(found).contains)
  }

  /// Returns true if an encoded value is the one of the file: it may lack fields that the type does
  /// not know, and have defaults that the file lacks.
  private static func isSame(_ base: Value, _ full: Value) -> Bool {
    switch (base, full) {
    case (.map(let base), .map(let full)):
      var keys = FieldIndex(full)
      var common = 0
      for (place, field) in base.enumerated() {
        guard let index = keys.place(of: field.key, near: place) else { continue }
        if !isSame(field.value, full[index].value) { return false }
        common += 1
      }
      return common > 0 || base.isEmpty
    case (.list(let base), .list(let full)):
      return base.count == full.count && zip(base, full).allSatisfy { isSame($0, $1) }
    case (.number(let base), .number(let full)): return base.hasSameValue(as: full)
    case (.date(let base), .date(let full)):
      return base.seconds == full.seconds && abs(base.nanoseconds - full.nanoseconds) < 1_000
    case (.string(let base), .date(let full)): return base.hasSameBytes(as: full.text)
    default: return base == full
    }
  }
}
