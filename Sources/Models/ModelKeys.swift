import Files
import Folder
import Query
import Store
@_spi(Reflection) import Swift
import Values

/// The fields of a model, or of the type of one of its properties, as far as `Codable` says: whether a name is
/// one of its coding keys, and which fields are links.
///
/// They are known if the type decodes itself by keys named `CodingKeys`, as the compiler makes them. Other
/// types may have any field.
struct ModelKeys {
  private let type: any Decodable.Type
  /// Returns the name of the property with a coding key; nil if there is no such key.
  private let property: ((String) -> String?)?

  /// Runs the beginning of the type's `init(from:)`, until it asks for its first container.
  init<Object: Decodable>(of type: Object.Type) {
    self.type = type
    let item = Item(id: "", path: .root, stamp: .none, fields: PackedValue(.map([:])))
    var decoder = ValueDecoder(item, defaults: [:])
    let first = FirstKeys()
    decoder.firstKeys = first
    _ = try? decoder.decodeWhole(type)
    property = first.areCodingKeys(of: type) ? first.property : nil
  }

  private var model: (any PlainModel.Type)? { type as? any PlainModel.Type }

  /// Checks that the type has the fields that a request names, and that its changes lead to fields.
  /// Pseudo-fields always exist.
  func check(_ request: FetchRequest) throws(StoreError) {
    try checkChanges()
    let named = request.predicate?.namedFields ?? []
    try check(named, "In a predicate, write a string in quotes or as a value: `\\(text)`.")
    try check(request.orderingPaths.filter { !named.contains($0) })
  }

  func check(_ paths: [FieldPath], _ advice: String? = nil) throws(StoreError) {
    for path in paths { try check(path.field.keys, 0, of: (self, from: 0), path, advice) }
  }

  /// Checks the keys of a path from a place on.
  ///
  /// - Parameter root: The model that has these keys, and the place of the first one: 0, or behind a link.
  private func check(
    _ keys: [String], _ place: Int, of root: (keys: ModelKeys, from: Int), _ path: FieldPath,
    _ advice: String?
  ) throws(StoreError) {
    guard let property, place < keys.count else { return }
    let name = keys[place]
    let isRoot = place == root.from
    if isRoot, place == keys.count - 1, PseudoField(rawValue: name) != nil { return }
    let isID = isRoot && isID(name)
    let defaults = root.keys.model?.defaults ?? [:]
    let isDefault = Value.map(defaults).value(at: FieldPath(keys: Array(keys[root.from...place]))) != nil
    if !isID, property(name) != nil || isDefault {
      if let target = target(of: name) {
        if !isRoot, place + 1 < keys.count {
          throw StoreError(
            .malformed, "`\(path)` leads through a link inside of another field, which paths cannot follow.")
        }
        let next = ModelKeys(of: target)
        return try next.check(keys, place + 1, of: (next, from: place + 1), path, advice)
      }
      guard let next = content(of: name).type as? any Decodable.Type else { return }
      return try ModelKeys(of: next).check(keys, place + 1, of: root, path, advice)
    }
    let link = root.from == 0 ? nil : FieldPath(keys: Array(keys[..<root.from]))
    let new = isRoot ? newName(of: name, after: 0) : name
    let found: String? =
      if isID {
        "The id of an item is `\(link?.description ?? PseudoField.id.rawValue)`."
      } else if new != name, isField(new) {
        "`\(name)` is now `\(new)`."
      } else {
        similar(to: name, defaults: isRoot ? defaults : [:], below: keys[root.from..<place])
      }
    let owner = root.keys.type
    throw StoreError(
      .malformed,
      link.map {
        "`\(owner)`, which `\($0)` links to, has no field `\(FieldPath(keys: Array(keys[root.from...place])))`."
      }
        ?? "`\(owner)` has no field `\(path)`.",
      advice: found ?? advice)
  }

  /// Checks that each change is one of a field, and that no field is renamed that the type still has.
  func checkChanges() throws(StoreError) {
    for (place, change) in (model?.changes ?? []).enumerated() {
      if !change.isOfKeys {
        throw StoreError(
          .malformed, "`changes` of `\(type)` names `\(change.field)`.", advice: "Its paths consist of keys.")
      }
      if property == nil { continue }
      let name = change.rootName
      let new = newName(of: name, after: place)
      if let next = change.newRootName, isField(name) {
        throw StoreError(
          .malformed, "`\(type)` still has the field `\(name)`, so `changes` cannot rename it to `\(next)`.")
      }
      if !isField(new) || PseudoField(rawValue: new) != nil {
        throw StoreError(
          .malformed, "`changes` of `\(type)` names `\(new)`, which is not a field of the type.",
          advice: similar(to: new, defaults: model?.defaults ?? [:], below: []))
      }
    }
  }

  /// Returns the name that a field of the root has after all changes from a place on.
  private func newName(of name: String, after place: Int) -> String {
    (model?.changes ?? []).dropFirst(place).reduce(name) { name, change in
      change.rootName.hasSameBytes(as: name) ? change.newRootName ?? name : name
    }
  }

  /// True for the key that is the id of the item, and not a field of the file.
  private func isID(_ name: String) -> Bool {
    name == "id" && model != nil && property?(PseudoField.id.rawValue) == nil
  }

  private func isField(_ name: String) -> Bool {
    !isID(name) && (property?(name) != nil || model?.defaults[name] != nil)
  }

  private func similar(to name: String, defaults: Fields, below above: ArraySlice<String>) -> String? {
    let names = properties.map(\.name).filter { property?($0) != nil } + defaults.keys
    return names.nearest(to: name).map { "Did you mean `\(FieldPath(keys: above + [$0]))`?" }
  }

  /// Returns the type of the items to which a field links; nil for a field that is not a link.
  func target(of key: String) -> (any PlainModel.Type)? {
    let (type, isLink) = content(of: key)
    return isLink ? type as? any PlainModel.Type : nil
  }

  /// The type that is decoded from the value of a field, or from those in its list: `Address` for `[Address]?`.
  /// For a link, that of its target.
  private func content(of key: String) -> (type: Any.Type?, isLink: Bool) {
    var found = propertyType(key)
    while let container = found as? any PropertyContainer.Type {
      found = container.content
      if container.isLink { return (found, true) }
    }
    return (found, false)
  }

  private func propertyType(_ key: String) -> Any.Type? {
    let name = property?(key)
    return properties.first { $0.name == name }?.type
  }

  private var properties: [(name: String, type: Any.Type)] {
    var properties: [(name: String, type: Any.Type)] = []
    _ = _forEachField(of: type) { name, _, type, _ in
      properties.append((String(cString: name), type))
      return true
    }
    return properties
  }
}

/// A type whose values are decoded as another type, one or several times, or have a link to an item of it.
protocol PropertyContainer {
  static var content: Any.Type { get }
  static var isLink: Bool { get }
}

extension PropertyContainer {
  static var isLink: Bool { false }
}

extension Optional: PropertyContainer {
  static var content: Any.Type { Wrapped.self }
}

extension Array: PropertyContainer {
  static var content: Any.Type { Element.self }
}

extension Set: PropertyContainer {
  static var content: Any.Type { Element.self }
}

/// The keys of the first container that a type asks for.
final class FirstKeys {
  private var keys: Any.Type?
  private(set) var property: ((String) -> String?)?

  /// True for the `CodingKeys` in a type, which are private if the compiler makes them.
  func areCodingKeys(of type: Any.Type) -> Bool {
    guard let keys else { return false }
    return String(describing: keys) == "CodingKeys"
      && String(reflecting: keys).hasPrefix("\(String(reflecting: type)).")
  }

  /// Records the keys, and ends the decoding.
  func stop<Key: CodingKey>(at type: Key.Type) throws {
    keys = type
    property = { text in
      Key(stringValue: text).map { key in enumCaseName(key).map { String(cString: $0) } ?? text }
    }
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "only the keys were asked for"))
  }
}

/// Returns the name of a case of an enumeration without values; nil for other types. The compiler names a coding
/// key after its property, and its string may be different. The runtime has had this function since Swift 5.
@_silgen_name("swift_EnumCaseName") private func enumCaseName<Case>(_ value: Case) -> UnsafePointer<CChar>?
