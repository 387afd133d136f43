import Store

extension ItemChange {
  /// True if two changes of one version have no field in common, not even one that both change in the same
  /// way: two programs that increment one counter must not count as one. The fields that the client `named`
  /// count as changed in any case, because the client relies on them. Linear in the sizes of the pointers.
  static func areSeparate(_ base: Fields, mine: Fields, theirs: Fields, named: [String] = []) -> Bool {
    let own = ChangedPointers(FieldChanges(from: base, to: mine).pointers + named)
    return !FieldChanges(from: base, to: theirs).pointers.contains(where: own.touch)
  }
}

/// The JSON Pointers of changed values, by their parts.
private final class ChangedPointers {
  private var isChanged = false
  private var parts: [ExactString: ChangedPointers] = [:]

  private init() {}

  init(_ pointers: [String]) {
    for pointer in pointers {
      var place = self
      for part in ChangedPointers.parts(of: pointer) {
        let next = place.parts[part] ?? ChangedPointers()
        place.parts[part] = next
        place = next
      }
      place.isChanged = true
    }
  }

  /// Returns true if the pointer is that of a changed value, or of a value in or around one.
  func touch(_ pointer: String) -> Bool {
    var place = self
    for part in ChangedPointers.parts(of: pointer) {
      if place.isChanged { return true }
      guard let next = place.parts[part] else { return false }
      place = next
    }
    return true
  }

  /// Escapes stay as they are: equal parts have equal escapes.
  private static func parts(of pointer: String) -> [ExactString] {
    pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
      ExactString(String(Substring($0)))
    }
  }
}
