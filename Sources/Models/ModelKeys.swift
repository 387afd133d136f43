import Files
import Folder
import Query
import Store
@_spi(Reflection) import Swift
import Values

/// The fields of a model, as far as `Codable` says: whether a name is one of its coding keys.
///
/// They are known if the type decodes itself by keys named `CodingKeys`, as the compiler makes them. Other
/// types may have any field.
struct ModelKeys {
  private let type: any PlainModel.Type
  private let isKey: ((String) -> Bool)?

  /// Runs the beginning of the type's `init(from:)`, until it asks for its first container.
  init<Object: PlainModel>(of type: Object.Type) {
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
    guard let isKey else { return }
    for path in paths where PseudoField(path) == nil {
      guard let name = path.leadingKeys.first else { continue }
      // The key that is the id of the item, and not a field of the file.
      let isID = name == "id" && !isKey(PseudoField.id.rawValue)
      if !isID, isKey(name) || type.defaults[name] != nil { continue }
      let similar = (ModelKeys.properties(of: type).filter(isKey) + type.defaults.keys).nearest(to: name)
      let advice =
        isID ? "The id of an item is `@id`." : similar.map { "Did you mean `\($0)`?" } ?? advice
      throw StoreError(.malformed, "`\(type)` has no field `\(path)`.", advice: advice)
    }
  }

  private static func properties(of type: Any.Type) -> [String] {
    var names: [String] = []
    _ = _forEachField(of: type) { name, _, _, _ in
      names.append(String(cString: name))
      return true
    }
    return names
  }
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
