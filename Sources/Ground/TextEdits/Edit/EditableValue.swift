/// A value that edits change in place: an edit costs a lookup per key of its path, not a copy of the maps
/// along it. A refused edit changes nothing.
final class EditableValue {
  private enum Kind {
    case map
    case list
    case single(Value)
  }

  private var kind: Kind
  private var pairs: [(key: String, value: Value)?] = []
  private var elements: [Value] = []
  /// The parts that edits lead into. They replace the values at these places.
  private var parts: [Int: EditableValue] = [:]
  /// The places of the keys; nil until a large map is searched.
  private var places: [ExactString: Int]?

  init(_ value: Value) {
    switch value {
    case .map(let fields): (kind, pairs) = (.map, fields.pairs)
    case .list(let elements): (kind, self.elements) = (.list, elements)
    default: kind = .single(value)
    }
  }

  /// The value after all edits. Linear in the maps and lists that edits led into.
  var value: Value {
    switch kind {
    case .single(let value): return value
    case .list: return .list(currentElements)
    case .map:
      var pairs = pairs
      for (place, part) in parts { pairs[place]?.value = part.value }
      return .map(Fields(unique: pairs.compactMap { $0 }))
    }
  }

  func apply(_ edit: TextEdit) throws(TextEditError) -> Bool {
    guard edit.path.isWritable else {
      throw TextEditError(
        .wrongKind, "This path can be read but not written. Use keys and element numbers, as in tags[0].")
    }
    let keys = edit.path.keys
    if case .removeValue = edit {
      guard let removal = try edit.removal(from: value(at: keys)) else { return false }
      return try apply(removal)
    }
    var holder = self
    for (index, key) in keys.dropLast().enumerated() {
      guard let place = try holder.place(of: key) else {
        guard let new = edit.newValue else { throw TextEditError.missing(key) }
        try holder.create(keys[index...], new)
        return true
      }
      holder = holder.part(at: place)
    }
    return try holder.apply(edit, keys[keys.count - 1])
  }

  private func apply(_ edit: TextEdit, _ key: String) throws(TextEditError) -> Bool {
    switch edit {
    case .set(_, let new):
      guard let place = try place(of: key) else {
        try create([key], new)
        return true
      }
      let old = value(at: place)
      put(new, at: place)
      return old != new
    case .insert(_, let new): try insert(key, new)
    case .append(let new, _): try append(new, to: key)
    case .remove: try remove(key)
    case .removeValue: return false
    case .rename(_, let name): return try rename(key, to: name)
    }
    return true
  }

  private func insert(_ key: String, _ new: Value) throws(TextEditError) {
    if case .list = kind {
      let number = try EditableValue.number(key, upTo: elements.count)
      settle()
      elements.insert(new, at: number)
    } else {
      if try place(of: key) != nil { throw TextEditError.exists(key, "Set its value") }
      try create([key], new)
    }
  }

  private func append(_ new: Value, to key: String) throws(TextEditError) {
    guard let place = try place(of: key) else { return try create([key], .list([new])) }
    let list = part(at: place)
    switch list.kind {
    case .list: list.elements.append(new)
    case .single(.null): put(.list([new]), at: place)
    default:
      throw TextEditError(
        .wrongKind, "This is not a list, so nothing can be appended to it. Set it to a list first.")
    }
  }

  private func remove(_ key: String) throws(TextEditError) {
    guard let place = try place(of: key) else { throw TextEditError.missing(key) }
    if case .list = kind {
      settle()
      elements.remove(at: place)
    } else {
      pairs[place] = nil
      parts[place] = nil
      places?[ExactString(key)] = nil
    }
  }

  private func rename(_ key: String, to name: String) throws(TextEditError) -> Bool {
    if case .list = kind {
      throw TextEditError(.wrongKind, "An element of a list has no name. Only keys of maps can be renamed.")
    }
    guard let place = try place(of: key) else { throw TextEditError.missing(key) }
    if key.hasSameBytes(as: name) { return false }
    if try self.place(of: name) != nil { throw TextEditError.exists(name, "Remove it") }
    pairs[place]?.key = name
    places?[ExactString(key)] = nil
    places?[ExactString(name)] = place
    return true
  }

  func value(at keys: [String]) -> Value? {
    guard let last = keys.last else { return value }
    guard let holder = part(at: keys.dropLast()), let place = try? holder.place(of: last) else { return nil }
    return holder.value(at: place)
  }

  private func part(at keys: ArraySlice<String>) -> EditableValue? {
    var holder = self
    for key in keys {
      guard let place = try? holder.place(of: key) else { return nil }
      holder = holder.part(at: place)
    }
    return holder
  }

  private static let maxScanned = 16

  private func place(of key: String) throws(TextEditError) -> Int? {
    switch kind {
    case .list: return try EditableValue.number(key, upTo: elements.count - 1)
    case .single(.null): return nil
    case .single:
      throw TextEditError(
        .wrongKind,
        "The value above \(TextEditError.quoted(key)) is neither a map nor a list. Set that value instead.")
    case .map: break
    }
    if let places { return places[ExactString(key)] }
    if pairs.count <= EditableValue.maxScanned {
      return pairs.firstIndex { $0?.key.hasSameBytes(as: key) ?? false }
    }
    var places: [ExactString: Int] = [:]
    for (place, pair) in pairs.enumerated() { if let pair { places[ExactString(pair.key)] = place } }
    self.places = places
    return places[ExactString(key)]
  }

  private func value(at place: Int) -> Value {
    if let part = parts[place] { return part.value }
    if case .list = kind { return elements[place] }
    return pairs[place]?.value ?? .null
  }

  private func part(at place: Int) -> EditableValue {
    if let part = parts[place] { return part }
    let part = EditableValue(value(at: place))
    parts[place] = part
    return part
  }

  private func put(_ value: Value, at place: Int) {
    parts[place] = nil
    if case .list = kind { elements[place] = value } else { pairs[place]?.value = value }
  }

  private func create(_ keys: ArraySlice<String>, _ value: Value) throws(TextEditError) {
    guard let first = keys.first else { return }
    let isNew = if case .single = kind { true } else { false }
    if let key = (isNew ? keys : keys.dropFirst()).first(where: { Int(elementNumber: $0) != nil }) {
      throw TextEditError.unclearNumber(key)
    }
    if isNew { kind = .map }
    places?[ExactString(first)] = pairs.count
    pairs.append((first, value.below(keys.dropFirst())))
  }

  private var currentElements: [Value] {
    var elements = elements
    for (place, part) in parts { elements[place] = part.value }
    return elements
  }

  private func settle() {
    elements = currentElements
    parts = [:]
  }

  private static func number(_ key: String, upTo last: Int) throws(TextEditError) -> Int {
    guard let number = Int(elementNumber: key) else {
      throw TextEditError(
        .wrongKind,
        "This is a list, and \(TextEditError.quoted(key)) is not the number of an element. Elements count from 0."
      )
    }
    guard number <= last else {
      throw TextEditError(
        .missing,
        last < 0
          ? "The list is empty. Append to it."
          : "The last element of this list has the number \(last). Append to the list, or use a number "
            + "up to \(last)."
      )
    }
    return number
  }
}

extension TextEdit {
  /// The value that the edit adds where it is missing; nil if it needs one.
  fileprivate var newValue: Value? {
    switch self {
    case .set(_, let value), .insert(_, let value): value
    case .append(let value, _): .list([value])
    case .remove, .removeValue, .rename: nil
    }
  }
}

extension TextEditError {
  fileprivate static func missing(_ key: String) -> TextEditError {
    TextEditError(.missing, "There is no \(quoted(key)) here. Check the name.")
  }

  fileprivate static func exists(_ key: String, _ advice: String) -> TextEditError {
    TextEditError(.exists, "The key \(quoted(key)) exists already. \(advice), or choose another name.")
  }

  fileprivate static func unclearNumber(_ key: String) -> TextEditError {
    TextEditError(
      .missing,
      "This place is empty, so \(quoted(key)) could be a key of a map or the number of an element. Append to a list, or set a map with this key."
    )
  }

  fileprivate static func quoted(_ key: String) -> String {
    "`\(key.utf8.count <= 100 ? key : key.prefix(100) + "…")`"
  }
}
