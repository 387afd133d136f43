import Store

/// The values that fields of some items have now, and the names of the fields.
struct FieldValues: Sendable {
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

  /// Returns a sentence about the values that a field has now, by its name in a word.
  func description(of name: String) -> String {
    guard let path = FieldPath(name) else { return "" }
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

  /// Returns the name in a word: what is before its sign.
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
