import DirectoryWatch
import PlainText

/// Writing the text of a resolved change.
extension EditSession {
  /// Returns the saver of the file at a path, in its open folder.
  func saver(of path: RelativePath, in folder: SaveFolder) -> FileSaver {
    FileSaver(
      folder: folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities,
      recordWrite: locator.options.recordWrite)
  }

  /// Replaces, creates or deletes the file. The result is `overtaken` if another program changed it
  /// since it was read.
  func write(
    _ resolved: ResolvedEdit, _ held: HeldFile?, with saver: FileSaver, _ target: EditTarget
  ) throws(EditError) -> FileSaver.Result {
    do throws(SystemFailure) {
      switch (resolved.newText, held) {
      case (let text?, let held?): return try saver.replace(held, with: text.bytes)
      case (let text?, nil): return try saver.create(text.bytes, mode: target.change.undo?.mode)
      case (nil, let held?) where resolved.result == .deleted: return try saver.delete(held)
      case (nil, _): return .done(warnings: [], replaced: nil)
      }
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
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
