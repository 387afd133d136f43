import Glibc

/// Renames of items.
///
/// Where ids are paths, the session first saves the other changes of the item and then moves its
/// file. A move does not read the file: it moves the version that has the name at that moment, so a
/// save by another program is never lost. Where ids are fields, they are set in the text to save.
extension EditSession {
  func setID(_ newID: Item.ID, of resolved: inout ResolvedEdit, _ target: EditTarget) throws(EditError) {
    guard let text = resolved.text, resolved.result != .deleted else { return }
    guard let edits = newID.edits(of: (try? text.fields.get())?.value ?? .null, by: locator.idFields) else {
      let names = locator.idFields.map(\.description).joined(separator: "/")
      throw target.error(
        .invalidID,
        "The id \(newID) does not have the parts of an id here: \(names).",
        advice: "Write one value for each, with / between.")
    }
    if edits.isEmpty { return }
    do throws(TextEditError) {
      resolved.text = try text.edited(by: edits)
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
    switch resolved.result {
    case .unchanged: resolved.result = .updated(isMerged: false)
    case .discarded: resolved.result = .updated(isMerged: true)
    case .inserted, .updated, .renamed, .deleted, .failed: break
    }
  }

  /// Throws if the item cannot get its new id. Returns the new path; nil if the file keeps its path.
  @discardableResult
  mutating func checkRename(of target: EditTarget) throws(EditError) -> RelativePath? {
    guard let newID = target.change.newID, locator.idFields.isEmpty else { return nil }
    return try freePath(of: newID, for: target.change.id, at: target.path)
  }

  mutating func renamed(_ outcome: SaveOutcome, to newID: Item.ID) -> SaveOutcome {
    var outcome = outcome
    guard locator.idFields.isEmpty else {
      if let path = outcome.path { outcome.rename(to: newID, at: path) }
      return outcome
    }
    guard let path = outcome.path else { return outcome }
    do throws(EditError) {
      let journal = journal
      var moved = outcome.saved
      moved?.id = newID
      if outcome.result != .inserted { moved?.oldID = outcome.id }
      let (newPath, made) = try move(outcome.id, from: path, to: newID) { newPath throws(Problem) in
        moved?.path = newPath
        try journal?.append([moved].compactMap { $0 })
      }
      moved?.made += made
      outcome.saved = moved
      outcome.oldPath = path
      outcome.warnings += warnings
      warnings = []
      outcome.rename(to: newID, at: newPath)
    } catch {
      // The item of a discarded change may be deleted.
      if outcome.result == .discarded, error.code == .notFound { return outcome }
      if outcome.result == .unchanged || outcome.result == .discarded { outcome.saved = nil }
      let consequence = outcome.saved == nil || journal != nil ? "" : " Its other changes were saved."
      var failure = EditError(error.code, error.id, error.path, error.message + consequence)
      failure.advice = error.advice
      outcome.result = .failed(failure)
    }
    return outcome
  }

  /// - Parameter willMove: Gets the new path before the file moves.
  private mutating func move(
    _ id: Item.ID, from path: RelativePath, to newID: Item.ID,
    _ willMove: (RelativePath) throws(Problem) -> Void
  ) throws(EditError) -> (path: RelativePath, made: [MadeFolder]) {
    let newPath = try freePath(of: newID, for: id, at: path)
    var created: [RelativePath] = []
    do throws(EditError) {
      let (source, goal) = try openFolders(id, from: path, to: newPath, &created)
      let name = path.ownName
      let newName = newPath.ownName
      do throws(Problem) { try willMove(newPath) } catch { throw EditError(id, path, error) }
      var timer = gapTimer(of: id)
      while true {
        let code = source.move(name, to: newName, in: goal, abilities)
        switch code {
        case 0: break
        // Some editors remove the old file before they create the new one.
        case ENOENT where !timer.isOver():
          usleep(1_000)
          continue
        case ENOENT where source.stamp(of: name) == nil:
          throw EditError(.notFound, id, path, "The file is gone.")
        case EEXIST: throw EditSession.exists(newID, id, path, newPath)
        default: throw EditError(id, path, Problem("Renaming it", code))
        }
        break
      }
      if let other = try locator.existingFiles(of: newID).first(where: { $0 != newPath }) {
        // Another program created it in the meantime, with another extension.
        if goal.move(newName, to: name, in: source, abilities) == 0 {
          throw EditSession.exists(newID, id, path, other)
        }
        warnings.append(
          "The file is now \(newPath), but another program has created \(other) with the same id. Rename one of them."
        )
      }
      var code = goal.sync()
      if code == 0, source !== goal { code = source.sync() }
      if code == 0 { code = SaveFolder.sync(parentsOf: created, below: locator.root) }
      if code != 0 {
        throw EditError(
          id, newPath,
          Problem(
            "Writing the folder to the disk", code,
            consequence: "The item was renamed, but this may be lost in a power cut."))
      }
      return (newPath, MadeFolder.find(created, below: locator.root))
    } catch {
      SaveFolder.remove(created, below: locator.root)
      throw error
    }
  }

  private mutating func openFolders(
    _ id: Item.ID, from path: RelativePath, to newPath: RelativePath, _ created: inout [RelativePath]
  ) throws(EditError) -> (source: SaveFolder, goal: SaveFolder) {
    let old = path.parent ?? .root
    let new = newPath.parent ?? .root
    do throws(Problem) {
      guard let source = try SaveFolder.open(old, below: locator.root) else {
        throw Problem("Opening its folder", ENOENT)
      }
      var goal = source
      if old != new { (goal, created) = try SaveFolder.make(new, below: locator.root) }
      switch try source.lock(with: goal, patience: patience) {
      case .held:
        sweep(source, old)
        sweep(goal, new)
      case .none: break
      case .busy: throw Problem("Locking its folder, which another program keeps locked,", EBUSY)
      }
      return (source, goal)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// Returns the path for another id, with the same extension. Throws if an item has that id or none can.
  private func freePath(of newID: Item.ID, for id: Item.ID, at path: RelativePath) throws(EditError)
    -> RelativePath
  {
    guard let format = locator.rules.format(of: path) else {
      throw EditError.ignored(id, path)
    }
    let wish = try newID.filePath("." + PseudoField.split(path.name).ext)
    if let name = RelativePath(printed: newID.description) { try NewItems.checkName(of: newID, name) }
    let newPath = try locator.newPath(of: newID, as: format, at: wish)
    if let other = try locator.existingFiles(of: newID).first {
      throw EditSession.exists(newID, id, path, other)
    }
    return newPath
  }

  private static func exists(_ newID: Item.ID, _ id: Item.ID, _ path: RelativePath, _ other: RelativePath)
    -> EditError
  {
    EditError(
      .exists, id, path, "There is already an item with the id \(newID): \(other).",
      advice: "Choose another id.")
  }
}

extension SaveOutcome {
  mutating func rename(to newID: Item.ID, at path: RelativePath) {
    self.path = path
    switch result {
    case .inserted: id = newID
    case .updated, .unchanged, .discarded: result = .renamed(to: newID)
    case .renamed, .deleted, .failed: break
    }
  }
}

extension SaveFolder {
  /// Locks two folders in the order of their devices and inodes, so that opposite moves cannot deadlock.
  fileprivate func lock(with other: SaveFolder, patience: Duration) throws(Problem) -> LockResult {
    let first = identity
    let second = other.identity
    if self === other || first == second { return try lock(patience: patience) }
    let isOrdered = (first.device, first.inode) < (second.device, second.inode)
    let one = try (isOrdered ? self : other).lock(patience: patience)
    if one == .busy { return .busy }
    let two = try (isOrdered ? other : self).lock(patience: patience)
    if two == .busy { return .busy }
    return one == .held && two == .held ? .held : .none
  }

  /// Moves a file to another name, which may be in another folder. Never replaces a file.
  fileprivate func move(
    _ name: RelativePath, to newName: RelativePath, in other: SaveFolder, _ abilities: FileSaver.Abilities
  ) -> CInt {
    let code = abilities.renamesKeeping ? renameKeeping(name, to: newName, in: other) : ENOSYS
    guard [EINVAL, ENOSYS, ENOTSUP].contains(code), abilities.links else { return code }
    let linked = link(name, to: newName, in: other)
    if linked != 0 { return linked }
    // If another program has replaced the file in the meantime, its version stays.
    guard let old = stamp(of: name), let new = other.stamp(of: newName), old.identity == new.identity else {
      _ = other.unlink(newName)
      return EBUSY
    }
    return unlink(name)
  }
}

/// A folder that a save created for an item. An undo removes it again.
struct MadeFolder {
  let path: RelativePath
  /// The numbers of its device and inode: a folder of this name that came later is a different one.
  let identity: FileIdentity

  static func find(_ paths: [RelativePath], below root: OpenFolder) -> [MadeFolder] {
    paths.compactMap { path in
      (try? SaveFolder.open(path, below: root)).map { MadeFolder(path: path, identity: $0.identity) }
    }
  }

  static func remove(_ folders: [MadeFolder], below root: OpenFolder) {
    for made in folders.reversed() {
      guard let folder = try? SaveFolder.open(made.path, below: root), folder.identity == made.identity else {
        return
      }
      SaveFolder.remove([made.path], below: root)
    }
  }
}
