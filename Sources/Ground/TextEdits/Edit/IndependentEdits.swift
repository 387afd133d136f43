/// Finds edits that can be planned together on one reading of the text.
///
/// Two edits are independent if neither changes the value that the other one is in, or the numbers of a
/// list that the other one leads into. Elements that are added from the end of a list to its start are, too.
struct IndependentEdits {
  private final class Place {
    let value: Value?
    var isEdited = false
    var hasEditedParts = false
    var isWaiting = false
    /// The last of the chosen additions to a list that has no other chosen edit.
    var lastAddition: ListAddition?
    private var parts: [ExactString: Place] = [:]
    private lazy var fields = value?.fields.map(FieldIndex.init)
    private var next = 0

    init(_ value: Value?) { self.value = value }

    var isList: Bool { if case .list? = value { true } else { false } }

    /// True for a map or a list to which a part can be added without writing it completely.
    var isFilled: Bool {
      switch value {
      case .list(let elements): !elements.isEmpty
      case .map(let fields): !fields.isEmpty
      default: false
      }
    }

    func part(_ key: String) -> Place {
      if let part = parts[ExactString(key)] { return part }
      let part = Place(isList ? value?.child(ofKey: key) : field(key))
      parts[ExactString(key)] = part
      return part
    }

    private func field(_ key: String) -> Value? {
      guard let place = fields?.place(of: key, near: next) else { return nil }
      next = place + 1
      return value?.fields?[place].value
    }
  }

  private enum Verdict {
    case chosen
    /// An edit of the same list must be made before.
    case waits
    /// This edit and all after it must be made later.
    case ends
  }

  private let root: Place

  static func choose(from edits: ArraySlice<TextEdit>, in value: Value) -> [Int] {
    let found = IndependentEdits(root: Place(value))
    var chosen: [Int] = []
    for index in edits.indices {
      switch found.add(edits[index]) {
      case .chosen: chosen.append(index)
      case .waits: break
      case .ends: return chosen
      }
    }
    return chosen
  }

  private func add(_ edit: TextEdit) -> Verdict {
    var place = root
    var above: [Place] = []
    /// The outermost list that the edit leads into or changes.
    var list: Place?
    // `tags[0]` and `tags.0` are the same place in a text.
    let keys = edit.path.keys
    for (index, key) in keys.enumerated() {
      let isLast = index == keys.count - 1
      if place.isList, list == nil { list = place }
      // A new or removed element changes the list. A value in an empty map changes that map.
      if isLast && place.isList && edit.changesContainer || index > 0 && !place.isFilled { break }
      if place.isEdited { return conflict(list) }
      above.append(place)
      place = place.part(key)
    }
    if case .rename = edit { return .ends }
    if place.isList, edit.isRelative, list == nil { list = place }
    if let list, list.isWaiting { return .waits }
    let addition =
      place.isList && place.isFilled
      ? ListAddition(edit, toListAt: keys.count - (edit.changesContainer ? 1 : 0)) : nil
    if let addition, let last = place.lastAddition, addition.mayFollow(last) {
      place.lastAddition = addition
      return .chosen
    }
    if place.isEdited || place.hasEditedParts { return conflict(list) }
    place.isEdited = true
    place.lastAddition = addition
    for place in above { place.hasEditedParts = true }
    return .chosen
  }

  private func conflict(_ list: Place?) -> Verdict {
    guard let list else { return .ends }
    list.isWaiting = true
    return .waits
  }
}

private enum ListAddition {
  case at(Int)
  case atEnd

  init?(_ edit: TextEdit, toListAt depth: Int) {
    switch edit {
    case .append where edit.path.keys.count == depth: self = .atEnd
    case .insert(let path, _) where path.keys.count == depth + 1:
      guard let number = Int(elementNumber: path.keys[depth]) else { return nil }
      self = .at(number)
    default: return nil
    }
  }

  /// Returns true if the other addition, which is made first, does not change where this one goes.
  func mayFollow(_ other: ListAddition) -> Bool {
    switch (self, other) {
    case (.at(let number), .at(let last)): number <= last
    case (.atEnd, .atEnd): true
    default: false
    }
  }
}

extension TextEdit {
  /// True if the edit may add or remove an element of the list that contains its path.
  fileprivate var changesContainer: Bool {
    switch self {
    case .insert, .remove: true
    case .set, .append, .removeValue, .rename: false
    }
  }
}
