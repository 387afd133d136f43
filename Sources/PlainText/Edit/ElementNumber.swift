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

/// Parses keys that are element numbers.
package enum ElementNumber {
  /// Parses a number without sign and leading zeros. Returns nil for any other key.
  package static func parse(_ key: String) -> Int? {
    let digits = key.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    return Int(key)
  }
}
