import PlainText

/// What an edit did to the fields that a view shows.
public struct FieldChanges: Sendable, Hashable {
  /// JSON Pointers of what changed, into maps but not into lists, in the order of the new value and then of what is gone.
  public let pointers: [String]
  /// The old values of the changed top-level fields. One that is absent was not there.
  public let before: Fields

  public var isEmpty: Bool { pointers.isEmpty }

  package init(from old: Fields, to new: Fields) {
    var pointers: [String] = []
    var before = Fields()
    for key in FieldChanges.keys(old, new) where old[key] != new[key] {
      if let value = old[key] { before[key] = value }
      FieldChanges.collect(old[key], new[key], below: [key], into: &pointers)
    }
    self.pointers = pointers
    self.before = before
  }

  private static func keys(_ old: Fields, _ new: Fields) -> [String] {
    new.keys + old.keys.filter { new[$0] == nil }
  }

  private static func collect(_ old: Value?, _ new: Value?, below keys: [String], into pointers: inout [String]) {
    guard case .map(let old) = old, case .map(let new) = new else {
      pointers.append(FieldPath.pointer(to: keys))
      return
    }
    for key in FieldChanges.keys(old, new) where old[key] != new[key] {
      collect(old[key], new[key], below: keys + [key], into: &pointers)
    }
  }
}

extension Item {
  /// The fields that a view shows, in the shape that they have in the file; pseudo-fields stand at the top.
  package func projected(_ paths: [FieldPath]) -> Fields {
    guard !paths.isEmpty else {
      guard case .map(let fields) = fields.value else { return [:] }
      return fields
    }
    var shown = Fields()
    for path in paths {
      if let value = value(at: path) { shown.set(value, at: path.keys[...]) }
    }
    return shown
  }

  /// What a change of this item into `new` is to a view that shows `paths`. A new path counts as the field `@path`.
  package func changes(to new: Item, showing paths: [FieldPath]) -> FieldChanges {
    var before: Fields = [:]
    var after: Fields = [:]
    if fields != new.fields || !paths.isEmpty {
      before = projected(paths)
      after = new.projected(paths)
    }
    if path != new.path {
      before[PseudoField.path.rawValue] = PseudoField.path.value(of: self)
      after[PseudoField.path.rawValue] = PseudoField.path.value(of: new)
    }
    return FieldChanges(from: before, to: after)
  }
}

extension Fields {
  /// Puts a value at a path, making the maps on the way. What two paths share is said once: the later one wins.
  fileprivate mutating func set(_ value: Value, at keys: ArraySlice<String>) {
    guard let key = keys.first else { return }
    if keys.count == 1 {
      self[key] = value
    } else {
      var inner: Fields = [:]
      if case .map(let there) = self[key] { inner = there }
      inner.set(value, at: keys.dropFirst())
      self[key] = .map(inner)
    }
  }
}
