extension Fields {
  /// Returns the fields of a text after these edits, or throws what editing a text with these values would.
  /// Linear in the fields and the edits.
  package func applying(_ edits: [TextEdit]) throws(TextEditError) -> Fields {
    let value = EditableValue(.map(self))
    for edit in edits {
      do {
        _ = try value.apply(edit.asRead)
      } catch {
        throw error.at(edit)
      }
    }
    return value.value.fields ?? self
  }
}

extension Value {
  package func count(upTo limit: Int) -> Int {
    var count = 0
    var waiting = [self]
    while let next = waiting.popLast(), count + waiting.count < limit {
      count += 1
      switch next {
      case .list(let elements): waiting += elements
      case .map(let fields): waiting += fields.lazy.map(\.value)
      default: break
      }
    }
    return min(limit, count + waiting.count)
  }

  func below(_ keys: ArraySlice<String>) -> Value { keys.reversed().reduce(self) { .map([$1: $0]) } }

  /// Returns this value after an edit. The edited text must read as this result.
  func applying(_ edit: TextEdit) throws(TextEditError) -> Value {
    let value = EditableValue(self)
    _ = try value.apply(edit)
    return value.value
  }
}

extension TextEdit {
  /// Returns the removal of the element that a `removeValue` names; nil if the list has none.
  func removal(from list: Value?) throws(TextEditError) -> TextEdit? {
    guard case .removeValue(let value, let path) = self, let list, list != .null else { return nil }
    guard case .list(let elements) = list else {
      throw TextEditError(
        .wrongKind, "This is not a list, so no value can be removed from it. Remove the complete field.")
    }
    let places = elements.indices.filter { elements[$0].hasSameValue(as: value) }
    guard let place = places.first else { return nil }
    if places.count > 1 {
      throw TextEditError(
        .ambiguous,
        "\(places.count) elements of this list have the value. Remove one by its number, such as \(path)[\(place)]."
      )
    }
    return .remove(FieldPath(keys: path.keys + [String(place)]))
  }
}

extension Value {
  /// Returns the value that an edit at this path changes: in a list, a key is a number.
  package func element(at path: FieldPath) -> Value? {
    guard path.isWritable else { return nil }
    var value = self
    for key in path.keys {
      guard let child = value.child(ofKey: key) else { return nil }
      value = child
    }
    return value
  }

  func child(ofKey key: String) -> Value? {
    guard case .list(let elements) = self else { return self[key] }
    return Int(elementNumber: key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
  }
}
