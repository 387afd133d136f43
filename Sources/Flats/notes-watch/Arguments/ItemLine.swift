import Store
import Streams

/// A line that names an item: a JSON object as `list -o jsonl` prints it.
///
/// ```json
/// {"id":"ada","path":"ada.yaml","value":{"rating":8}}
/// ```
///
/// Without an `id` the `path` names the item. `numbers` marks the strings of `value` that are
/// numbers which JSON does not have (see `Value.nonFinitePlaces`). `computed` marks the parts that are
/// not fields of the file (see `Item.projection`).
///
/// Other outputs (changes, old versions, shortened rows) have lines with an `id`, a `value` and further keys.
/// So a line whose value is used may only have the keys of an item; a later version's is refused.
struct ItemLine: Hashable {
  let id: Item.ID
  let path: RelativePath?
  let value: Fields?
  let computed: Fields?

  init(id: Item.ID) {
    self.id = id
    path = nil
    value = nil
    computed = nil
  }

  /// The keys of an item: those of `list` and `get`, and `problems` and `revision` of HTTP.
  private static let keys: Set<String> = [
    "id", "path", "section", "value", "numbers", "computed", "problems", "revision",
  ]

  /// - Parameter usesValue: False if only the id counts; then the line may have other keys.
  init(_ bytes: [UInt8], usesValue: Bool = true, limits: ReadLimits = ReadLimits()) throws(TextError) {
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json, limits: limits).value else {
      throw TextError(
        line: 1, column: 1,
        message: "Expected an object as `list -o jsonl` prints it: {\"id\":…,\"value\":{…}}.")
    }
    func error(_ key: String, _ message: String) -> TextError {
      let text = try? LocatedText(reading: bytes, as: .json, limits: limits)
      return TextError(line: 1, column: text?.place(of: FieldPath(keys: [key])).column ?? 1, message: message)
    }
    if written["v"] != nil, case .string(let type)? = written["type"] {
      throw error(
        "type",
        "This line comes from another output (`\(type)`) and is not an item. Use the lines of `list -o jsonl`."
      )
    }
    if usesValue, let key = ItemLine.foreignKey(in: written) {
      throw error(key, ItemLine.message(aboutForeignKey: key))
    }
    let id = written["id"]
    let path = written["path"]
    let value = written["value"]
    if let path {
      guard case .string(let text) = path, let relative = RelativePath(printed: text), relative != .root
      else {
        throw error("path", "`path` must be the path of a file below the folder.")
      }
      self.path = relative
    } else {
      self.path = nil
    }
    switch (id, self.path) {
    case (let id?, _) where id.isScalar && !id.text.isEmpty: self.id = Item.ID(printed: id.text)
    case (nil, let path?):
      // With another path the id could be empty.
      guard path.name.utf8.first != UInt8(ascii: "."),
        TextFormat(pathExtension: PseudoField.split(path.name).ext) != nil
      else {
        throw error(
          "path",
          "`path` is not the file of an item: the name must end in .yaml, .yml, .json, .md or .markdown and must not begin with a dot."
        )
      }
      self.id = Item.ID(path: path)
    case (nil, nil): throw error("id", "The `id` of the item is missing.")
    default: throw error("id", "`id` must be a string that is not empty.")
    }
    computed = if case .map(let places)? = written["computed"] { places } else { nil }
    switch value {
    case nil: self.value = nil
    case .map(let fields)?:
      self.value =
        written["numbers"].flatMap { Value.map(fields).restoringNonFinite(at: $0).fields } ?? fields
    case let value?:
      throw error("value", "`value` must be an object with the item's fields, not \(value.kindName).")
    }
  }

  /// Returns the first key that shows that the value may not be the complete, current one.
  private static func foreignKey(in written: Fields) -> String? {
    // Of a row of a window, the mark says more than its other keys.
    if written["cut"] != nil { return "cut" }
    return written.first { key, value in
      // The value of a file with a problem is an old one.
      if key == "problems" { return value != .list([]) }
      return !keys.contains(key)
    }?.key
  }

  private static func message(aboutForeignKey key: String) -> String {
    switch key {
    case "cut": "The value of this row is shortened (`cut`). Use the lines of `list -o jsonl`."
    case "problems":
      "The file of this item has a problem, so this value is an old one. Correct the file first."
    default:
      "`\(key)` is not a key of an item, so the value may be an old or an incomplete one. Use the lines of `list -o jsonl`, or leave this key out."
    }
  }

  var mistakeOfNewItem: String? {
    if value == nil { return "A new item needs a `value` that holds its fields." }
    return computed.map { computed in
      "`\(FieldPath(listed: ItemLine.firstKeys(of: computed)))` is computed, or comes from the elements of a list, so it cannot be a field of a new item. Print the complete field."
    }
  }

  private static func firstKeys(of marks: Fields) -> [String] {
    guard let (key, value) = marks.first else { return [] }
    return [key] + (value.fields.map(firstKeys) ?? [])
  }
}
