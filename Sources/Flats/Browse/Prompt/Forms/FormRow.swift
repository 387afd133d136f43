import Store
import Survey

/// One line of a form: a field of the new item and what was typed for it.
struct FormRow {
  let path: FieldPath?
  /// The kind of the field in most of the other items; nil if no kind is that frequent.
  let kind: ValueKind?
  /// The kind of most elements of the field's lists in the other items.
  let elementKind: ValueKind?
  var field = LineField()
  /// The value that the settings give a new item, as they write it; nil if they give none.
  var standard: Value?
  /// True if the row is there because other items have the field.
  let isCommon: Bool
  /// The mistake in what was typed, as of the last check; nil if there is none.
  private(set) var mistake: String?
  private(set) var doubt: String?

  init() {
    path = nil
    kind = nil
    elementKind = nil
    isCommon = true
  }

  init(_ field: FieldSurvey.Field) {
    path = field.path
    kind = field.kind
    elementKind = field.elementKind
    isCommon = true
  }

  init(_ key: String, _ standard: Value) {
    path = FieldPath(keys: [key])
    kind = ValueKind(standard).flatMap { $0 == .string ? nil : $0 }
    elementKind = nil
    isCommon = false
    self.standard = standard
  }

  var label: String { path?.description ?? "id" }

  var words: [String] {
    guard let path, !field.isEmpty else { return [] }
    return FieldWord.words(path, field.text, kind: kind, elementKind: elementKind)
  }

  /// The text of an empty line: what the item gets then.
  var placeholder: String {
    guard let standard else { return path == nil ? "path without extension" : "" }
    return "\(standard.isScalar ? standard.text : standard.description) (default)"
  }

  var help: String {
    switch kind {
    case nil: path == nil ? "Such as friends/ada." : ""
    case .list?: "A list: a, b, c, or JSON such as [\"a\", \"b\"]."
    case .map?: "A map in JSON, such as {\"a\": 1}."
    case .boolean?: "true or false."
    case .date?: "A date, as in the other items; @today is one, and so is @today + 3d."
    case let kind?: "A \(kind.rawValue), as in the other items."
    }
  }

  mutating func check(_ check: FieldWord.Check) {
    mistake = words.lazy.compactMap(check).first?.message
  }

  mutating func updateDoubt() {
    doubt = field.isEmpty ? nil : FieldWord.note(on: field.text, kind: kind)
  }
}
