extension ValueMerger {
  /// Merges two lists. Returns nil if they are in conflict.
  mutating func mergeLists(_ base: [Value]?, _ ours: [Value], _ theirs: [Value], _ rule: MergeRules.Rule?)
    -> Value?
  {
    let old = base ?? []
    switch rule {
    case .union?:
      if let merged = ValueMerger.mergeUnion(old, ours, theirs) { return decide(.list(merged)) }
    case .set?:
      if let merged = ValueMerger.mergeSets(old, ours, theirs) { return decide(.list(merged)) }
    case .keyed(let key)?:
      if let old = KeyedList(old, by: key), let own = KeyedList(ours, by: key),
        let other = KeyedList(theirs, by: key)
      {
        return mergeKeyed(old, own, other)
      }
    default: break
    }
    return mergeOrdered(old, ours, theirs)
  }

  /// Our elements, then those of theirs with other values; nil if both rewrote a number.
  private static func mergeUnion(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let old = elements(base)
    let other = elements(theirs)
    guard let merged = written(ours, old, other) else { return nil }
    var known = Set(ours.map(\.canonical))
    return merged + theirs.filter { known.insert($0.canonical).inserted }
  }

  /// Our order, then the elements that they added; nil if a list has duplicates.
  private static func mergeSets(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let sets = (base: elements(base), ours: elements(ours), theirs: elements(theirs))
    guard sets.base.count == base.count, sets.ours.count == ours.count, sets.theirs.count == theirs.count
    else { return nil }
    let kept = ours.filter { sets.theirs[$0.canonical] != nil || sets.base[$0.canonical] == nil }
    guard let merged = written(kept, sets.base, sets.theirs) else { return nil }
    return merged + theirs.filter { sets.ours[$0.canonical] == nil && sets.base[$0.canonical] == nil }
  }

  private static func elements(_ list: [Value]) -> [Value: Value] {
    Dictionary(list.map { ($0.canonical, $0) }) { first, _ in first }
  }

  /// Our elements as the side wrote them that rewrote their numbers; nil if both did so differently.
  private static func written(_ ours: [Value], _ base: [Value: Value], _ theirs: [Value: Value])
    -> [Value]?
  {
    var merged: [Value] = []
    for own in ours {
      let key = own.canonical
      guard let other = theirs[key], other != own, base[key] != other else {
        merged.append(own)
        continue
      }
      guard base[key] == own else { return nil }
      merged.append(other)
    }
    return merged
  }

  /// Merges the elements in order. If both sides changed as many maps as there were, these are merged one
  /// by one, provided that they are certainly the same elements. Otherwise the list is in conflict.
  private mutating func mergeOrdered(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> Value? {
    let known = (conflicts: conflicts.count, decisions: decisions.count)
    guard let merged = orderedElements(base, ours, theirs),
      ValueMerger.keepsElements(merged, base, ours, theirs),
      ElementIdentity.isUnambiguous(merged, after: base, ours, theirs)
    else {
      // The complete list is in conflict, with everything in it.
      conflicts.removeSubrange(known.conflicts...)
      decisions.removeSubrange(known.decisions...)
      return nil
    }
    return .list(merged)
  }

  /// Returns false if an element that exactly one side added is missing, or if an element that
  /// exactly one side removed is present, for example because the other side moved it.
  private static func keepsElements(
    _ merged: [Value], _ base: [Value], _ ours: [Value], _ theirs: [Value]
  ) -> Bool {
    var counts: [Value: (versions: Versions<Int>, merged: Int)] = [:]
    let none = (versions: Versions(0, 0, 0), merged: 0)
    for element in base { counts[element, default: none].versions.base += 1 }
    for element in ours { counts[element, default: none].versions.ours += 1 }
    for element in theirs { counts[element, default: none].versions.theirs += 1 }
    for element in merged { counts[element, default: none].merged += 1 }
    return counts.values.allSatisfy { count, merged in
      // A new element may have been merged with another version of itself.
      if count.base == 0 { return true }
      if count.ours == count.base { return merged == count.theirs }
      return count.theirs != count.base || merged == count.ours
    }
  }

  private mutating func orderedElements(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let identity = ElementIdentity(base: base, ours: ours, theirs: theirs)
    var merged: [Value] = []
    for chunk in SequenceMerge(Versions(base, ours, theirs)).gitChunks {
      if let elements = chunk.settled {
        merged += elements
        continue
      }
      let old = chunk.base
      let own = chunk.ours
      let other = chunk.theirs
      guard old.count == own.count, old.count == other.count,
        (old + own + other).allSatisfy({ $0.fields != nil }),
        old.indices.allSatisfy({ identity.isSameElement(old[$0], own[$0], other[$0]) })
      else { return nil }
      for index in old.indices {
        let step = Step(
          element: merged.count, ours: identity.ours.place(of: own[index]),
          theirs: identity.theirs.place(of: other[index]))
        let versions = Versions<Value?>(old[index], own[index], other[index])
        if let value = merge(versions, at: step) { merged.append(value) }
      }
    }
    return merged
  }
}

private struct KeyedList {
  let names: [Value]
  let elements: [Value: Value]

  /// Returns nil if an element is no map with the field, or if two have the same value.
  init?(_ list: [Value], by key: String) {
    var elements: [Value: Value] = [:]
    var names: [Value] = []
    for element in list {
      guard let value = element[key], value.isScalar else { return nil }
      let name = value.canonical
      guard elements.updateValue(element, forKey: name) == nil else { return nil }
      names.append(name)
    }
    self.names = names
    self.elements = elements
  }

  var places: [Value: Int] {
    Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
  }
}

extension ValueMerger {
  /// Merges two lists by key. Returns nil if both sides changed the order.
  private mutating func mergeKeyed(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> Value? {
    guard let order = ValueMerger.order(base, ours, theirs) else { return nil }
    let places = (ours: ours.places, theirs: theirs.places)
    var merged: [Value] = []
    for name in order {
      let versions = Versions<Value?>(base.elements[name], ours.elements[name], theirs.elements[name])
      let step = Step(element: merged.count, ours: places.ours[name] ?? 0, theirs: places.theirs[name] ?? 0)
      if let value = merge(versions, at: step) { merged.append(value) }
    }
    return .list(merged)
  }

  /// Returns the order of all elements, with removed ones; nil if both sides changed it.
  private static func order(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> [Value]? {
    func common(_ list: KeyedList) -> [Value] {
      list.names.filter { base.elements[$0] != nil && ours.elements[$0] != nil && theirs.elements[$0] != nil }
    }
    let orders = (base: common(base), ours: common(ours), theirs: common(theirs))
    if orders.theirs == orders.base || orders.theirs == orders.ours {
      return interleaved(ours.names, with: theirs.names)
    }
    if orders.ours == orders.base { return interleaved(theirs.names, with: ours.names) }
    return nil
  }

  /// Returns the first list with the missing elements of the second one after those they follow there.
  private static func interleaved(_ first: [Value], with second: [Value]) -> [Value] {
    let known = Set(first)
    var front: [Value] = []
    var followers: [Value: [Value]] = [:]
    var last: Value?
    for name in second {
      if known.contains(name) {
        last = name
      } else if let last {
        followers[last, default: []].append(name)
      } else {
        front.append(name)
      }
    }
    return front + first.flatMap { [$0] + (followers[$0] ?? []) }
  }
}

/// Decides whether three maps of three versions of a list are the same element.
///
/// Merging two different elements would mix them up, so in unclear cases the list is in conflict.
/// Without a `by:` rule, two maps are the same element only
/// - by a conventional key (`id`, `_id`, `uuid`, `guid`, `key`, `slug`, `name`) that all three
///   have, with the same scalar in all three, which is unique in each version of the list; or,
/// - if they have no such key, because more than half of the fields that the other side did not
///   change are equal, one of them is unique in each version, and no other element of the list has
///   as many fields in common. Lists beyond `maxComparisons` are not compared in this way.
///
/// If one conventional key is the same but another differs, most of the fields must be equal, too:
/// then the element was renamed, not replaced.
private struct ElementIdentity {
  /// The keys in the order in which they are tried. `title` is not one of them, because it is also
  /// a form of address.
  private static let conventionalKeys = ["id", "_id", "uuid", "guid", "key", "slug", "name"]

  struct Version {
    let elements: [Value]
    private var counts: [Field: Int] = [:]
    private var places: [Value: Int] = [:]

    init(_ elements: [Value]) {
      self.elements = elements
      for (index, element) in elements.enumerated() {
        for field in element.fields ?? [:] where field.value.isName {
          counts[Field(key: field.key, value: field.value), default: 0] += 1
        }
        if places[element] == nil { places[element] = index }
      }
    }

    func hasOnce(_ key: String, _ value: Value) -> Bool { counts[Field(key: key, value: value)] == 1 }

    func place(of element: Value) -> Int { places[element] ?? 0 }
  }

  fileprivate struct Field: Hashable {
    let key: String
    let value: Value
  }

  /// The limit of compared fields. Beyond it elements without a conventional key are in conflict.
  private static let maxComparisons = 1 << 24

  private let isAffordable: Bool
  private let base: Version
  let ours: Version
  let theirs: Version

  init(base: [Value], ours: [Value], theirs: [Value]) {
    self.base = Version(base)
    self.ours = Version(ours)
    self.theirs = Version(theirs)
    let fieldCount = (base + ours + theirs).reduce(0) { $0 + ($1.fields?.count ?? 0) }
    isAffordable = base.count <= ElementIdentity.maxComparisons / max(fieldCount, 1)
  }

  /// Returns true if the maps are the same element, or if at most one side changed it.
  func isSameElement(_ old: Value, _ own: Value, _ other: Value) -> Bool {
    if own == old || other == old || own == other { return true }
    guard let oldFields = old.fields, let ownFields = own.fields, let otherFields = other.fields else {
      return false
    }
    let versions = [oldFields, ownFields, otherFields]
    let keys = versions.flatMap { $0.keys.filter(ElementIdentity.isConventional) }
    if keys.isEmpty {
      return isAffordable && hasUniqueField(oldFields, ownFields, otherFields)
        && isMostlyEqual(oldFields, ownFields, otherFields)
        && isMostlyEqual(oldFields, otherFields, ownFields) && isClosest(old, own, in: ours)
        && isClosest(old, other, in: theirs)
    }
    guard keys.contains(where: { isSameName($0, oldFields, ownFields, otherFields) }) else { return false }
    let isRenamed = keys.contains { key in
      versions.contains { $0[key] != oldFields[key] } && versions.allSatisfy { $0[key] != nil }
    }
    return !isRenamed
      || (isMostlyEqual(oldFields, ownFields, otherFields)
        && isMostlyEqual(oldFields, otherFields, ownFields))
  }

  private static func isConventional(_ key: String) -> Bool { conventionalKeys.contains(key.lowercased()) }

  private func isSameName(_ key: String, _ old: Fields, _ own: Fields, _ other: Fields) -> Bool {
    guard let name = old[key], name.isName, own[key] == name, other[key] == name else { return false }
    return base.hasOnce(key, name) && ours.hasOnce(key, name) && theirs.hasOnce(key, name)
  }

  private func hasUniqueField(_ old: Fields, _ own: Fields, _ other: Fields) -> Bool {
    var ownKeys = FieldIndex(own)
    var otherKeys = FieldIndex(other)
    return old.enumerated().contains { place, field in
      guard field.value.isName, ownKeys.value(of: field.key, near: place) == field.value,
        otherKeys.value(of: field.key, near: place) == field.value
      else { return false }
      return [base, ours, theirs].allSatisfy { $0.hasOnce(field.key, field.value) }
    }
  }

  /// Returns true if more than half of the fields are equal, without those that the other side changed.
  private func isMostlyEqual(_ old: Fields, _ new: Fields, _ other: Fields) -> Bool {
    var newIndex = FieldIndex(new)
    var otherIndex = FieldIndex(other)
    var oldIndex = FieldIndex(old)
    var equal = 0
    var total = 0
    for (place, field) in old.enumerated() where otherIndex.value(of: field.key, near: place) == field.value {
      total += 1
      if newIndex.value(of: field.key, near: place) == field.value { equal += 1 }
    }
    for (place, field) in new.enumerated() where oldIndex.place(of: field.key, near: place) == nil {
      if otherIndex.place(of: field.key, near: place) == nil { total += 1 }
    }
    return 2 * equal > total
  }

  /// Returns true if no other element, old or new, has as many fields in common with them.
  private func isClosest(_ old: Value, _ new: Value, in version: Version) -> Bool {
    guard let oldFields = old.fields, let newFields = new.fields else { return false }
    let common = oldFields.commonCount(with: newFields)
    let rivals = version.elements.count {
      $0.fields.map { oldFields.commonCount(with: $0) >= common } ?? false
    }
    let oldRivals = base.elements.count {
      $0.fields.map { $0.commonCount(with: newFields) >= common } ?? false
    }
    return rivals == 1 && oldRivals == 1
  }

  /// False if two merged elements have a conventional key in common only because both sides inserted it.
  static func isUnambiguous(_ merged: [Value], after versions: [Value]...) -> Bool {
    Set(merged.flatMap { $0.fields?.keys.filter(isConventional) ?? [] }).allSatisfy { key in
      guard hasDuplicate(of: key, in: merged) else { return true }
      return versions.contains { hasDuplicate(of: key, in: $0) }
    }
  }

  private static func hasDuplicate(of key: String, in elements: [Value]) -> Bool {
    var known: Set<Value> = []
    return elements.contains { element in
      guard let name = element[key], name.isName else { return false }
      return !known.insert(name).inserted
    }
  }
}

extension Value {
  fileprivate var isName: Bool {
    switch self {
    case .number, .string, .date: true
    default: false
    }
  }
}
