/// A place for a value: its container and the current value.
struct EditSlot {
  enum Holder {
    case root
    /// The text below the front matter of Markdown.
    case body
    case entry(Int, of: LocatedValue)
    case element(Int, of: LocatedValue)
  }

  /// The name under which `YAMLStyle` records how values of the same kind are written.
  struct Name: Hashable {
    var key: String
    /// True for an element of the list with that key.
    var isElement = false
  }

  let holder: Holder
  /// The current value; nil if the text is empty.
  let value: LocatedValue?
  let name: Name?

  var container: LocatedValue? {
    switch holder {
    case .root, .body: nil
    case .entry(_, let container), .element(_, let container): container
    }
  }

  /// The index among the items of the container.
  var index: Int? {
    switch holder {
    case .root, .body: nil
    case .entry(let index, _), .element(let index, _): index
    }
  }

  /// Returns the bytes whose anchors an edit may affect.
  func range(touchedBy edit: TextEdit) -> Range<Int>? {
    guard case .entry(let index, let map) = holder, let entry = map.entries?[index] else { return value?.fullRange }
    switch edit {
    case .rename: return entry.keyRange
    case .remove: return entry.range
    default: return value?.fullRange
    }
  }

  /// True if the value is inside brackets or braces.
  var isInFlow: Bool { container.map { $0.style == .flow || $0.style == .pair } ?? false }
}
