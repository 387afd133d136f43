import DirectoryWatch
import PlainStore
import PlainText

/// A line that names an item: a JSON object as `list -o jsonl` prints it.
///
/// ```json
/// {"id":"ada","path":"ada.yaml","value":{"rating":8}}
/// ```
///
/// Unknown keys are ignored. Without an `id` the `path` names the item. `numbers` marks the strings
/// of `value` that are numbers which JSON does not have (see `NonFiniteNumbers`). `computed` marks
/// the parts that have the form of fields but are computed (see `Item.projection`).
struct ItemLine: Sendable, Hashable {
  let id: Item.ID
  let path: RelativePath?
  /// The fields of the item; nil if the line has no value.
  let value: Fields?
  /// The places of the computed parts of `value`; nil if there are none.
  let computed: Fields?

  /// Creates a line that only names an item.
  init(id: Item.ID) {
    self.id = id
    path = nil
    value = nil
    computed = nil
  }

  /// Reads a line.
  ///
  /// - Throws: `TextError` with the column of the mistake.
  init(_ bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(TextError) {
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json, limits: limits).value else {
      throw TextError(line: 1, column: 1, message: "Expected an object as `list -o jsonl` prints it: {\"id\":…,\"value\":{…}}.")
    }
    func error(_ key: String, _ message: String) -> TextError {
      let text = try? LocatedText(reading: bytes, as: .json, limits: limits)
      return TextError(line: 1, column: text?.place(of: FieldPath(keys: [key])).column ?? 1, message: message)
    }
    if written["v"] != nil, case .string(let type)? = written["type"], ItemLine.streamTypes.contains(type) {
      throw error("type", "This line comes from another output (`\(type)`) and is not an item. Use the lines of `list -o jsonl`.")
    }
    let (id, path, value) = (written["id"], written["path"], written["value"])
    if let path {
      guard case .string(let text) = path, let relative = RelativePath(printed: text), relative != .root else {
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
      guard path.name.utf8.first != UInt8(ascii: "."), TextFormat(pathExtension: PseudoField.split(path.name).ext) != nil else {
        throw error(
          "path",
          "`path` is not the file of an item: the name must end in .yaml, .yml, .json, .md or .markdown and must not begin with a dot.")
      }
      self.id = Item.ID(path: path)
    case (nil, nil): throw error("id", "The `id` of the item is missing.")
    default: throw error("id", "`id` must be a string that is not empty.")
    }
    computed = if case .map(let places)? = written["computed"] { places } else { nil }
    switch value {
    case nil: self.value = nil
    case .map(let fields)?: self.value = NonFiniteNumbers.restore(written["numbers"], in: fields)
    case let value?: throw error("value", "`value` must be an object with the item's fields, not \(value.kindName).")
    }
  }

  /// The types of the lines of a stream, of `check`, `diff` and `log`.
  private static let streamTypes: Set<String> = ["hello", "snapshot", "update", "problem", "bookmark", "error", "commit"]
}
