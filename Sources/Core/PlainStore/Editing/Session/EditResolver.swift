import Files
import Query
import TextEdits
import Values

/// The effect of one change on its file, decided but not yet written.
struct ResolvedEdit: Sendable {
  /// The outcome that the save will report. It is never `failed`: failures are thrown.
  var result: SaveOutcome.Result
  /// The text that the file will hold; nil if there will be no file.
  var text: ItemText?
  /// The part of the change that the merge policy leaves out.
  var unsaved = UnsavedChanges()

  /// The text to write; nil if the file is to be deleted or stays as it is.
  var newText: ItemText? {
    switch result {
    case .inserted, .updated, .renamed: text
    case .deleted, .unchanged, .discarded, .failed: nil
    }
  }
}

/// The rules for the effect of a change, given the current content of its file. Pure.
struct EditResolver: Sendable {
  var policy = MergePolicy.error
  /// The rules for parts that both sides changed.
  var rules = MergeRules()
  var limits = ReadLimits()

  /// One change and the file that it meets.
  struct Sides {
    let change: PendingChange
    let format: TextFormat
    /// The content of the file; nil if there is no file.
    let current: FileContent?
  }

  /// A refusal of one of several kinds, without the id and the path.
  private enum Refusal: Error {
    case edit(TextEditError)
    case text(TextError)
    case other(EditError.Code, String)
    /// A conflict that another merge policy would resolve.
    case conflict(String)
    /// An undo of a change to a file that is not as the change left it.
    case undo(String)

    func error(_ id: Item.ID, _ path: RelativePath) -> EditError {
      switch self {
      case .edit(let error): return EditError(id, path, error)
      case .text(let error): return EditError(id, path, error)
      case .other(let code, let message): return EditError(code, id, path, message)
      case .conflict(let message):
        var error = EditError(.conflict, id, path, "\(message) Read it again and decide, or choose a merge policy.")
        error.dependsOnPolicy = true
        return error
      case .undo(let message):
        return EditError(.conflict, id, path, "\(message) It was not undone, so that no other change is lost.")
      }
    }

    static let missing = Refusal.other(.notFound, "There is no item with this id.")
  }

  /// Returns the effect of a change.
  ///
  /// - Parameter current: The content of the file; nil if there is no file.
  func resolve(
    _ change: PendingChange, at path: RelativePath, as format: TextFormat, _ current: FileContent?
  ) throws(EditError) -> ResolvedEdit {
    do throws(Refusal) {
      let sides = Sides(change: change, format: format, current: current)
      if change.undo != nil { try checkUndo(sides) }
      switch change.act {
      case .insert(let content, _, _): return try insert(content, sides)
      case .update: return addUnsaved(try update(sides), sides, ours: nil)
      case .replace(let text):
        let ours = try edited(ItemText(text, as: format, limits: limits), sides)
        return addUnsaved(try replace(ours, sides), sides, ours: ours)
      case .delete: return addUnsaved(try delete(sides), sides, ours: nil)
      }
    } catch {
      var failure = error.error(change.id, path)
      if failure.code == .conflict { failure.conflict = EditConflict(change, format, current, limits) }
      throw failure
    }
  }

  // MARK: Inserts and deletes

  private func insert(_ content: PendingChange.NewContent, _ sides: Sides) throws(Refusal) -> ResolvedEdit {
    if let current = sides.current {
      if policy != .mergeByPropertyObjectTrump, !sides.change.lacksOriginal {
        throw .other(.exists, "There is already an item with this id. Set its fields, or choose another id.")
      }
      let theirs = try fields(of: current.text)
      let ours = try NewItems.merged(theirs, with: fields(of: content, sides))
      if try keepsOtherValues(sides, theirs, ours) { return discarded(sides) }
      let text = try set(ours, in: current.text, from: theirs)
      return try write(edited(text, sides), sides)
    }
    let text: ItemText =
      switch content {
      case .text(let bytes): ItemText(bytes, as: sides.format, limits: limits)
      case .fields(let fields, _): try newText(of: fields, nil, sides)
      case .planned(let fields, let style): try newText(of: fields, style, sides)
      }
    return try write(edited(text, sides), sides)
  }

  private func fields(of content: PendingChange.NewContent, _ sides: Sides) throws(Refusal) -> Fields {
    switch content {
    case .text(let bytes): try fields(of: ItemText(bytes, as: sides.format, limits: limits))
    case .fields(let fields, _), .planned(let fields, _): PackedValue(.map(fields)).value.fields ?? fields
    }
  }

  /// Throws unless the file is as the change to undo left it.
  private func checkUndo(_ sides: Sides) throws(Refusal) {
    guard let current = sides.current else {
      if !sides.change.isInsertion, sides.change.act != .delete { throw .undo("It was deleted since it was saved.") }
      return
    }
    guard let revision = sides.change.revision else { throw .undo("There is an item with this id again.") }
    if revision.isText(of: current) { return }
    let theirs = (try? current.text.fields.get())?.value.fields
    let names = theirs.map { FieldChanges(from: revision.fields.value.fields ?? [:], to: $0).pointers }
    let difference = names.map { $0.isEmpty ? "comments or formatting" : EditResolver.summary($0) } ?? "it cannot be read"
    throw .undo("It was changed since it was saved (\(difference)).")
  }

  private func delete(_ sides: Sides) throws(Refusal) -> ResolvedEdit {
    guard let current = sides.current else {
      if sides.change.revision == nil || sides.change.followsRemoval { throw .missing }
      return ResolvedEdit(result: .unchanged, text: nil)
    }
    let deleted = ResolvedEdit(result: .deleted, text: nil)
    guard let revision = sides.change.revision, !revision.isText(of: current) else { return deleted }
    switch policy {
    case .error: throw .conflict("It was changed since it was read, so it was not deleted.")
    case .mergeByPropertyStoreTrump, .rollback: return discarded(sides)
    case .mergeByPropertyObjectTrump, .overwrite: return deleted
    }
  }

  // MARK: Updates

  private func update(_ sides: Sides) throws(Refusal) -> ResolvedEdit {
    if sides.change.edits.isEmpty {
      guard let current = sides.current else { throw .missing }
      return ResolvedEdit(result: .unchanged, text: current.text)
    }
    guard let current = sides.current else { return try updateDeleted(sides, ours: nil) }
    let theirs = try fields(of: current.text)
    if sides.change.lacksOriginal {
      let ours = try refusing { () throws(TextEditError) in try theirs.applying(sides.change.edits) }
      if try keepsOtherValues(sides, theirs, ours) { return discarded(sides) }
    }
    guard let revision = sides.change.revision, let base = revision.fields.value.fields, base != theirs else {
      return try write(edited(current.text, sides), sides)
    }
    let edits = RelativeEdits(sides.change.edits, in: [base, theirs])
    let ours = try refusing { () throws(TextEditError) in try base.applying(edits.absolute) }
    var text = current.text
    if !edits.absolute.isEmpty {
      switch policy {
      case .error: throw conflict(base, theirs)
      case .rollback: if edits.relative.isEmpty { return discarded(sides) }
      case .overwrite: text = try set(edits.adopting(theirs, in: ours), in: text, from: theirs)
      case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: text = try set(merged(base, ours, theirs), in: text, from: theirs)
      }
    }
    let edited = try refusing { () throws(TextEditError) in try text.edited(by: edits.relative) }
    return try write(edited, sides, isMerged: policy != .overwrite || edits.absolute.isEmpty)
  }

  /// Returns true if the policy keeps the values of a file, of which the author of the change may
  /// know nothing.
  private func keepsOtherValues(_ sides: Sides, _ theirs: Fields, _ ours: Fields) throws(Refusal) -> Bool {
    guard sides.change.lacksOriginal, ours != theirs else { return false }
    switch policy {
    case .error:
      let names = EditResolver.summary(FieldChanges(from: theirs, to: ours).pointers)
      throw .conflict(
        "There is an item with other values (\(names)). Save a value that was read with `from:`, or overwrite the item with `replace`.")
    case .mergeByPropertyStoreTrump, .rollback: return true
    case .mergeByPropertyObjectTrump, .overwrite: return false
    }
  }

  /// Resolves an update or a replacement of an item whose file is gone.
  ///
  /// - Parameter ours: The complete new text; nil if only edits are known.
  private func updateDeleted(_ sides: Sides, ours: ItemText?) throws(Refusal) -> ResolvedEdit {
    guard let revision = sides.change.revision, !sides.change.followsRemoval else { throw .missing }
    switch policy {
    case .error:
      // Edits that are made to the newest list are not based on a reading, so nothing conflicts.
      let edits = RelativeEdits(sides.change.edits, in: [revision.fields.value.fields ?? [:]])
      throw ours == nil && edits.absolute.isEmpty ? .missing : .conflict("It was deleted since it was read.")
    case .mergeByPropertyStoreTrump, .rollback: return discarded(sides)
    case .mergeByPropertyObjectTrump, .overwrite: break
    }
    if let ours { return try write(ours, sides) }
    let old =
      if let bytes = revision.bytes {
        ItemText(bytes, as: sides.format, limits: limits)
      } else {
        try newText(of: revision.fields.value.fields ?? [:], nil, sides)
      }
    return try write(edited(old, sides), sides)
  }

  private func replace(_ ours: ItemText, _ sides: Sides) throws(Refusal) -> ResolvedEdit {
    guard let current = sides.current else { return try updateDeleted(sides, ours: ours) }
    guard let revision = sides.change.revision, !revision.isText(of: current), ours.bytes != current.text.bytes else {
      return try write(ours, sides)
    }
    switch policy {
    case .overwrite: return try write(ours, sides)
    case .rollback: return discarded(sides)
    case .error:
      let theirs = (try? current.text.fields.get())?.value.fields ?? [:]
      throw conflict(revision.fields.value.fields ?? [:], theirs)
    case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: break
    }
    guard let base = revision.bytes else { return try mergeReplaced(ours, current.text, revision, sides, resolved: nil) }
    let merge = TextMerge(
      base: base, ours: ours.bytes, theirs: current.text.bytes, as: sides.format, rules: rules, limits: limits)
    if !merge.isConflicted { return try write(ItemText(merge.bytes, as: sides.format, limits: limits), sides, isMerged: true) }
    let resolved = policy == .mergeByPropertyObjectTrump ? merge.resolved.ours : merge.resolved.theirs
    return try mergeReplaced(ours, current.text, revision, sides, resolved: ItemText(resolved, as: sides.format, limits: limits))
  }

  /// Merges field by field.
  ///
  /// - Parameter resolved: A text with the conflicts resolved for the side that wins. If its values
  ///   are not the merged fields, these are set in the text of that side.
  private func mergeReplaced(
    _ ours: ItemText, _ theirs: ItemText, _ revision: ItemRevision, _ sides: Sides, resolved: ItemText?
  ) throws(Refusal) -> ResolvedEdit {
    let (own, other) = (try fields(of: ours), try fields(of: theirs))
    let wanted = merged(revision.fields.value.fields ?? [:], own, other)
    if let resolved, (try? resolved.fields.get())?.value.fields == wanted { return try write(resolved, sides, isMerged: true) }
    let text = try policy == .mergeByPropertyObjectTrump ? set(wanted, in: ours, from: own) : set(wanted, in: theirs, from: other)
    return try write(text, sides, isMerged: true)
  }

  // MARK: Parts

  /// Only a text that can be read as an item is written, and only if it is not in the file already.
  private func write(_ text: ItemText, _ sides: Sides, isMerged: Bool = false) throws(Refusal) -> ResolvedEdit {
    if let current = sides.current, current.text.bytes == text.bytes { return ResolvedEdit(result: .unchanged, text: current.text) }
    // An undo may bring back a text that could not be read before either.
    if sides.change.undo == nil { _ = try fields(of: text) }
    return ResolvedEdit(result: sides.current == nil ? .inserted : .updated(isMerged: isMerged), text: text)
  }

  private func discarded(_ sides: Sides) -> ResolvedEdit { ResolvedEdit(result: .discarded, text: sides.current?.text) }

  private func merged(_ base: Fields, _ ours: Fields, _ theirs: Fields) -> Fields {
    let storeWins = policy == .mergeByPropertyStoreTrump
    let merge = ValueMerge(
      base: .map(base), ours: .map(storeWins ? theirs : ours), theirs: .map(storeWins ? ours : theirs),
      rules: storeWins ? rules.swapped : rules)
    guard let merged = merge.value?.fields else { return theirs }
    // Of a key that both sides renamed, the winner's name stays. Under the other name there may be a
    // value of its own: one that was added, or changed beside the rename.
    let kept = merge.conflicts.compactMap { conflict -> TextEdit? in
      guard !conflict.keys.isEmpty, conflict.base == nil, conflict.ours == nil, let value = conflict.theirs else { return nil }
      func map(in fields: Fields) -> Fields {
        conflict.keys.count == 1
          ? fields : Value.map(fields).element(at: FieldPath(keys: conflict.keys.dropLast()))?.fields ?? [:]
      }
      let (before, after) = (map(in: base), map(in: merged))
      if before.contains(where: { $0.value == value && after[$0.key] == nil }) { return nil }
      return .set(FieldPath(keys: conflict.keys), value)
    }
    return (try? merged.applying(kept)) ?? merged
  }

  private func conflict(_ base: Fields, _ theirs: Fields) -> Refusal {
    let names = FieldChanges(from: base, to: theirs).pointers
    return .conflict("It was changed since it was read\(names.isEmpty ? "" : " (\(EditResolver.summary(names)))").")
  }

  private static func summary(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  private func fields(of text: ItemText) throws(Refusal) -> Fields {
    do throws(TextError) {
      return try text.fields.get().value.fields ?? [:]
    } catch {
      throw .text(error)
    }
  }

  private func newText(of fields: Fields, _ style: TextStyle?, _ sides: Sides) throws(Refusal) -> ItemText {
    try refusing { () throws(TextEditError) in try NewItemText.text(of: fields, as: sides.format, like: style, limits) }
  }

  private func edited(_ text: ItemText, _ sides: Sides) throws(Refusal) -> ItemText {
    try refusing { () throws(TextEditError) in try text.edited(by: sides.change.edits) }
  }

  private func set(_ wanted: Fields, in text: ItemText, from fields: Fields) throws(Refusal) -> ItemText {
    try refusing { () throws(TextEditError) in try text.edited(by: TextEdit.edits(from: fields, to: wanted)) }
  }

  private func refusing<Answer>(_ body: () throws(TextEditError) -> Answer) throws(Refusal) -> Answer {
    do throws(TextEditError) {
      return try body()
    } catch {
      throw .edit(error)
    }
  }
}
