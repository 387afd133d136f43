extension FieldPath {
  /// A path that may name elements of lists: `tags[0]`, `releases[2].links[0].url`, and all that `init(_:)` takes.
  ///
  /// Brackets count where they hold digits and end a component; any others belong to the key. Nil as for `init(_:)`.
  public static func addressing(_ text: String) -> FieldPath? {
    guard let path = FieldPath(text), text.utf8.first != UInt8(ascii: "/") else { return FieldPath(text) }
    return FieldPath(keys: path.keys.flatMap(splitElements), writtenAs: text)
  }

  /// `a[1][2]` as `a`, `1`, `2`.
  private static func splitElements(_ component: String) -> [String] {
    var rest = Substring(component).utf8
    var numbers: [String] = []
    while rest.last == UInt8(ascii: "]"), let open = rest.lastIndex(of: UInt8(ascii: "[")), open > rest.startIndex {
      let digits = rest[rest.index(after: open)...].dropLast()
      guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { break }
      numbers.append(String(Substring(digits)))
      rest = rest[..<open]
    }
    return [String(Substring(rest))] + numbers.reversed()
  }
}

extension Value {
  /// The value at a path that names elements of lists by their numbers, as edits have it; nil where nothing is there.
  package func element(at path: FieldPath) -> Value? {
    var value = self
    for key in path.keys {
      guard let child = value.child(ofKey: key) else { return nil }
      value = child
    }
    return value
  }

  /// The value of a key, or the element of that number.
  func child(ofKey key: String) -> Value? {
    guard case .list(let elements) = self else { return self[key] }
    return ElementNumber.parse(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
  }
}

/// What a key of a path says about a list.
enum ElementNumber {
  /// Without sign and leading zeros; nil where the key is no number.
  static func parse(_ key: String) -> Int? {
    let digits = key.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    return Int(key)
  }
}
