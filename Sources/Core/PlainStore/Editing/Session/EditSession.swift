import Files
import Folder
import Glibc
import Query
import TextEdits
package import Values
import Watch

/// One save of several changes, in a folder that stays open all the while: its settings are read
/// once, and the ids of its items at most once.
/// `begin` takes the changes, and each `next` returns an outcome until all are known.
///
/// A change goes this way:
///
/// 1. locate the file of the item, work the change out if that may take long (`+Preparing`), lock the
///    folder, and read the file once, into a `FileContent` (`+Locating`),
/// 2. resolve the change to a `ResolvedEdit`, whose text was verified when it was made, unless it was
///    worked out from the same bytes before, and write that text under a temporary name
///    (`EditResolver`),
/// 3. with the other changes of the batch: write all texts to the disk, put them in place of their
///    files, and write the folders to the disk (`+Batches`, the driver of all steps),
/// 4. move the file, if the item is renamed (`+Renaming`),
/// 5. check the replaced file again after a grace period (`+Confirming`).
///
/// Locks are advisory, of folders (`flock`), and acquired in one order: first the root, where ids
/// are fields, then the folder of the item. A move locks both folders in a fixed order. A batch
/// keeps several folders locked, but never waits for one while it does. No closure of a caller runs
/// while the folder of an item is locked or a lease is held.
package struct EditSession {
  var locator: ItemLocator
  let resolver: EditResolver
  let abilities: FileSaver.Abilities
  let knownFolders: KnownFolders

  /// The changes that are still to be made, the next one last.
  var attempts: [EditAttempt] = []
  /// Changes that are not durable yet.
  var batch = SaveBatch()
  /// Changes whose replaced files must be checked again.
  var unconfirmed: [UnconfirmedChange] = []
  /// The outcomes since `ready` was filled, in any order.
  var known: [SaveOutcome] = []
  /// The outcomes for the caller, the next one last.
  var ready: [SaveOutcome] = []
  /// Warnings for the next outcome.
  var warnings: [String] = []
  /// True if there are enough changes to make them in batches.
  var usesBatches = false

  /// Items that did not appear although the session waited for them.
  var absent: Set<Item.ID> = []
  /// The items of the changes that were not tried yet, if there are several changes.
  var expected: Set<Item.ID> = []
  /// The lock of the root, where ids are fields: no single folder knows all ids, so it keeps our
  /// writers apart from the reading of all ids to the writing of one.
  ///
  /// It is acquired before the lock of any folder, and never while one is held. `isHeld` is false if
  /// folders cannot be locked here; at `end` other writers get a turn.
  var rootLock: (folder: SaveFolder, isHeld: Bool, end: ContinuousClock.Instant)?
  var patience = Duration.seconds(30)
  /// For each device, whether its file system grants leases.
  var grantsLeases: [UInt64: Bool] = [:]
  /// Plans the items that are inserted. Made at the first insertion.
  package lazy var newItems = NewItems(in: locator, context: .current(), cache: knownFolders)

  // A store sets these. They are nil or empty without a store.

  /// The check of values that no two items may have.
  var uniqueness: UniquenessCheck?
  /// The effects of slow changes that were computed before the session, by their numbers.
  var preparations: [Int: EditTarget] = [:]
  /// The number of rounds in which that was made before.
  var earlierRounds: Int?
  /// True if the first change has to be worked out again before anything is written.
  var isStale = false
  /// The files as this session has read or written them last, to spare a list the reading; nil if
  /// nobody asks.
  var written: [RelativePath: ReadAhead.EarlyFile]?

  /// The number of tries when other programs save the file in between. An editor may save in a loop.
  static let maxTries = 200
  /// The longest wait for a program that has the file open for writing.
  static let maxWriteTime = Duration.seconds(3)

  package var limits: ReadLimits { locator.options.limits }

  init(
    locator: ItemLocator, resolver: EditResolver, abilities: FileSaver.Abilities, knownFolders: KnownFolders
  ) {
    (self.locator, self.resolver, self.abilities, self.knownFolders) = (
      locator, resolver, abilities, knownFolders
    )
  }

  /// Returns the effects that a save would have now. Writes nothing and waits for no lock.
  package mutating func preview(_ scope: EditScope) -> [EditPreview] {
    let changes = scope.changes
    expect(changes)
    return changes.map { preview($0) }
  }

  private mutating func preview(_ change: PendingChange) -> EditPreview {
    var path: RelativePath?
    do throws(EditError) {
      let target = try target(of: change)
      path = target.path
      try checkFolder(of: target)
      let newPath = try checkRename(of: target)
      let current = try content(of: change.id, target.path, target.format)
      let resolved = try resolve(target, current)
      var outcome = outcome(of: resolved, target)
      if let newPath, let newID = change.newID { outcome.rename(to: newID, at: newPath) }
      return EditPreview(outcome: outcome, old: current?.text.bytes, new: resolved.text?.bytes)
    } catch {
      return EditPreview(
        outcome: SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error)), old: nil,
        new: nil)
    }
  }

  /// Returns the text of a new item, as it would be written.
  package func text(of plan: NewItems.Plan) throws(EditError) -> [UInt8] {
    do throws(TextEditError) {
      return try ItemText.new(plan.fields, as: plan.format, like: plan.style, limits).bytes
    } catch {
      throw EditError(plan.id, plan.path, error)
    }
  }

  func outcome(of resolved: ResolvedEdit, _ target: EditTarget) -> SaveOutcome {
    SaveOutcome(id: target.change.id, path: target.path, result: resolved.result, unsaved: resolved.unsaved)
  }

  /// Returns the change as it was made, for an undo; nil if nothing was changed.
  func saved(_ resolved: ResolvedEdit, _ held: HeldFile?, _ target: EditTarget) -> SavedChange? {
    // The file of a renamed item is moved afterwards.
    let moves = target.change.newID != nil && locator.idFields.isEmpty
    guard resolved.newText != nil || resolved.result == .deleted || moves else { return nil }
    let new = resolved.result == .deleted ? nil : resolved.text
    var id = target.change.id
    if !locator.idFields.isEmpty, let fields = try? new?.fields.get(),
      let found = try? Item.ID(of: fields, at: target.path, by: locator.idFields)
    {
      id = found
    }
    return SavedChange(
      id: id, path: target.path, format: target.format, old: held?.content.bytes, new: new, mode: held?.mode)
  }
}

/// One change and the file that it goes to.
struct EditTarget: Sendable {
  /// The change. That of a new item has the fields that the settings give it.
  let change: PendingChange
  let path: RelativePath
  let format: TextFormat
  /// True if the file does not exist yet.
  var isNew = false
  /// The result that was worked out before the folder was locked; nil if there is none.
  var prepared: Result<ResolvedEdit, EditError>?
  /// The file to which the change is resolved; nil if there is none.
  var content: FileContent?
  /// The settings by which `prepared` was made.
  var settings: Settings?

  /// Returns true if nothing was prepared, or if the file still has the bytes that it was made from.
  func isUpToDate(with current: FileContent?) -> Bool { prepared == nil || content?.bytes == current?.bytes }

  func error(_ code: EditError.Code, _ message: String) -> EditError {
    EditError(code, change.id, path, message)
  }

  var missing: EditError { error(.notFound, "There is no item with this id.") }

  /// A conflict that another merge policy would resolve.
  func conflict(_ message: String) -> EditError {
    var error = error(.conflict, "\(message) Read it again and decide, or choose a merge policy.")
    error.dependsOnPolicy = true
    return error
  }

  /// An undo of a change to a file that is not as the change left it.
  func undoConflict(_ message: String) -> EditError {
    error(.conflict, "\(message) It was not undone, so that no other change is lost.")
  }
}

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

extension EditSession {
  func saver(of path: RelativePath, in folder: SaveFolder) -> FileSaver {
    FileSaver(folder: folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities)
  }

  /// Adds a resolved change to the batch. Its text is written under a temporary name.
  mutating func stage(
    _ resolved: ResolvedEdit, _ held: HeldFile?, _ attempt: EditAttempt, _ target: EditTarget,
    in folder: SaveFolder,
    _ created: [RelativePath]
  ) throws(EditError) {
    let saver = saver(of: target.path, in: folder)
    let known = batch.folder(target.path.parent ?? .root)
    let sharesSync = known?.sharesSync ?? (usesBatches && folder.reportsSyncErrors)
    var outcome = outcome(of: resolved, target)
    var text: StagedText?
    var step = SaveBatch.Step.nothing
    do throws(SystemFailure) {
      if let new = resolved.newText {
        let mode = held == nil ? target.change.undo?.mode : nil
        let staged = try saver.stage(new.bytes, replacing: held, mode: mode, syncs: !sharesSync)
        text = staged
        step = .place(staged, held, isSynced: !sharesSync)
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
        attempt: attempt, target: target, resolved: resolved, saver: saver, sharesSync: sharesSync,
        staged: text, step: step, outcome: outcome))
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
