import Store
import Survey

/// The words that set a field, as `set` and `add` read them.
enum FieldWord {
  typealias Check = @Sendable (String) -> (column: Int, message: String)?

  /// Returns the name of a field as a word has it: in backquotes unless it is plain.
  static func name(_ path: FieldPath) -> String {
    let keys = path.keys
    guard keys.count == 1, let key = keys.first, !isPlain(key) else { return path.description }
    return "`" + key.split(separator: "`", omittingEmptySubsequences: false).joined(separator: "``") + "`"
  }

  /// A field whose values are strings gets a string, even of digits. A list is JSON, or its elements with
  /// commas between them. `@today` and `@now` are moments in every field.
  static func words(_ path: FieldPath, _ text: String, kind: ValueKind?, elementKind: ValueKind?) -> [String]
  {
    let name = name(path)
    if MomentWord.isMoment(text) || MomentWord.unquoted(text) != nil { return ["\(name)=\(text)"] }
    switch kind {
    case .string: return ["\(name):=\(Value.string(text))"]
    case .map: return ["\(name):=\(text)"]
    case .list where text.first { !$0.isWhitespace } == "[": return ["\(name):=\(text)"]
    case .list:
      return ["\(name):=[]"]
        + elements(text).map { elementKind == .string ? "\(name)+:=\(Value.string($0))" : "\(name)+=\($0)" }
    default: return ["\(name)=\(text)"]
    }
  }

  /// Nil if the text is of the kind that the field has in the other items.
  static func note(on text: String, kind: ValueKind?) -> String? {
    if kind == .date, MomentWord.isMoment(text) { return nil }
    return switch kind {
    case .number where Number(json: text) == nil: "This is not a number, as in the other items."
    case .boolean where text != "true" && text != "false": "Other items have true or false here."
    case .date where Timestamp(text) == nil:
      "This is not a date such as 2026-11-22 or @today, as in the other items."
    default: nil
    }
  }

  private static func elements(_ text: String) -> [String] {
    text.split(separator: ",").map { element in
      let start = element.drop(while: \.isWhitespace)
      return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
    .filter { !$0.isEmpty }
  }

  private static func isPlain(_ key: String) -> Bool {
    let isSafe = key.utf8.allSatisfy {
      isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 >= 0x80
    }
    return isSafe && !key.isEmpty && key.utf8.last != UInt8(ascii: "-")
      && !key.contains(where: \.isWhitespace)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

struct FieldValues {
  /// The names of the fields as words have them: those of the items, then those of the list.
  let names: [String]
  private let items: [Item]

  private static let maxValues = 3
  private static let maxItems = 1000

  init(_ items: [Item], fields: [FieldPath]) {
    self.items = Array(items.prefix(FieldValues.maxItems))
    var seen: Set<String> = []
    names = (FieldSurvey(items: items).topLevel.map(\.path) + fields)
      .filter { $0.isWritable && $0.keys.first?.utf8.first != UInt8(ascii: "@") }
      .map(FieldWord.name).filter { seen.insert($0).inserted }
  }

  func description(of name: String) -> String {
    guard let path = try? FieldPath(parsing: name) else { return "" }
    var counts: [(value: String, count: Int)] = []
    for item in items {
      let value = item.value(at: path).map(FieldValues.text) ?? "missing"
      if let index = counts.firstIndex(where: { $0.value == value }) {
        counts[index].count += 1
      } else if counts.count < FieldValues.maxValues + 1 {
        counts.append((value, 1))
      }
    }
    if items.count == 1, let value = counts.first?.value { return "\(name) is \(value) now." }
    let shown = counts.prefix(FieldValues.maxValues).map { "\($0.value) in \($0.count)" }.joined(
      separator: ", ")
    return
      "\(name) is \(shown)\(counts.count > FieldValues.maxValues ? ", …" : "") of \(items.count) items now."
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .string: value.description
    default: value.text
    }
  }

  static func name(in word: String) -> String {
    var isQuoted = false
    var name = ""
    for character in word {
      if character == "`" { isQuoted.toggle() }
      if character == "=", !isQuoted { break }
      name.append(character)
    }
    while let last = name.last, last == ":" || last == "+" || last == "-" { name.removeLast() }
    return name
  }
}
