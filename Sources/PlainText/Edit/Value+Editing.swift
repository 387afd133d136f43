extension Fields {
  /// Returns the fields of a text after these edits.
  ///
  /// - Throws: The error that editing a text with these values would throw.
  public func applying(_ edits: [TextEdit]) throws(TextEditError) -> Fields {
    var value = Value.map(self)
    for edit in edits {
      do {
        value = try value.applying(edit.asRead)
      } catch {
        throw TextEditError(reason: error.reason, path: edit.path.description, line: 1, column: 1, message: error.message)
      }
    }
    return value.fields ?? self
  }
}

extension Value {
  /// Returns this value after an edit. The edited text must read as this result. Linear in the
  /// length of the path and the sizes of the maps along it.
  func applying(_ edit: TextEdit) throws(EditRefusal) -> Value {
    guard edit.path.isWritable else {
      throw EditRefusal(
        .wrongKind, "This path can be read but not written. Use keys and element numbers, as in tags[0].")
    }
    switch edit {
    case .set(let path, let value):
      return try changing(path.keys, creates: true) { holder, key throws(EditRefusal) in try holder.setting(key, value) }
    case .insert(let path, let value):
      return try changing(path.keys, creates: true) { holder, key throws(EditRefusal) in try holder.inserting(key, value) }
    case .append(let value, let path):
      return try changing(path.keys, creates: true) { holder, key throws(EditRefusal) in try holder.appending(value, at: key) }
    case .remove(let path):
      return try changing(path.keys, creates: false) { holder, key throws(EditRefusal) in try holder.removing(key) }
    case .removeValue: return try removal(edit).map { removal throws(EditRefusal) in try applying(removal) } ?? self
    case .rename(let path, let name):
      return try changing(path.keys, creates: false) { holder, key throws(EditRefusal) in try holder.renaming(key, to: name) }
    }
  }

  /// Returns the removal of the element that a `removeValue` names; nil if there is no such
  /// element.
  ///
  /// - Throws: `EditRefusal` if several elements have the value, or if there is no list at the
  ///   path.
  func removal(_ edit: TextEdit) throws(EditRefusal) -> TextEdit? {
    guard case .removeValue(let value, let path) = edit, let list = element(at: path), list != .null else { return nil }
    guard case .list(let elements) = list else {
      throw EditRefusal(.wrongKind, "This is not a list, so no value can be removed from it. Remove the complete field.")
    }
    let places = elements.indices.filter { elements[$0].hasSameValue(as: value) }
    guard let place = places.first else { return nil }
    if places.count > 1 {
      throw EditRefusal(
        .ambiguous, "\(places.count) elements of this list have the value. Remove one by its number, such as \(path)[\(place)].")
    }
    return .remove(FieldPath(keys: path.keys + [String(place)]))
  }

  /// Inserts the new top-level fields of the leading edits, and returns the number of these edits.
  /// Stops at the first edit that is not such an insertion. Linear, where `applying(_:)` costs a
  /// pass over the map per edit.
  func insertingFields(of edits: [TextEdit]) -> (value: Value, count: Int) {
    var fields: Fields
    switch self {
    case .map(let own): fields = own
    case .null: fields = [:]
    default: return (self, 0)
    }
    var known = Set(fields.map { FieldPath(keys: [$0.key]) })
    var count = 0
    for edit in edits {
      guard case .insert(let path, let value) = edit, path.isWritable, path.keys.count == 1,
        self != .null || count > 0 || ElementNumber.parse(path.keys[0]) == nil, known.insert(FieldPath(keys: path.keys)).inserted
      else { break }
      fields.append(value, unique: path.keys[0])
      count += 1
    }
    return (count == 0 ? self : .map(fields), count)
  }

  /// Changes the container of the last key. Iterative, because a path can have any length.
  ///
  /// - Parameter creates: true to create a map where a value on the way is missing or null.
  private func changing(
    _ keys: [String], creates: Bool, _ change: (Value, String) throws(EditRefusal) -> Value
  ) throws(EditRefusal) -> Value {
    var holders = [self]
    for key in keys.dropLast() {
      let holder = holders[holders.count - 1]
      let child = try holder.child(key)
      guard let child = child ?? (creates && (holder.isMap || holder == .null) ? .null : nil) else { throw Value.missing(key) }
      if creates, holder == .null, ElementNumber.parse(key) != nil { throw Value.unclearNumber(key) }
      holders.append(child)
    }
    var value = try change(holders[holders.count - 1], keys[keys.count - 1])
    for (holder, key) in zip(holders, keys.dropLast()).reversed() {
      value = try (holder == .null ? Value.map([:]) : holder).setting(key, value)
    }
    return value
  }

  /// Returns the value of a key; nil if it is missing.
  private func child(_ key: String) throws(EditRefusal) -> Value? {
    switch self {
    case .map(let fields): return fields[key]
    case .list(let elements): return elements[try Value.number(key, upTo: elements.count - 1)]
    case .null: return nil
    default:
      throw EditRefusal(.wrongKind, "The value above \(Value.quoted(key)) is neither a map nor a list. Set that value instead.")
    }
  }

  private var isMap: Bool { if case .map = self { true } else { false } }

  private func setting(_ key: String, _ value: Value) throws(EditRefusal) -> Value {
    switch self {
    case .map(var fields):
      fields[key] = value
      return .map(fields)
    case .list(var elements):
      elements[try Value.number(key, upTo: elements.count - 1)] = value
      return .list(elements)
    case .null where ElementNumber.parse(key) == nil: return .map([key: value])
    case .null: throw Value.unclearNumber(key)
    default:
      _ = try child(key)
      return self
    }
  }

  private func inserting(_ key: String, _ value: Value) throws(EditRefusal) -> Value {
    guard case .list(var elements) = self else {
      if try child(key) != nil {
        throw EditRefusal(.exists, "The key \(Value.quoted(key)) exists already. Set its value, or choose another name.")
      }
      return try setting(key, value)
    }
    elements.insert(value, at: try Value.number(key, upTo: elements.count))
    return .list(elements)
  }

  private func appending(_ value: Value, at key: String) throws(EditRefusal) -> Value {
    switch try child(key) {
    case nil, .null?: return try setting(key, .list([value]))
    case .list(let elements)?: return try setting(key, .list(elements + [value]))
    default: throw EditRefusal(.wrongKind, "This is not a list, so nothing can be appended to it. Set it to a list first.")
    }
  }

  private func removing(_ key: String) throws(EditRefusal) -> Value {
    guard try child(key) != nil else { throw Value.missing(key) }
    switch self {
    case .map(var fields):
      fields[key] = nil
      return .map(fields)
    case .list(var elements):
      elements.remove(at: try Value.number(key, upTo: elements.count - 1))
      return .list(elements)
    default: return self
    }
  }

  private func renaming(_ key: String, to name: String) throws(EditRefusal) -> Value {
    guard case .map(let fields) = self else {
      if case .list = self { throw EditRefusal(.wrongKind, "An element of a list has no name. Only keys of maps can be renamed.") }
      _ = try child(key)
      throw Value.missing(key)
    }
    guard fields[key] != nil else { throw Value.missing(key) }
    if key.hasSameBytes(as: name) { return self }
    if fields[name] != nil {
      throw EditRefusal(.exists, "The key \(Value.quoted(name)) exists already. Remove it, or choose another name.")
    }
    return .map(Fields(unique: fields.map { ($0.key.hasSameBytes(as: key) ? name : $0.key, $0.value) }))
  }

  private static func number(_ key: String, upTo last: Int) throws(EditRefusal) -> Int {
    guard let number = ElementNumber.parse(key) else {
      throw EditRefusal(.wrongKind, "This is a list, and \(quoted(key)) is not the number of an element. Elements count from 0.")
    }
    guard number <= last else {
      throw EditRefusal(
        .missing,
        last < 0
          ? "The list is empty. Append to it."
          : "The last element of this list has the number \(last). Append to the list, or use a number up to \(last).")
    }
    return number
  }

  private static func missing(_ key: String) -> EditRefusal { EditRefusal(.missing, "There is no \(quoted(key)) here. Check the name.") }

  private static func unclearNumber(_ key: String) -> EditRefusal {
    EditRefusal(
      .missing,
      "There is no value here yet, and \(quoted(key)) may be a key or an element. Append to the list, or set the map above it.")
  }

  private static func quoted(_ key: String) -> String { "`\(key.utf8.count <= 100 ? key : key.prefix(100) + "…")`" }
}

extension Value {
  /// Returns the value that an edit at this path changes: a key that is a number is an element of a
  /// list. Nil if there is none, or if the path cannot be written.
  package func element(at path: FieldPath) -> Value? {
    guard path.isWritable else { return nil }
    var value = self
    for key in path.keys {
      guard let child = value.child(ofKey: key) else { return nil }
      value = child
    }
    return value
  }

  /// Returns the value of a key, or the element of that number.
  func child(ofKey key: String) -> Value? {
    guard case .list(let elements) = self else { return self[key] }
    return ElementNumber.parse(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
  }
}
