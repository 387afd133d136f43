import Files
import Folder
import Query
import Store
@_spi(Reflection) import Swift
import Values

/// The fields of a model, or of the type of one of its properties, as far as `Codable` says: whether a name
/// is one of its coding keys.
///
/// They are known if the type decodes itself by keys named `CodingKeys`, as the compiler makes them. Other
/// types may have any field.
struct ModelKeys {
  private let type: any Decodable.Type
  private let isKey: ((String) -> Bool)?

  /// Runs the beginning of the type's `init(from:)`, until it asks for its first container.
  init<Object: Decodable>(of type: Object.Type) {
    self.type = type
    let item = Item(id: "", path: .root, stamp: .none, fields: PackedValue(.map([:])))
    var decoder = ValueDecoder(item, defaults: [:])
    let first = FirstKeys()
    decoder.firstKeys = first
    _ = try? decoder.decodeWhole(type)
    isKey = first.areCodingKeys(of: type) ? first.isKey : nil
  }

  /// Checks that the type has the fields that a request names. Pseudo-fields always exist.
  func check(_ request: FetchRequest) throws(StoreError) {
    try check(
      request.predicate?.namedFields ?? [],
      "In a predicate, write a string in quotes or as a value: `\\(text)`.")
    var rest = request
    rest.predicate = nil
    try check(rest.orderingPaths)
  }

  func check(_ paths: [FieldPath], _ advice: String? = nil) throws(StoreError) {
    let defaults = (type as? any PlainModel.Type)?.defaults ?? [:]
    for path in paths where PseudoField(path) == nil {
      var holder = self
      for (depth, name) in path.leadingKeys.enumerated() {
        guard let isKey = holder.isKey else { break }
        let above = Array(path.leadingKeys[..<depth])
        // The key that is the id of the item, and not a field of the file.
        let isID = depth == 0 && name == "id" && !isKey(PseudoField.id.rawValue)
        let isKnown = isKey(name) || Value.map(defaults).value(at: FieldPath(keys: above + [name])) != nil
        if isKnown, !isID {
          guard depth < path.leadingKeys.count - 1, let next = holder.propertyType(name) else { break }
          holder = ModelKeys(of: next)
          continue
        }
        let names = holder.properties.map(\.name).filter(isKey) + (depth == 0 ? Array(defaults.keys) : [])
        let similar = names.nearest(to: name).map { "Did you mean `\(FieldPath(keys: above + [$0]))`?" }
        throw StoreError(
          .malformed, "`\(type)` has no field `\(path)`.",
          advice: isID ? "The id of an item is `@id`." : similar ?? advice)
      }
    }
  }

  /// The type that is decoded from the map of a property, or from the maps in its list: `Address` for
  /// `[Address]?`.
  private func propertyType(_ name: String) -> (any Decodable.Type)? {
    var found = properties.first { $0.name == name }?.type
    while let container = found as? any PropertyContainer.Type { found = container.content }
    return found as? any Decodable.Type
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

/// A type whose values are decoded as another type, one or several times.
private protocol PropertyContainer {
  static var content: Any.Type { get }
}

extension Optional: PropertyContainer {
  fileprivate static var content: Any.Type { Wrapped.self }
}

extension Array: PropertyContainer {
  fileprivate static var content: Any.Type { Element.self }
}

/// The keys of the first container that a type asks for.
final class FirstKeys {
  private var keys: Any.Type?
  private(set) var isKey: ((String) -> Bool)?

  /// True for the `CodingKeys` in a type, which are private if the compiler makes them.
  func areCodingKeys(of type: Any.Type) -> Bool {
    guard let keys else { return false }
    return String(describing: keys) == "CodingKeys"
      && String(reflecting: keys).hasPrefix("\(String(reflecting: type)).")
  }

  /// Records the keys, and ends the decoding.
  func stop<Key: CodingKey>(at type: Key.Type) throws {
    keys = type
    isKey = { Key(stringValue: $0) != nil }
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "only the keys were asked for"))
  }
}
