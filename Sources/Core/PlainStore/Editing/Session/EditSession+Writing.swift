import Files
import Folder
import Values

/// Writing the text of a resolved change.
extension EditSession {
  /// Returns the saver of the file at a path, in its open folder.
  func saver(of path: RelativePath, in folder: SaveFolder) -> FileSaver {
    FileSaver(
      folder: folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities,
      recordWrite: locator.options.recordWrite)
  }

  /// Adds a resolved change to the batch. Its text is written under a temporary name.
  ///
  /// - Parameter created: The folders that were created for the file, outermost first.
  mutating func stage(
    _ resolved: ResolvedEdit, _ held: HeldFile?, _ attempt: EditAttempt, _ target: EditTarget, in folder: SaveFolder,
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
        attempt: attempt, target: target, resolved: resolved, saver: saver, folder: own, staged: text, step: step, outcome: outcome))
    // Later changes must find the item under its new id.
    if let id = outcome.saved?.id, id != target.change.id { commit() }
  }

  /// Records a file as it was written, if nobody asked otherwise and no other program has changed it
  /// meanwhile. Files with aliases are read again, because all files share a budget for them.
  mutating func recordWritten(_ staged: StagedText, _ resolved: ResolvedEdit, at path: RelativePath) {
    written?[path] = nil
    guard written != nil, let fields = try? resolved.text?.fields.get(), let stamp = try? locator.root.stamp(of: path),
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

  /// Updates the index of ids, where ids are fields, so that the next change finds what this one
  /// wrote.
  mutating func record(_ resolved: ResolvedEdit, _ target: EditTarget) {
    guard !locator.idFields.isEmpty else { return }
    if let text = resolved.newText {
      guard let stamp = try? locator.root.stamp(of: target.path), let fields = try? text.fields.get() else { return }
      locator.record(target.path, (stamp, fields))
    } else if resolved.result == .deleted {
      locator.record(target.path, nil)
    }
  }
}
