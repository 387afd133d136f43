import HTTPTypes
import Store
import Streams

enum ItemChange {
  /// Changes fields: a JSON Merge Patch (RFC 7396).
  case merge(Fields)
  case fields(Fields)
  case source([UInt8])
  case delete

  static let mergePatch = "application/merge-patch+json"

  var noun: String { if case .delete = self { "deletion" } else { "change" } }

  /// The JSON Pointers of the values that a patch sets or removes. None for all fields of an item: a
  /// client that sends all does not mean each of them.
  var namedPointers: [String] {
    if case .merge(let patch) = self { ItemChange.pointers(of: patch, below: []) } else { [] }
  }

  private static func pointers(of patch: Fields, below keys: [String]) -> [String] {
    patch.flatMap { key, value -> [String] in
      if case .map(let inner) = value, !inner.isEmpty { return pointers(of: inner, below: keys + [key]) }
      return [FieldPath.pointer(to: keys + [key])]
    }
  }

  /// The fields that the client wants, based on other fields; nil if there are none, 422 if the change cannot
  /// be made. Values that stay the same keep the text of the file: `9.50` does not become `9.5`.
  func fields(basedOn fields: Fields, _ text: ItemText) throws(ProblemDocument) -> Fields? {
    do throws(TextEditError) {
      switch self {
      case .merge(let patch): return try ItemChange.merge(patch, into: fields)
      case .fields(let wanted): return try Value.map(wanted).asWritten(in: .map(fields)).fields ?? wanted
      case .source(let bytes): return text.fields(of: bytes)
      case .delete: return nil
      }
    } catch {
      let element = String(JSONWriter.text(of: error.element ?? .null).prefix(200))
      throw ProblemDocument(
        .unprocessableContent,
        "Several elements of a list look like \(element), and it is not clear which of them stay."
          + " PUT the text with the change to /item/source.",
        code: "ambiguous")
    }
  }

  private static func merge(_ patch: Fields, into fields: Fields) throws(TextEditError) -> Fields {
    var places = FieldIndex(fields)
    var pairs: [(key: String, value: Value)?] = fields.pairs
    for (hint, (key, value)) in patch.enumerated() {
      let place = places.place(of: key, near: hint)
      if value == .null {
        if let place { pairs[place] = nil }
        continue
      }
      let old = place.map { fields[$0].value }
      let new: Value =
        if case .map(let inner) = value { .map(try merge(inner, into: old?.fields ?? [:])) } else {
          try value.asPatched(over: old)
        }
      if let place { pairs[place] = (key, new) } else { pairs.append((key, new)) }
    }
    return Fields(unique: pairs.compactMap { $0 })
  }
}

extension Value {
  /// This value of a patch instead of an old one, which stays as it is written if both are the same.
  ///
  /// A list or a map may come from a program that does not keep the text of numbers, so each part that such a
  /// program would print like this is kept. A single value is what the client means. It is an error if it is
  /// not clear which elements of a list stay.
  fileprivate func asPatched(over old: Value?) throws(TextEditError) -> Value {
    guard let old else { return self }
    if old.hasSameValue(as: self) { return old }
    switch (self, old) {
    case (.list, .list), (.map, .map): return try asWritten(in: old)
    case (.string(let text), .number(let number)) where !number.isFinite && number.description == text:
      return old
    default: return self
    }
  }
}

extension ItemText {
  /// Returns the fields of another text of the file; nil if it cannot be read.
  fileprivate func fields(of bytes: [UInt8]) -> Fields? {
    (try? ItemText(bytes, as: format, limits: limits).fields.get())?.value.fields
  }
}

extension CurrentItem {
  /// The change as a scope: 409 if the file cannot be read as an item, 422 if the change cannot be made.
  func scope(_ change: ItemChange) throws(ProblemDocument) -> EditScope {
    var scope = EditScope()
    switch change {
    case .source(let bytes): scope.replace(item.id, with: bytes, readAt: revision)
    case .delete: scope.delete(item.id, readAt: revision)
    case .merge, .fields:
      try checkReadable()
      let wanted = try change.fields(basedOn: fields, text) ?? fields
      scope.update(item.id, TextEdit.edits(from: fields, to: wanted), readAt: revision)
    }
    return scope
  }

  /// Makes a change of the text `base` to this version; nil if both changed a field in different ways.
  func scope(merging change: ItemChange, basedOn base: [UInt8]) throws(ProblemDocument) -> EditScope? {
    try checkReadable()
    guard let before = text.fields(of: base), let mine = try change.fields(basedOn: before, text),
      ItemChange.areSeparate(before, mine: mine, theirs: fields, named: change.namedPointers)
    else { return nil }
    var scope = EditScope()
    guard case .source(let bytes) = change else {
      scope.update(item.id, TextEdit.edits(from: before, to: mine), readAt: revision)
      return scope
    }
    let merge = TextMerge(base: base, ours: bytes, theirs: text.bytes, as: text.format, limits: text.limits)
    if merge.isConflicted { return nil }
    scope.replace(item.id, with: merge.bytes, readAt: revision)
    return scope
  }

  /// Throws if the file cannot be read as an item, so that its fields cannot be changed.
  private func checkReadable() throws(ProblemDocument) {
    guard case .failure(let error) = text.fields else { return }
    throw ProblemDocument(
      .conflict, "The file cannot be read as an item: \(error.message) PUT a corrected text to /item/source.",
      code: "unreadable",
      members: [
        "path": .string(item.path.description), "line": .integer(error.line),
        "column": .integer(error.column),
      ])
  }
}

// MARK: Conflicts

extension CurrentItem {
  private static let maxConflictFields = 100

  /// The answer to a change of an old version: the fields that differ, with the values of the three sides.
  /// `base` is the text that the client changed; nil if it is no longer known.
  func conflict(with change: ItemChange, basedOn base: [UInt8]?) -> ProblemDocument {
    let (rows, more) = conflictRows(change, base)
    let names = rows.prefix(3).compactMap { $0["field"]?.text }.joined(separator: ", ")
    let advice =
      if case .delete = change { "" } else {
        ", or send Prefer: merge to keep both changes if they are of different fields"
      }
    let detail =
      "The item `\(item.id)` was changed since the version of this "
      + "request\(names.isEmpty ? "" : " (\(names))")."
      + " Nothing was written. Read it again\(advice)."
    var members: Fields = ["conflict": .list(rows), "etag": .string("\(tag)")]
    if more > 0 { members["more"] = .integer(more) }
    return ProblemDocument(
      .preconditionFailed, detail, code: "stale", members: members, fields: [.eTag: "\(tag)"])
  }

  /// Returns the fields that differ, and the number of those that are not listed.
  private func conflictRows(_ change: ItemChange, _ base: [UInt8]?) -> (rows: [Value], more: Int) {
    let old = base.flatMap { text.fields(of: $0) }
    let mine = try? change.fields(basedOn: old ?? fields, text)
    guard let other = mine ?? old else { return ([], 0) }
    let pointers = FieldChanges(from: other, to: fields).pointers
    let rows = pointers.prefix(CurrentItem.maxConflictFields).map { pointer in
      var row: Fields = ["field": .string(pointer)]
      row["base"] = old.flatMap { Value.map($0).value(at: pointer) }
      row["mine"] = mine.flatMap { Value.map($0).value(at: pointer) }
      row["theirs"] = Value.map(fields).value(at: pointer)
      return Value.map(row)
    }
    return (rows, pointers.count - rows.count)
  }
}

extension Value {
  /// Returns the value that a JSON Pointer (RFC 6901) of a changed field names; nil if there is none.
  fileprivate func value(at pointer: String) -> Value? {
    var value = self
    let parts = pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for part in parts {
      let key = Value.unescaped(part)
      switch value {
      case .map(let fields):
        guard let child = fields[key] else { return nil }
        value = child
      case .list(let elements):
        // The number of an element has no leading zero.
        guard let index = Int(key), "\(index)" == key, elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  private static func unescaped(_ part: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      let isSlash = byte == UInt8(ascii: "~") && rest.popFirst() == UInt8(ascii: "1")
      bytes.append(isSlash ? UInt8(ascii: "/") : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
