import Files
@testable import Store
import TestSupport
import TextEdits
import Values
import Streams

@testable import Query

/// An item with random fields, and its file.
struct GeneratedFile {
  let item: Item
  let bytes: [UInt8]

  var fields: Fields { item.fields.value.fields ?? [:] }

  /// Returns a line of `list --fields … -o jsonl`.
  func line(showing paths: [FieldPath]) -> [UInt8] {
    let (value, computed) = item.projection(paths)
    var line: Fields = [
      "id": .string(item.id.description), "path": .string(item.path.description), "value": .map(value),
    ]
    line["numbers"] = Value.map(value).nonFinitePlaces
    line["computed"] = computed.map(Value.map)
    return Array(JSONWriter.text(of: .map(line)).utf8)
  }

  /// Returns the file with other fields.
  func file(with fields: Fields, as format: TextFormat) throws -> GeneratedFile {
    let bytes = try ItemText(bytes, as: format).applying(TextEdit.edits(from: self.fields, to: fields))
    let read = try ItemText(bytes, as: format).fields.get()
    return GeneratedFile(
      item: Item(id: item.id, path: item.path, stamp: item.stamp, fields: read), bytes: bytes)
  }
}

extension SeededGenerator {
  private static let keys = [
    "a", "b", "cycle", "tags", "0", "1", "00", "a.b", "a/b", "~", "@count", "@max", "@size", "@id", "@path",
    "@context", "é", "e\u{301}",
    "x y", "true",
    "null", "1.5", "rgb[0]", "-", "=", "SIZE", "FIRST", "LAST",
  ]

  mutating func file(as format: TextFormat) -> GeneratedFile? {
    var fields = self.fields(depth: 4)
    if format == .markdown { fields["body"] = .string(one(of: ["text\n", "# a\n\nb", "x"])) }
    guard let text = try? ItemText.new(fields, as: format, ReadLimits()),
      let read = try? text.fields.get()
    else { return nil }
    let bytes = text.bytes
    let path = RelativePath(bytes: "d/a.\(format.pathExtensions[0])".utf8)
    let item = Item(
      id: Item.ID(path: path), path: path,
      stamp: FileStamp(size: UInt64(bytes.count), modified: 1_700_000_000), fields: read)
    return GeneratedFile(item: item, bytes: bytes)
  }

  private mutating func fields(depth: Int) -> Fields {
    Fields(
      unique: SeededGenerator.keys.shuffled(using: &self).prefix(below(6)).map {
        ($0, fieldValue(depth: depth - 1))
      })
  }

  private mutating func fieldValue(depth: Int) -> Value {
    switch below(depth > 0 ? 16 : 8) {
    case 0: .null
    case 1: .bool(oneIn(2))
    case 2: .number(.integer(one(of: [0, 1, 2, -1, .max, .min])))
    case 3: .number(.double(one(of: [0.5, -0.0, 1e300, 1.0, 0.1, .infinity, .nan])))
    case 4: .number(.literal(one(of: ["123456789012345678901234567890", "3.10", "1e3", "0.50"])))
    case 5:
      Value(
        text: one(of: [
          "2024-01-31", "2024-01-31T10:00:00Z", ".nan", "-.inf", "3", "true", "null", "~", "", " ",
        ]))
    case 6:
      .string(
        one(of: [
          "café", "cafe\u{301}", "\u{0}", "\u{2028}", "a\nb\n", "{}", "[]", "\u{FEFF}", "\\", "\"",
          "\u{10FFFF}",
        ]))
    case 7: .string("x")
    case 8, 9, 10: .list((0..<below(4)).map { _ in fieldValue(depth: depth - 1) })
    case 11: .list((0..<below(4)).map { _ in .map(fields(depth: depth - 1)) })
    default: .map(fields(depth: depth - 1))
    }
  }

  /// Returns paths to present and missing values: through lists by keys and numbers, with operators
  /// and pseudo-fields.
  mutating func paths(of item: Item) -> [FieldPath] {
    (0..<1 + below(5)).map { _ in
      if oneIn(8) { return FieldPath(keys: [one(of: PseudoField.allCases).rawValue]) }
      var keys: [String] = []
      var value = item.fields.value
      while keys.isEmpty || !oneIn(4) {
        let key = step(into: value)
        keys.append(key)
        value = value.value(at: FieldPath(keys: [key])) ?? .null
        if keys.count > 8 { break }
      }
      if oneIn(4) { keys.insert(one(of: ListOperator.allCases).rawValue, at: below(keys.count + 1)) }
      // A pointer has numbers and operators as steps; the same keys in quotes are keys.
      let path = oneIn(2) ? try? FieldPath(parsing: FieldPath.pointer(to: keys)) : nil
      return path ?? FieldPath(keys: keys)
    }
  }

  private mutating func step(into value: Value) -> String {
    switch value {
    case .map(let fields) where !fields.isEmpty && !oneIn(10): return fields[below(fields.count)].key
    case .list(let elements) where !elements.isEmpty && !oneIn(6):
      return step(into: elements[below(elements.count)])
    case .list(let elements) where !elements.isEmpty:
      return one(of: [String(below(elements.count)), "FIRST", "LAST", "SIZE"])
    default: return one(of: SeededGenerator.keys)
    }
  }
}
