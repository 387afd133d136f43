/// The effect of one change on its file, decided but not yet written.
struct ResolvedEdit {
  /// The outcome that the save will report. It is never `failed`: failures are thrown.
  var result: SaveOutcome.Result
  var text: ItemText?
  var unsaved = UnsavedChanges()

  var newText: ItemText? {
    switch result {
    case .inserted, .updated, .renamed: text
    case .deleted, .unchanged, .discarded, .failed: nil
    }
  }
}

/// The rules for the effect of a change, given the current content of its file. Pure.
struct EditResolver {
  var policy = MergePolicy.error
  /// The rules for parts that both target changed.
  var rules = MergeRules()
  var limits = ReadLimits()

  func resolve(
    _ change: PendingChange, at path: RelativePath, as format: TextFormat, _ current: FileContent?
  ) throws(EditError) -> ResolvedEdit {
    let target = EditTarget(change: change, path: path, format: format, content: current)
    do throws(EditError) {
      if change.undo != nil { try checkUndo(target) }
      switch change.act {
      case .insert(let content, _, _): return try insert(content, target)
      case .update: return addUnsaved(try update(target), target, ours: nil)
      case .replace(let text):
        let ours = try edited(ItemText(text, as: format, limits: limits), target)
        return addUnsaved(try replace(ours, target), target, ours: ours)
      case .delete: return addUnsaved(try delete(target), target, ours: nil)
      }
    } catch {
      var failure = error
      if failure.code == .conflict { failure.conflict = EditConflict(change, format, current, limits) }
      throw failure
    }
  }

  private func insert(_ content: PendingChange.NewContent, _ target: EditTarget) throws(EditError)
    -> ResolvedEdit
  {
    if let current = target.content {
      if policy != .mergeByPropertyObjectTrump, !target.change.lacksOriginal {
        throw target.error(
          .exists, "There is already an item with this id.",
          advice: "Set its fields, or choose another id.")
      }
      let read = try fields(of: current.text, target)
      // Our values have the form of their type.
      let theirs = migrated(read, target)
      let ours = try NewItems.merged(theirs, with: fields(of: content, target))
      if try keepsOtherValues(target, theirs, ours) { return discarded(target) }
      if ours == theirs { return try write(edited(current.text, target), target) }
      let text = try refusing(target) { () throws(TextEditError) in
        try current.text.edited(by: target.change.migration?(read) ?? [])
      }
      return try write(edited(set(ours, in: text, from: theirs, target), target), target)
    }
    let text: ItemText =
      switch content {
      case .text(let bytes): ItemText(bytes, as: target.format, limits: limits)
      case .fields(let fields, _): try newText(of: fields, nil, target)
      case .planned(let fields, let style): try newText(of: fields, style, target)
      }
    return try write(edited(text, target), target)
  }

  private func fields(of content: PendingChange.NewContent, _ target: EditTarget) throws(EditError) -> Fields
  {
    switch content {
    case .text(let bytes): try fields(of: ItemText(bytes, as: target.format, limits: limits), target)
    case .fields(let fields, _), .planned(let fields, _): PackedValue(.map(fields)).value.fields ?? fields
    }
  }

  private func checkUndo(_ target: EditTarget) throws(EditError) {
    guard let current = target.content else {
      if !target.change.isInsertion, target.change.act != .delete {
        throw target.undoConflict("It was deleted since it was saved.")
      }
      return
    }
    guard let revision = target.change.revision else {
      throw target.undoConflict("There is an item with this id again.")
    }
    if revision.isText(of: current) { return }
    let theirs = current.text.values
    let names = theirs.map { FieldChanges(from: revision.fields.value.fields ?? [:], to: $0).pointers }
    let difference =
      names.map { $0.isEmpty ? "comments or formatting" : EditResolver.summary($0) } ?? "it cannot be read"
    throw target.undoConflict("It was changed since it was saved (\(difference)).")
  }

  private func delete(_ target: EditTarget) throws(EditError) -> ResolvedEdit {
    guard let current = target.content else {
      if target.change.revision == nil || target.change.followsRemoval { throw target.missing }
      return ResolvedEdit(result: .unchanged)
    }
    let deleted = ResolvedEdit(result: .deleted)
    guard let revision = target.change.revision, !revision.isText(of: current) else { return deleted }
    switch policy {
    case .error: throw target.conflict("It was changed since it was read, so it was not deleted.")
    case .mergeByPropertyStoreTrump, .rollback: return discarded(target)
    case .mergeByPropertyObjectTrump, .overwrite: return deleted
    }
  }

  private func update(_ target: EditTarget) throws(EditError) -> ResolvedEdit {
    if target.change.edits.isEmpty {
      guard let current = target.content else { throw target.missing }
      return ResolvedEdit(result: .unchanged, text: current.text)
    }
    guard let current = target.content else { return try updateDeleted(target, ours: nil) }
    let theirs = try fields(of: current.text, target)
    if target.change.lacksOriginal {
      let ours = try refusing(target) { () throws(TextEditError) in
        let edits = target.change.edits
        // The edits may rename keys of an older form that the file no longer has.
        if target.change.migration != nil, let base = target.change.revision?.fields.value.fields,
          (try? theirs.applying(edits)) == nil
        {
          return try base.applying(edits)
        }
        return try theirs.applying(edits)
      }
      if try keepsOtherValues(target, theirs, ours) { return discarded(target) }
    }
    guard let revision = target.change.revision, let base = revision.fields.value.fields, base != theirs
    else {
      return try write(edited(current.text, target), target)
    }
    let edits = RelativeEdits(target.change.edits, in: [base, theirs])
    let ours = try refusing(target) { () throws(TextEditError) in try base.applying(edits.absolute) }
    var text = current.text
    if !edits.absolute.isEmpty {
      // Our values have the form of their type, and only values of one form can be compared.
      let form = target.change.migration?(theirs) ?? []
      let (base, newest) = (migrated(base, target), migrated(theirs, target))
      switch policy {
      case .error where base != newest: throw conflict(target, base, newest)
      case .rollback where base != newest: if edits.relative.isEmpty { return discarded(target) }
      case .error, .rollback, .overwrite, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump:
        text = try refusing(target) { () throws(TextEditError) in try text.edited(by: form) }
        let wanted = policy == .overwrite ? edits.adopting(newest, in: ours) : merged(base, ours, newest)
        text = try set(wanted, in: text, from: newest, target)
      }
    }
    let edited = try refusing(target) { () throws(TextEditError) in try text.edited(by: edits.relative) }
    return try write(edited, target, isMerged: policy != .overwrite || edits.absolute.isEmpty)
  }

  /// Returns fields in the form that the values of a change have.
  func migrated(_ fields: Fields, _ target: EditTarget) -> Fields {
    (target.change.migration?(fields)).flatMap { try? fields.applying($0) } ?? fields
  }

  /// Returns true if the policy keeps values that the author of the change may not know.
  private func keepsOtherValues(_ target: EditTarget, _ theirs: Fields, _ ours: Fields) throws(EditError)
    -> Bool
  {
    guard target.change.lacksOriginal, ours != theirs else { return false }
    switch policy {
    case .error:
      let names = EditResolver.summary(FieldChanges(from: theirs, to: ours).pointers)
      throw target.conflict(
        "There is an item with other values (\(names)).",
        advice: "Save a value that was read with `from:`, or overwrite the item with `replace`.")
    case .mergeByPropertyStoreTrump, .rollback: return true
    case .mergeByPropertyObjectTrump, .overwrite: return false
    }
  }

  /// Resolves an update, or a replacement by `ours`, of an item whose file is gone.
  private func updateDeleted(_ target: EditTarget, ours: ItemText?) throws(EditError) -> ResolvedEdit {
    guard let revision = target.change.revision, !target.change.followsRemoval else { throw target.missing }
    switch policy {
    case .error:
      // Edits that are made to the newest list are not based on a reading, so nothing conflicts.
      let edits = RelativeEdits(target.change.edits, in: [revision.fields.value.fields ?? [:]])
      throw ours == nil && edits.absolute.isEmpty
        ? target.missing : target.conflict("It was deleted since it was read.")
    case .mergeByPropertyStoreTrump, .rollback: return discarded(target)
    case .mergeByPropertyObjectTrump, .overwrite: break
    }
    if let ours { return try write(ours, target) }
    let old =
      if let bytes = revision.bytes {
        ItemText(bytes, as: target.format, limits: limits)
      } else {
        try newText(of: revision.fields.value.fields ?? [:], nil, target)
      }
    return try write(edited(old, target), target)
  }

  private func replace(_ ours: ItemText, _ target: EditTarget) throws(EditError) -> ResolvedEdit {
    guard let current = target.content else { return try updateDeleted(target, ours: ours) }
    guard let revision = target.change.revision, !revision.isText(of: current),
      ours.bytes != current.text.bytes
    else {
      return try write(ours, target)
    }
    switch policy {
    case .overwrite: return try write(ours, target)
    case .rollback: return discarded(target)
    case .error:
      let theirs = current.text.values ?? [:]
      throw conflict(target, revision.fields.value.fields ?? [:], theirs)
    case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: break
    }
    guard let base = revision.bytes else {
      return try mergeReplaced(ours, current.text, revision, target, resolved: nil)
    }
    let merge = TextMerge(
      base: base, ours: ours.bytes, theirs: current.text.bytes, as: target.format, rules: rules,
      limits: limits)
    if !merge.isConflicted {
      return try write(ItemText(merge.bytes, as: target.format, limits: limits), target, isMerged: true)
    }
    let resolved = policy == .mergeByPropertyObjectTrump ? merge.resolved.ours : merge.resolved.theirs
    return try mergeReplaced(
      ours, current.text, revision, target, resolved: ItemText(resolved, as: target.format, limits: limits))
  }

  /// Merges field by field. `resolved` has the conflicts resolved for the side that wins. If its values
  /// are not the merged fields, these are set in the text of that side.
  private func mergeReplaced(
    _ ours: ItemText, _ theirs: ItemText, _ revision: ItemRevision, _ target: EditTarget, resolved: ItemText?
  ) throws(EditError) -> ResolvedEdit {
    let own = try fields(of: ours, target)
    let other = try fields(of: theirs, target)
    let wanted = merged(revision.fields.value.fields ?? [:], own, other)
    if let resolved, resolved.values == wanted {
      return try write(resolved, target, isMerged: true)
    }
    let text =
      try policy == .mergeByPropertyObjectTrump
      ? set(wanted, in: ours, from: own, target) : set(wanted, in: theirs, from: other, target)
    return try write(text, target, isMerged: true)
  }

  /// Only a text that can be read as an item is written, and only if it is not in the file already.
  private func write(_ text: ItemText, _ target: EditTarget, isMerged: Bool = false) throws(EditError)
    -> ResolvedEdit
  {
    if let current = target.content, current.text.bytes == text.bytes {
      return ResolvedEdit(result: .unchanged, text: current.text)
    }
    // An undo may bring back a text that could not be read before either.
    if target.change.undo == nil { _ = try fields(of: text, target) }
    return ResolvedEdit(result: target.content == nil ? .inserted : .updated(isMerged: isMerged), text: text)
  }

  private func discarded(_ target: EditTarget) -> ResolvedEdit {
    ResolvedEdit(result: .discarded, text: target.content?.text)
  }

  private func merged(_ base: Fields, _ ours: Fields, _ theirs: Fields) -> Fields {
    let storeWins = policy == .mergeByPropertyStoreTrump
    let merge = ValueMerge(
      base: .map(base), ours: .map(storeWins ? theirs : ours), theirs: .map(storeWins ? ours : theirs),
      rules: storeWins ? rules.swapped : rules)
    guard let merged = merge.value?.fields else { return theirs }
    // If both sides renamed a key, the winner's name stays. The other name may still have a value:
    // one that was added, or changed beside the rename.
    let kept = merge.conflicts.compactMap { conflict -> TextEdit? in
      guard !conflict.keys.isEmpty, conflict.base == nil, conflict.ours == nil, let value = conflict.theirs
      else { return nil }
      func map(in fields: Fields) -> Fields {
        conflict.keys.count == 1
          ? fields : Value.map(fields).element(at: FieldPath(keys: conflict.keys.dropLast()))?.fields ?? [:]
      }
      let before = map(in: base)
      let after = map(in: merged)
      if before.contains(where: { $0.value == value && after[$0.key] == nil }) { return nil }
      return .set(FieldPath(keys: conflict.keys), value)
    }
    return (try? merged.applying(kept)) ?? merged
  }

  private func conflict(_ target: EditTarget, _ base: Fields, _ theirs: Fields) -> EditError {
    let names = FieldChanges(from: base, to: theirs).pointers
    return target.conflict(
      "It was changed since it was read\(names.isEmpty ? "" : " (\(EditResolver.summary(names)))").")
  }

  private static func summary(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  private func fields(of text: ItemText, _ target: EditTarget) throws(EditError) -> Fields {
    do throws(TextError) {
      return try text.fields.get().value.fields ?? [:]
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  private func newText(of fields: Fields, _ style: TextStyle?, _ target: EditTarget) throws(EditError)
    -> ItemText
  {
    try refusing(target) { () throws(TextEditError) in
      try ItemText.new(fields, as: target.format, like: style, limits)
    }
  }

  private func edited(_ text: ItemText, _ target: EditTarget) throws(EditError) -> ItemText {
    try refusing(target) { () throws(TextEditError) in try text.edited(by: target.change.edits) }
  }

  private func set(_ wanted: Fields, in text: ItemText, from fields: Fields, _ target: EditTarget)
    throws(EditError) -> ItemText
  {
    try refusing(target) { () throws(TextEditError) in
      try text.edited(by: TextEdit.edits(from: fields, to: wanted))
    }
  }

  private func refusing<Answer>(_ target: EditTarget, _ body: () throws(TextEditError) -> Answer)
    throws(EditError) -> Answer
  {
    do throws(TextEditError) {
      return try body()
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }
}
