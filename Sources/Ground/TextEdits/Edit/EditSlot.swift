import Values

/// A place for a value: its container and the current value.
struct EditSlot {
  enum Holder {
    case root
    /// The text below the front matter of Markdown.
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
    /// True for an element of the list with that key.
    let isElement: Bool

    init(key: String) { (self.key, isElement) = (key, false) }

    init(elementOf list: Name?) { (key, isElement) = (list?.key ?? "", true) }
  }

  let holder: Holder
  /// The place of the current value; nil if the text is empty.
  let place: EditPlace?
  let name: Name?

  /// The current value; nil if the text is empty.
  var value: LocatedValue? { place?.located }

  var container: EditPlace? {
    switch holder {
    case .root, .body: nil
    case .entry(_, let container), .element(_, let container): container
    }
  }

  /// The entry of a map; nil for any other place.
  var entry: LocatedEntry? {
    if case .entry(let index, let map) = holder { map.located.entries?[index] } else { nil }
  }

  /// Returns the bytes whose anchors an edit may affect.
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
