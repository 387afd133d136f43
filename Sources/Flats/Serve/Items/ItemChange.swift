import HTTPTypes
import Store
import TextEdits
import Values

/// A change of one item that a client asks for.
enum ItemChange: Sendable {
  /// Changes fields.
  case patch(ItemPatch)
  /// Replaces the text of the file.
  case source([UInt8])
  /// Deletes the file.
  case delete

  /// The kind of the change, for titles.
  var noun: String { if case .delete = self { "deletion" } else { "change" } }

  /// The JSON Pointers of the fields that the client names.
  var namedPointers: [String] { if case .patch(let patch) = self { patch.namedPointers } else { [] } }

  /// Returns the fields that the client wants, based on other fields; nil if there are none.
  ///
  /// - Throws: `ProblemDocument` (422) if the change cannot be made.
  func fields(basedOn fields: Fields, format: TextFormat, limits: ReadLimits) throws(ProblemDocument)
    -> Fields?
  {
    switch self {
    case .patch(let patch): return try patch.applied(to: fields)
    case .source(let bytes):
      return (try? ItemText(bytes, as: format, limits: limits).fields.get())?.value.fields
    case .delete: return nil
    }
  }
}

extension CurrentItem {
  /// Returns the change of this version as a scope.
  ///
  /// - Throws: `ProblemDocument`: 409 if the file cannot be read as an item, 422 if the change
  ///   cannot be made.
  func scope(_ change: ItemChange) throws(ProblemDocument) -> EditScope {
    var scope = EditScope()
    switch change {
    case .source(let bytes): scope.replace(item.id, with: bytes, readAt: revision)
    case .delete: scope.delete(item.id, readAt: revision)
    case .patch(let patch):
      try checkReadable()
      let wanted = try patch.applied(to: fields)
      scope.update(item.id, TextEdit.edits(from: fields, to: wanted), readAt: revision)
    }
    return scope
  }

  /// Returns a change that was based on another version, made to this version; nil if both versions
  /// changed the same field in different ways.
  ///
  /// - Parameter base: The text of the version that the change is based on.
  func scope(merging change: ItemChange, basedOn base: [UInt8]) throws(ProblemDocument) -> EditScope? {
    try checkReadable()
    let old = ItemText(base, as: text.format, limits: text.limits)
    guard let before = (try? old.fields.get())?.value.fields,
      let mine = try change.fields(basedOn: before, format: text.format, limits: text.limits)
    else { return nil }
    guard SeparateChanges.areSeparate(before, mine: mine, theirs: fields, named: change.namedPointers) else {
      return nil
    }
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
        "path": .string(item.path.description), "line": .number(.integer(error.line)),
        "column": .number(.integer(error.column)),
      ])
  }
}
