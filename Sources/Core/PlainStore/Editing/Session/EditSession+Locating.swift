import Files
import Glibc
import Query
import TextEdits
import Values

/// Finding items and locking their folders.
///
/// Editors may remove a file a moment before they put the new one in its place, so a search for a
/// missing file is repeated until its `GapTimer` is over.
extension EditSession {
  /// Returns the file that a change goes to. The file of a new item does not exist yet.
  mutating func target(of change: PendingChange) throws(EditError) -> EditTarget {
    let path: RelativePath
    if change.isInsertion {
      if !mayUpdate(change) { return try newTarget(of: change) }
      guard let existing = try fileToUpdate(change.id) else { return try newTarget(of: change) }
      path = existing
    } else {
      path = try existingPath(of: change)
    }
    guard let format = locator.rules.format(of: path) else {
      throw EditError.ignored(change.id, path)
    }
    return EditTarget(change: change, path: path, format: format)
  }

  /// Returns the file of a new item, with the fields that the settings give it.
  private mutating func newTarget(of change: PendingChange) throws(EditError) -> EditTarget {
    var change = change
    guard case .insert(let content, var format, var path) = change.act else { return try target(of: change) }
    if case .fields(let fields, let isTyped) = content {
      try change.checkFields { nil }
      if path == nil { commitFormats(above: change.id) }
      let plan = try newItems.plan(change.id, at: path, as: format, fields: fields, isTyped: isTyped)
      change.act = .insert(.planned(plan.fields, plan.style), plan.format, plan.path)
      (format, path) = (plan.format, plan.path)
    }
    let own = format ?? .yaml
    return EditTarget(
      change: change, path: try locator.newPath(of: change.id, as: own, at: path), format: own, isNew: true)
  }

  /// Makes the changes of the batch if the format of a new item may depend on them.
  private mutating func commitFormats(above id: Item.ID) {
    let parent = RelativePath(printed: id.description)?.parent
    let folders = sequence(first: parent ?? .root, next: \.parent)
    if folders.contains(where: { batch.folder($0) != nil && !newItems.knowsFormats(in: $0) }) { commit() }
  }

  /// Returns true if an insertion is compared with the item where it exists.
  func mayUpdate(_ change: PendingChange) -> Bool {
    change.isInsertion && change.undo == nil
      && (change.lacksOriginal || resolver.policy == .mergeByPropertyObjectTrump)
  }

  /// Returns the file of an item that is to be inserted but exists already; nil if it does not
  /// exist.
  private mutating func fileToUpdate(_ id: Item.ID) throws(EditError) -> RelativePath? {
    do throws(EditError) {
      return try locator.path(of: id)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Returns the path of an item; if no file has the id now, the path at which the item was read.
  private mutating func existingPath(of change: PendingChange) throws(EditError) -> RelativePath {
    do throws(EditError) {
      return try locate(change.id)
    } catch {
      guard error.code == .notFound, let revision = change.revision, locator.rules.reaches(revision.path)
      else { throw error }
      return revision.path
    }
  }

  /// Returns the path of an item's file, waiting for a moment if it is missing. Files that were
  /// deleted since the first change cost one wait together.
  mutating func locate(_ id: Item.ID) throws(EditError) -> RelativePath {
    var timer = gapTimer(of: id)
    var mayWait = true
    while true {
      do throws(EditError) {
        return try locator.path(of: id)
      } catch {
        if mayWait, error.code == .notFound, !absent.contains(id), !expected.isEmpty {
          mayWait = false
          commit()
          self.await([id] + expected)
          // An item that was there in the meantime may be replaced again now.
          timer = gapTimer(of: id)
          expected.subtract(absent)
          continue
        }
        if error.code != .notFound || timer.isOver() {
          if error.code == .notFound { absent.insert(id) }
          throw error
        }
      }
      commit()
      rescanSoon()
    }
  }

  /// An item that wasn't found once isn't waited for again.
  func gapTimer(of id: Item.ID) -> GapTimer { GapTimer(absent.contains(id) ? .zero : GapTimer.gap) }

  /// Waits briefly until all of these items exist. Any number of missing items costs one wait.
  mutating func await(_ ids: [Item.ID]) {
    var timer = GapTimer()
    var missing = ids.filter { isMissing($0) }
    while !missing.isEmpty, !timer.isOver() {
      rescanSoon()
      missing = missing.filter { isMissing($0) }
    }
    absent.formUnion(missing)
  }

  private mutating func isMissing(_ id: Item.ID) -> Bool {
    do throws(EditError) {
      _ = try locator.path(of: id)
      return false
    } catch {
      return error.code == .notFound
    }
  }

  private mutating func rescanSoon() {
    usleep(locator.idFields.isEmpty ? 2_000 : 20_000)
    locator.refresh()
  }

  // MARK: Folders

  /// Opens, locks and sweeps the folder of the file, unless the batch has it. Creates a missing
  /// folder if the item is to be created.
  mutating func open(_ target: EditTarget, _ created: inout [RelativePath]) throws(EditError) -> SaveFolder? {
    let parent = target.path.parent ?? .root
    if let known = batch.folder(parent) { return known.folder }
    do throws(SystemFailure) {
      var folder = try SaveFolder.open(parent, below: locator.root)
      if folder == nil, mayCreate(target) {
        (folder, created) = try SaveFolder.make(parent, below: locator.root)
      }
      guard let folder else { return nil }
      if parent == .root, let lock = rootLock {
        if lock.isHeld { sweep(lock.folder, parent) }
        return lock.folder
      }
      var result = try folder.lock(patience: batch.isEmpty ? patience : .zero)
      if result == .busy, !batch.isEmpty {
        // The program that has the lock may be waiting for a folder of the batch.
        commit()
        result = try folder.lock(patience: patience)
      }
      switch result {
      case .held: sweep(folder, parent)
      case .none: break
      case .busy: throw SystemFailure("Locking its folder, which another program keeps locked,", EBUSY)
      }
      return folder
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  /// Throws if a save could not open the folder of the file.
  func checkFolder(of target: EditTarget) throws(EditError) {
    do throws(SystemFailure) {
      _ = try SaveFolder.open(target.path.parent ?? .root, below: locator.root)
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  private func mayCreate(_ target: EditTarget) -> Bool {
    if target.change.isCheck { return false }
    switch resolver.policy {
    case .mergeByPropertyObjectTrump, .overwrite:
      return target.isNew
        || target.change.revision != nil && target.change.act != .delete && target.change.undo == nil
    case .error, .mergeByPropertyStoreTrump, .rollback: return target.isNew
    }
  }

  /// Removes the leftovers of interrupted saves from a locked folder, once per folder.
  mutating func sweep(_ folder: SaveFolder, _ path: RelativePath) {
    guard knownFolders.sweeps(path) else { return }
    for leftover in Leftover.sweep(folder, abilities) { warnings.append(leftover.sentence(in: path)) }
  }
}

extension EditSession {
  /// Acquires the lock of the root where ids are fields, and reads what changed since it was last
  /// held.
  mutating func lockIDs(for id: Item.ID) throws(EditError) {
    guard !locator.idFields.isEmpty else { return }
    if let lock = rootLock {
      if ContinuousClock.now < lock.end { return }
      commit()
      rootLock = nil
      // Longer than waiting writers sleep between two tries.
      usleep(15_000)
    }
    do throws(SystemFailure) {
      guard let root = try SaveFolder.open(.root, below: locator.root) else {
        throw SystemFailure("Opening the root", ENOENT)
      }
      let result = try root.lock(patience: patience)
      if result == .busy {
        throw SystemFailure("Locking the root, which another program keeps locked,", EBUSY)
      }
      let start = ContinuousClock.now
      locator.refresh()
      let now = ContinuousClock.now
      rootLock = (root, result == .held, now + max(.milliseconds(200), (now - start) * 4))
    } catch {
      throw EditError(id, .root, error)
    }
  }
}

extension EditSession {
  /// Reads items with the texts of their files, in the order of the ids.
  ///
  /// - Parameter waits: True to wait a moment for missing items; false if an id may be the id of no
  ///   item.
  package mutating func readAll(_ ids: [Item.ID], waits: Bool = true) -> [Result<ItemFile, EditError>] {
    if waits {
      self.await(ids)
      return ids.map { id in Result { () throws(EditError) in try read(id) } }
    }
    let known = absent
    defer { absent = known }
    absent.formUnion(ids)
    return ids.map { id in Result { () throws(EditError) in try read(id) } }
  }

  private mutating func read(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, content) = try current(id)
    do throws(TextError) {
      let item = Item(id: id, path: path, stamp: content.stamp, fields: try content.text.fields.get())
      return ItemFile(item: item, format: content.text.format, bytes: content.text.bytes)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// Reads the text of an item. One that cannot be read as an item has no fields.
  package mutating func readText(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, content) = try current(id)
    let text = content.text
    if let found = ForeignFrontMatter(of: text.bytes, as: text.format) {
      throw EditError(.unreadable, id, path, found.sentence)
    }
    let fields = (try? text.fields.get()) ?? PackedValue(.map([:]))
    let item = Item(id: id, path: path, stamp: content.stamp, fields: fields)
    return ItemFile(item: item, format: text.format, bytes: text.bytes)
  }

  /// Returns the file of an item, waiting for a moment if it disappears after it was located.
  private mutating func current(_ id: Item.ID) throws(EditError) -> (RelativePath, FileContent) {
    var timer = GapTimer()
    while true {
      let path = try locate(id)
      guard let format = locator.rules.format(of: path) else {
        throw EditError(.notFound, id, path, "There is no item with this id.")
      }
      if let content = try content(of: id, path, format) { return (path, content) }
      if timer.isOver() { throw EditError(.notFound, id, path, "The file is gone.") }
      usleep(1_000)
    }
  }

  /// Reads a file without a lease. Nil if it does not exist.
  func content(of id: Item.ID, _ path: RelativePath, _ format: TextFormat) throws(EditError) -> FileContent? {
    do throws(Problem) {
      guard case .held(let held) = try HeldFile.read(path, in: locator.root, as: format, limits) else {
        return nil
      }
      return held.content
    } catch {
      throw EditError(id, error)
    }
  }

  // MARK: For a save

  /// Reads the file of a target in its locked folder. Waits for a moment while the file is missing
  /// or half written, and for up to `maxWriteTime` while another program has it open for writing.
  mutating func readSettled(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> HeldFile? {
    let start = ContinuousClock.now
    var (missing, incomplete) = (gapTimer(of: target.change.id), GapTimer())
    while true {
      switch try read(target, in: folder) {
      case .missing:
        if target.isNew || missing.isOver() { return nil }
      case .held(let file):
        let mayWait = file.mayBeHalfWritten && target.change.act != .delete
        if !mayWait || incomplete.isOver() { return file }
      case .inUse:
        if ContinuousClock.now > start + min(EditSession.maxWriteTime, patience) {
          throw target.error(
            .busy, "Another program has the file open for writing. Try again when it is done.")
        }
      }
      commit()
      usleep(1_000)
    }
  }

  private mutating func read(_ target: EditTarget, in folder: SaveFolder) throws(EditError)
    -> HeldFile.Finding
  {
    let name = target.path.ownName
    do throws(Problem) {
      // A new item has no file whose writers matter.
      if target.isNew { return try HeldFile.read(name, in: folder.folder, as: target.format, limits) }
      let known = target.content?.text
      let device = folder.device
      if grantsLeases[device] ?? true {
        let found = try HeldFile.read(
          name, in: folder.folder, as: target.format, limits, knowing: known, lease: abilities.acquireLease)
        guard case .inUse = found else { return found }
        let isGranted = grantsLeases[device] ?? folder.grantsLeases(abilities)
        grantsLeases[device] = isGranted
        if isGranted { return found }
      }
      return try HeldFile.read(name, in: folder.folder, as: target.format, limits, knowing: known)
    } catch {
      var error = EditError(target.change.id, error)
      error = EditError(
        error.code, target.change.id, target.path, error.message, line: error.line, column: error.column)
      throw error
    }
  }
}
