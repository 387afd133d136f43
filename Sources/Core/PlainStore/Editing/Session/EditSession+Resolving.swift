import Files
import Query
import TextEdits
import Values
import Watch

/// Resolving a change, with the checks that need the complete folder.
extension EditSession {
  mutating func resolve(_ target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    if target.isNew {
      try checkFree(target)
    } else if target.change.isInsertion, current == nil {
      throw target.error(.notFound, "It was deleted in the meantime. Try again.")
    }
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    try target.change.checkFields { (try? current?.text.fields.get())?.value.fields }
    if !holdsItem, target.change.undo != nil {
      throw target.error(.conflict, "Its file holds another item now, so nothing was undone.")
    }
    var resolved =
      if let prepared = target.prepared { try prepared.get() } else { try resolution(of: target, current) }
    guard let text = resolved.newText else {
      if !holdsItem { resolved.text = current?.text }
      return resolved
    }
    if !holdsItem { throw target.error(.exists, "Its file holds another item now.") }
    try checkID(of: text, target)
    return resolved
  }

  /// Returns the effect of a change on this content of its file. It depends on nothing else.
  func resolution(of target: EditTarget, _ current: FileContent?) throws(EditError) -> ResolvedEdit {
    let holdsItem = current.map { isItem(target.change.id, $0.text, target.path) } ?? true
    var resolved = try resolver.resolve(
      target.change, at: target.path, as: target.format, holdsItem ? current : nil)
    if let newID = target.change.newID, !locator.idFields.isEmpty, holdsItem {
      try setID(newID, of: &resolved, target)
    }
    return resolved
  }

  /// Returns true unless ids are fields and those of the text make another id.
  private func isItem(_ id: Item.ID, _ text: ItemText, _ path: RelativePath) -> Bool {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get(),
      let found = try? Item.ID(of: fields, at: path, by: locator.idFields)
    else { return true }
    return found == id
  }

  private mutating func checkFree(_ target: EditTarget) throws(EditError) {
    let id = target.change.id
    let others = try locator.idFields.isEmpty ? locator.existingFiles(of: id) : locator.claimants(of: id)
    guard let other = others.first else { return }
    if target.change.undo != nil {
      var error = EditError(
        .conflict, id, other, "There is an item with this id again, so nothing was undone.")
      error.conflict = EditConflict(expected: nil, found: bytes(of: id, at: other))
      throw error
    }
    throw EditError(
      .exists, id, other, "There is already an item with this id. Set its fields, or choose another id.")
  }

  /// Returns the bytes of an item's file; nil if it cannot be read.
  private func bytes(of id: Item.ID, at path: RelativePath) -> [UInt8]? {
    locator.rules.format(of: path).flatMap { try? content(of: id, path, $0) }?.bytes
  }

  /// Checks that the new text makes an id that no other item has; for a new item, the requested id.
  private mutating func checkID(of text: ItemText, _ target: EditTarget) throws(EditError) {
    guard !locator.idFields.isEmpty, let fields = try? text.fields.get() else { return }
    let id: Item.ID
    do throws(Problem) {
      id = try Item.ID(of: fields, at: target.path, by: locator.idFields)
      let wanted = target.change.newID ?? target.change.id
      if target.isNew || target.change.newID != nil, id != wanted {
        let names = locator.idFields.map(\.description).joined(separator: ", ")
        throw Problem(
          path: target.path,
          message: "Its fields (\(names)) make the id \(id), not \(wanted). Change the fields or the id.")
      }
    } catch {
      throw target.error(.invalidID, error.message)
    }
    if id != target.change.id, let other = locator.claimants(of: id).first(where: { $0 != target.path }) {
      throw target.error(
        .exists, "Its fields would make the id \(id), which \(other) has already. Choose another id.")
    }
  }
}

/// Writing the text of a resolved change.
extension EditSession {
  /// Returns the saver of the file at a path, in its open folder.
  func saver(of path: RelativePath, in folder: SaveFolder) -> FileSaver {
    FileSaver(folder: folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities)
  }

  /// Adds a resolved change to the batch. Its text is written under a temporary name.
  ///
  /// - Parameter created: The folders that were created for the file, outermost first.
  mutating func stage(
    _ resolved: ResolvedEdit, _ held: HeldFile?, _ attempt: EditAttempt, _ target: EditTarget,
    in folder: SaveFolder,
    _ created: [RelativePath]
  ) throws(EditError) {
    let saver = saver(of: target.path, in: folder)
    let known = batch.folder(target.path.parent ?? .root)
    let own = known ?? SaveBatch.Folder(folder: folder, sharesSync: usesBatches && folder.reportsSyncErrors)
    var outcome = outcome(of: resolved, target)
    var text: StagedText?
    var step = SaveBatch.Step.nothing
    do throws(SystemFailure) {
      if let new = resolved.newText {
        let mode = held == nil ? target.change.undo?.mode : nil
        let staged = try saver.stage(new.bytes, replacing: held, mode: mode, syncs: !own.sharesSync)
        text = staged
        step = .place(staged, held, isSynced: !own.sharesSync)
      } else if resolved.result == .deleted, let held {
        step = .delete(held)
      }
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
    outcome.saved = saved(resolved, held, target)
    outcome.saved?.made = MadeFolder.find(created, below: locator.root)
    batch.created += created
    outcome.warnings = attempt.warnings + warnings
    warnings = []
    batch.add(
      SaveBatch.Entry(
        attempt: attempt, target: target, resolved: resolved, saver: saver, folder: own, staged: text,
        step: step, outcome: outcome))
    // Later changes must find the item under its new id.
    if let id = outcome.saved?.id, id != target.change.id { commit() }
  }

  /// Records a file as it was written, if nobody asked otherwise and no other program has changed it
  /// meanwhile. Files with aliases are read again, because all files share a budget for them.
  mutating func recordWritten(_ staged: StagedText, _ resolved: ResolvedEdit, at path: RelativePath) {
    written?[path] = nil
    guard written != nil, let fields = try? resolved.text?.fields.get(),
      let stamp = try? locator.root.stamp(of: path),
      staged.stamp.isUntouched(stamp), ExpansionBudget.size(of: fields, fileSize: stamp.size) == 0
    else { return }
    written?[path] = ReadAhead.EarlyFile(stamp: stamp, fields: fields)
  }

  /// Records a large file as it was read, for a change that is refused.
  mutating func recordRead(_ content: FileContent, at path: RelativePath) {
    guard written != nil, content.bytes.count > Value.quickSize, let fields = try? content.text.fields.get(),
      ExpansionBudget.size(of: fields, fileSize: content.stamp.size) == 0
    else { return }
    written?[path] = ReadAhead.EarlyFile(stamp: content.stamp, fields: fields)
  }

  /// Removes and returns the files that were recorded.
  mutating func consumeWritten() -> [RelativePath: ReadAhead.EarlyFile] {
    defer { if written != nil { written = [:] } }
    return written ?? [:]
  }

  /// Updates the index of ids, where ids are fields, so that the next change finds what this one
  /// wrote.
  mutating func record(_ resolved: ResolvedEdit, _ target: EditTarget) {
    guard !locator.idFields.isEmpty else { return }
    if let text = resolved.newText {
      guard let stamp = try? locator.root.stamp(of: target.path), let fields = try? text.fields.get() else {
        return
      }
      locator.record(target.path, (stamp, fields))
    } else if resolved.result == .deleted {
      locator.record(target.path, nil)
    }
  }
}
