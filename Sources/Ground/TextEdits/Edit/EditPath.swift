import Values

/// The path from the root of a text to a value: one slot per key that exists, the root's slot first.
struct EditPath {
  private(set) var slots: [EditSlot]
  /// The keys below the last slot, which do not exist.
  private(set) var rest: ArraySlice<String>

  var last: EditSlot { slots[slots.count - 1] }

  /// Follows `keys` as far as they exist. Throws a refusal if an alias or a merge key provides the value.
  init(_ keys: [String], from root: EditPlace?, body: EditPlace?) throws(TextEditError) {
    slots = [EditSlot(holder: .root, place: root, name: nil)]
    rest = keys[...]
    if let body, keys.first == "body" {
      slots.append(EditSlot(holder: .body, place: body, name: nil))
      rest.removeFirst()
    }
    while let key = rest.first, let place = last.place {
      let holder: EditSlot.Holder
      let name: EditSlot.Name
      switch place.located.content {
      case .alias(let name): throw EditPath.refusal(ofAlias: name, place.located)
      case .map:
        guard let index = place.index(of: key) else {
          try EditPath.checkMerge(key, place)
          return
        }
        (holder, name) = (.entry(index, of: place), EditSlot.Name(key: key))
      case .list:
        guard let index = place.index(of: key) else { return }
        (holder, name) = (
          .element(index, of: place), EditSlot.Name(elementOf: last.name)
        )
      case .scalar: return
      }
      let slot = EditSlot(holder: holder, place: holder.index.flatMap(place.place), name: name)
      slots.append(slot)
      rest.removeFirst()
    }
  }

  private static func refusal(ofAlias name: String, _ value: LocatedValue) -> TextEditError {
    TextEditError(
      .alias,
      "This value is the alias *\(name). Edit the value at its anchor &\(name), or set the complete "
        + "value here.",
      at: value.range.lowerBound)
  }

  func checkNoAlias() throws(TextEditError) {
    if let value = last.value, case .alias(let name) = value.content {
      throw EditPath.refusal(ofAlias: name, value)
    }
  }

  private static func checkMerge(_ key: String, _ map: EditPlace) throws(TextEditError) {
    guard let merge = map.merge, map.reads(key) else { return }
    throw TextEditError(
      .mergeKey,
      "This value comes from another map through the merge key `<<`. Edit it there, or add the key to "
        + "this map by hand.",
      at: merge.keyRange.lowerBound)
  }
}

struct EditSlot {
  enum Holder {
    case root
    case body
    case entry(Int, of: EditPlace)
    case element(Int, of: EditPlace)

    var index: Int? {
      switch self {
      case .root, .body: nil
      case .entry(let index, _), .element(let index, _): index
      }
    }
  }

  /// The name under which `YAMLStyle` records how values of the same kind are written.
  struct Name: Hashable {
    let key: String
    let isElement: Bool

    init(key: String) { (self.key, isElement) = (key, false) }

    init(elementOf list: Name?) { (key, isElement) = (list?.key ?? "", true) }
  }

  let holder: Holder
  let place: EditPlace?
  let name: Name?

  var value: LocatedValue? { place?.located }

  var container: EditPlace? {
    switch holder {
    case .root, .body: nil
    case .entry(_, let container), .element(_, let container): container
    }
  }

  var entry: LocatedEntry? {
    if case .entry(let index, let map) = holder { map.located.entries?[index] } else { nil }
  }

  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    guard let entry else { return value?.fullRange }
    switch edit {
    case .rename: return entry.keyRange
    case .remove: return entry.range
    default: return value?.fullRange
    }
  }

  var isInFlow: Bool { container.map { $0.located.style == .flow || $0.located.style == .pair } ?? false }
}
