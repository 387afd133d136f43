import DirectoryWatch
import PlainStore
import PlainText

/// A line that names an item: a JSON object in the shape that `list -o jsonl` prints.
///
/// ```json
/// {"id":"ada","path":"ada.yaml","value":{"rating":8}}
/// ```
///
/// Keys that are not known are passed over. Without an `id` the `path` names the item. `numbers` says which strings of `value` are numbers that JSON does not have
/// (see `NonFiniteNumbers`), and `computed` which parts of it look like fields but are computed (see `Item.projection`).
struct ItemLine: Sendable, Hashable {
  let id: Item.ID
  let path: RelativePath?
  /// Nil where the line has none.
  let value: Fields?
  /// The places of the parts of `value` that were computed; nil if there are none.
  let computed: Fields?

  /// A line that names an item and says nothing else.
  init(id: Item.ID) {
    self.id = id
    path = nil
    value = nil
    computed = nil
  }

  /// - Throws: what is wrong with the line, at its column.
  init(_ bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws(TextError) {
    guard case .map(let written) = try PackedValue(reading: bytes, as: .json, limits: limits).value else {
      throw TextError(line: 1, column: 1, message: "An object is expected here, as `list -o jsonl` prints it: {\"id\":…,\"value\":{…}}.")
    }
    func error(_ key: String, _ message: String) -> TextError {
      let text = try? LocatedText(reading: bytes, as: .json, limits: limits)
      return TextError(line: 1, column: text?.place(of: FieldPath(keys: [key])).column ?? 1, message: message)
    }
    if written["v"] != nil, case .string(let type)? = written["type"], ItemLine.streamTypes.contains(type) {
      throw error("type", "This is a line of another output (`\(type)`), not an item. Use the lines of `list -o jsonl`.")
    }
    let (id, path, value) = (written["id"], written["path"], written["value"])
    if let path {
      guard case .string(let text) = path, let relative = RelativePath(printed: text), relative != .root else {
        throw error("path", "`path` is no path of a file below the folder.")
      }
      self.path = relative
    } else {
      self.path = nil
    }
    switch (id, self.path) {
    case (let id?, _) where id.isScalar && !id.text.isEmpty: self.id = Item.ID(printed: id.text)
    case (nil, let path?):
      // Of another path the id could be empty.
      guard path.name.utf8.first != UInt8(ascii: "."), TextFormat(pathExtension: PseudoField.split(path.name).ext) != nil else {
        throw error("path", "`path` is not a file of an item: its name ends in .yaml, .yml, .json, .md or .markdown, with no dot first.")
      }
      self.id = Item.ID(path: path)
    case (nil, nil): throw error("id", "The `id` of an item is missing.")
    default: throw error("id", "The `id` has to be a text that is not empty.")
    }
    computed = if case .map(let places)? = written["computed"] { places } else { nil }
    switch value {
    case nil: self.value = nil
    case .map(let fields)?: self.value = NonFiniteNumbers.restore(written["numbers"], in: fields)
    case let value?: throw error("value", "`value` has to be an object with the item's fields, not \(value.kindName).")
    }
  }

  /// What the lines of a stream, of `check`, `diff` and `log` call themselves.
  private static let streamTypes: Set<String> = ["hello", "snapshot", "update", "problem", "bookmark", "error", "commit"]
}
