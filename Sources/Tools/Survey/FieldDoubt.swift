package import Store

/// A probable mistake in a value that is to be written: the other items have no such field, or
/// values of another kind in it.
package struct FieldDoubt: Sendable, Hashable, CustomStringConvertible {
  /// The kind of the warning.
  package enum Kind: Sendable, Hashable {
    /// No other item has the field.
    case unknownField
    /// Most of the other items have values of this kind in the field.
    case unlike(ValueKind)
  }

  /// The field.
  package let path: FieldPath
  /// The way in which the field is unusual.
  package let kind: Kind
  /// The field that was probably meant; nil if no item has a similar one.
  package let suggestion: FieldPath?
  /// A sentence that says what is unusual, and what to write instead.
  package let description: String

  fileprivate init(unknown path: FieldPath, suggestion: FieldPath?, among survey: FieldSurvey) {
    self.path = path
    kind = .unknownField
    self.suggestion = suggestion
    let items =
      survey.count < survey.total
      ? "none of \(survey.count) items that were read (of \(survey.total))" : "no other item"
    description = "\(items) has the field `\(path)`.\(suggestion.map { " Did you mean `\($0)`?" } ?? "")"
  }

  fileprivate init(
    _ value: Value, at path: FieldPath, unlike majority: ValueKind, _ counts: (same: Int, all: Int),
    isElement: Bool
  ) {
    self.path = path
    kind = .unlike(majority)
    suggestion = nil
    let own = ValueKind(value)?.phrase ?? "null"
    let shown = FieldDoubt.shown(value)
    let place = isElement ? "each element of `\(path)`" : "`\(path)`"
    let holders = isElement ? "elements in the other items" : "other items"
    description =
      "\(place) is \(majority.phrase) in \(counts.same) of \(counts.all) \(holders), and \(shown) is \(own)."
      + (isElement ? "" : FieldDoubt.advice(path, value, majority))
  }

  private static func shown(_ value: Value) -> String {
    let text = value.isScalar ? value.text : value.description
    return "`\(text.count > 40 ? "\(text.prefix(40))…" : text)`"
  }

  private static func advice(_ path: FieldPath, _ value: Value, _ wanted: ValueKind) -> String {
    switch wanted {
    case .date where MomentWord.isMoment(value.isScalar ? value.text : ""):
      " For the date, write \(path)=\(value.text) without quotes."
    case .date: " Write a date such as 2026-11-22, or @today."
    case .boolean: " Write true or false."
    case .list where value.isScalar && !value.text.isEmpty:
      " Write \(path)+=\(value.text.count > 40 ? "…" : value.text) to add an element."
    case .string where value.isScalar: " For a string, write \(path):=\(Value.string(value.text))."
    default: ""
    }
  }
}

extension FieldSurvey {
  /// Returns what is unusual about edits of an item, compared with the other items: at most one
  /// doubt per edit, at most a hundred, and none if there are no other items.
  ///
  /// Only what the edits set is compared. Null is a value of any field, a date one of any text. The
  /// fields of the settings' defaults are known, and so is `body`. A field that the item itself has
  /// is not unknown; with only one other item, a field is unknown only if that item has a similar
  /// one. Maps within lists are not compared.
  ///
  /// - Parameters:
  ///   - id: Nil for a new item.
  ///   - fields: The fields of the item before the edits; nil if they are not known.
  package func doubts(about edits: [TextEdit], of id: Item.ID?, holding fields: Fields? = nil) -> [FieldDoubt]
  {
    let own = id.flatMap { item($0) }
    if count - (own == nil ? 0 : 1) <= 0 { return [] }
    let judge = FieldJudge(
      survey: self, counted: own?.fields.value, holding: fields.map(Value.map) ?? own?.fields.value, id)
    let doubts = edits.lazy.compactMap { edit in
      switch edit {
      case .set(let path, let value), .insert(let path, let value): judge.doubt(about: value, at: path.keys)
      case .append(let value, let path): judge.doubt(aboutAppending: value, to: path.keys)
      case .remove, .removeValue, .rename: nil
      }
    }
    return Array(doubts.prefix(FieldSurvey.maxDoubts))
  }
}

private struct FieldJudge {
  let survey: FieldSurvey
  /// The fields of the item, if the survey counts them.
  let counted: Value?
  let fields: Value?
  private let standards: Fields

  init(survey: FieldSurvey, counted: Value?, holding fields: Value?, _ id: Item.ID?) {
    self.survey = survey
    self.counted = counted
    self.fields = fields
    standards = survey.settings.defaults.fields(
      at: id.flatMap { RelativePath(printed: $0.description) } ?? .root)
  }

  func doubt(about value: Value, at keys: [String]) -> FieldDoubt? {
    switch known(keys) {
    case .unknown(let doubt): doubt
    case .notCompared: nil
    case .element(let field): elementMismatch([value], field, field.path.keys)
    case .known(let field): mismatch(value, field, keys) ?? inner(value, keys)
    }
  }

  func doubt(aboutAppending value: Value, to keys: [String]) -> FieldDoubt? {
    switch known(keys) {
    case .unknown(let doubt): return doubt
    case .notCompared, .element: return nil
    case .known(let field):
      // An element of an existing list isn't unusual; a new list beside strings is.
      let isList = fields?.element(at: field.path)?.elements != nil
      return isList ? elementMismatch([value], field, keys) : mismatch(.list([value]), field, keys)
    }
  }

  private enum Knowledge {
    case known(FieldSurvey.Field)
    case element(FieldSurvey.Field)
    case unknown(FieldDoubt)
    case notCompared
  }

  private func known(_ keys: [String]) -> Knowledge {
    var field: FieldSurvey.Field?
    for end in keys.indices {
      let path = Array(keys[...end])
      if end >= FieldSurvey.maxDepth || (end == 0 && isStandard(keys[0])) {
        return survey.field(keys).map { .known($0) } ?? .notCompared
      }
      // The number of an element, or a key of what is a list elsewhere.
      if let field, field.kinds[.list] != nil, field.kind != .map {
        return end == keys.count - 1 && Int(elementNumber: keys[end]) != nil ? .element(field) : .notCompared
      }
      field = survey.field(path)
      if field == nil {
        if survey.isFull || fields?.element(at: FieldPath(keys: path)) != nil { return .notCompared }
        let doubt = unknown(path)
        // Beside one other item, every field would be new.
        return doubt.suggestion != nil || survey.count - (counted == nil ? 0 : 1) > 1
          ? .unknown(doubt) : .notCompared
      }
    }
    return field.map { .known($0) } ?? .notCompared
  }

  /// True for a field that needs no other item: the body of a page, a part of the id, or a default.
  private func isStandard(_ key: String) -> Bool {
    key == "body" || standards[key] != nil || survey.settings.idFields.contains { $0.keys.first == key }
  }

  private func unknown(_ keys: [String]) -> FieldDoubt {
    let siblings = survey.fields.map(\.path.keys).filter {
      $0.count == keys.count && $0.dropLast() == keys.dropLast()
    }
    let nearest = siblings.compactMap(\.last).sorted().nearest(to: keys.last ?? "")
    return FieldDoubt(
      unknown: FieldPath(keys: keys), suggestion: nearest.map { FieldPath(keys: keys.dropLast() + [$0]) },
      among: survey)
  }

  private func mismatch(_ value: Value, _ field: FieldSurvey.Field, _ keys: [String]) -> FieldDoubt? {
    var counts = field.kinds
    let path = FieldPath(keys: keys)
    if let own = counted?.element(at: path) { counts.remove(ValueKind(own)) }
    guard let kind = ValueKind(value), let majority = counts.majority, kind != majority else {
      return value.elements.flatMap { elementMismatch($0, field, keys) }
    }
    if kind == .date, majority == .string { return nil }
    return FieldDoubt(
      value, at: path, unlike: majority, (counts[majority] ?? 0, counts.total), isElement: false)
  }

  private func elementMismatch(_ elements: [Value], _ field: FieldSurvey.Field, _ keys: [String])
    -> FieldDoubt?
  {
    var counts = field.elementKinds
    let path = FieldPath(keys: keys)
    for own in counted?.element(at: path)?.elements?.prefix(FieldSurvey.maxElements) ?? [] {
      counts.remove(ValueKind(own))
    }
    guard let majority = counts.majority else { return nil }
    let other = elements.first { element in
      ValueKind(element).map { $0 != majority && !($0 == .date && majority == .string) } ?? false
    }
    return other.map {
      FieldDoubt($0, at: path, unlike: majority, (counts[majority] ?? 0, counts.total), isElement: true)
    }
  }

  private func inner(_ value: Value, _ keys: [String]) -> FieldDoubt? {
    guard case .map(let map) = value, keys.count < FieldSurvey.maxDepth else { return nil }
    return map.lazy.compactMap { doubt(about: $0.value, at: keys + [$0.key]) }.first
  }
}
