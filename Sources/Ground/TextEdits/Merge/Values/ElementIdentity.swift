import Values

/// Decides whether three maps of three versions of a list are the same element.
///
/// Merging two different elements would mix them up. So unclear cases count as different elements,
/// and the list is in conflict. Without a `by:` rule, two maps are the same element only
/// - by a conventional key (`id`, `_id`, `uuid`, `guid`, `key`, `slug`, `name`) that all three
///   have, with the same scalar in all three, which is unique in each version of the list; or,
/// - if they have no such key, because more than half of the fields that the other side did not
///   change are equal, one of them is unique in each version, and no other element of the list has
///   as many fields in common.
///
/// If one conventional key is the same but another differs, most of the fields must be equal, too:
/// then the element was renamed, not replaced.
///
/// The first way costs one lookup per key. The second one compares an element with all others;
/// lists beyond `maxComparisons` are not compared in this way.
struct ElementIdentity {
  /// The keys in the order in which they are tried. `title` is not one of them, because it is also
  /// a form of address.
  private static let conventionalKeys = ["id", "_id", "uuid", "guid", "key", "slug", "name"]

  private struct Version {
    let elements: [Value]
    /// The number of elements that have a field with this name and value.
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

  private struct Field: Hashable {
    let key: String
    let value: Value
  }

  /// The limit of compared fields. Beyond it elements without a conventional key are in conflict.
  private static let maxComparisons = 1 << 24

  /// True if each element can be compared with all others.
  private let isAffordable: Bool
  private let base: Version
  private let ours: Version
  private let theirs: Version

  init(base: [Value], ours: [Value], theirs: [Value]) {
    (self.base, self.ours, self.theirs) = (Version(base), Version(ours), Version(theirs))
    let fieldCount = (base + ours + theirs).reduce(0) { $0 + ($1.fields?.count ?? 0) }
    isAffordable = base.count <= ElementIdentity.maxComparisons / max(fieldCount, 1)
  }

  func place(inOurs element: Value) -> Int { ours.place(of: element) }
  func place(inTheirs element: Value) -> Int { theirs.place(of: element) }

  /// Returns true if the three maps are the same element, or if at most one side changed it, so
  /// that nothing has to be merged.
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
    var (ownKeys, otherKeys) = (FieldIndex(own), FieldIndex(other))
    return old.enumerated().contains { place, field in
      guard field.value.isName, let first = ownKeys.place(of: field.key, near: place),
        own[first].value == field.value,
        let second = otherKeys.place(of: field.key, near: place), other[second].value == field.value
      else { return false }
      return [base, ours, theirs].allSatisfy { $0.hasOnce(field.key, field.value) }
    }
  }

  /// Returns true if more than half of the fields are equal. Fields that the other side changed do
  /// not count.
  private func isMostlyEqual(_ old: Fields, _ new: Fields, _ other: Fields) -> Bool {
    var (newIndex, otherIndex, oldIndex) = (FieldIndex(new), FieldIndex(other), FieldIndex(old))
    var (equal, total) = (0, 0)
    for (place, field) in old.enumerated() {
      guard let index = otherIndex.place(of: field.key, near: place), other[index].value == field.value else {
        continue
      }
      total += 1
      if let index = newIndex.place(of: field.key, near: place), new[index].value == field.value {
        equal += 1
      }
    }
    for (place, field) in new.enumerated() where oldIndex.place(of: field.key, near: place) == nil {
      if otherIndex.place(of: field.key, near: place) == nil { total += 1 }
    }
    return 2 * equal > total
  }

  /// Returns true if no other element of that version has as many fields in common with the old
  /// one, and no other old element as many with the new one.
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

  /// Returns false if two merged elements have the same conventional key although no version had
  /// such a pair: both sides inserted an element with that name.
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
  /// True for a value that can identify an element.
  fileprivate var isName: Bool {
    switch self {
    case .number, .string, .date: true
    default: false
    }
  }
}
