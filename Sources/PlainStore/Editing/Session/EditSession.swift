import DirectoryWatch
import Glibc
import PlainText

/// One save of several changes, in a folder that stays open all the while.
///
/// A change goes this way, and each step has its file:
///
/// 1. locate the file of the item and lock its folder (`+Locating`),
/// 2. read the file once, into a `FileContent` (`+Reading`),
/// 3. resolve the change to a `ResolvedEdit`, whose text was verified when it was made
///    (`+Resolving`),
/// 4. write that text in place of the file (`+Writing`),
/// 5. move the file, if the item is renamed (`+Renaming`),
/// 6. check the replaced file again after a grace period (`+Confirming`).
///
/// Locks are advisory, of folders (`flock`), and acquired in one order: first the root, where ids
/// are fields, then the folder of the item. A move locks both folders in a fixed order. No closure
/// of a caller runs while the folder of an item is locked or a lease is held, except for
/// `StoreOptions.recordWrite`, which must not touch the folder.
struct EditSession {
  var locator: ItemLocator
  let resolver: EditResolver
  let abilities: FileSaver.Abilities
  private let folderFormats: FolderFormatCache
  /// Returns true if this folder has not been swept yet, and must be swept now.
  let sweeps: @Sendable (RelativePath) -> Bool
  /// The longest wait for another program.
  var patience = Duration.seconds(30)
  /// Warnings for the next outcome.
  var warnings: [String] = []
  /// Items that did not appear although the session waited for them.
  var absent: Set<Item.ID> = []
  /// Changes whose replaced files must be checked again.
  var unconfirmed: [UnconfirmedChange] = []
  /// The lock of the root, where ids are fields.
  var rootLock: RootLock?
  /// The file that the last change replaced, if it must be checked again, and its folder.
  var replaced: (ReplacedFile, SaveFolder)?
  /// Plans the items that are inserted. Made at the first insertion.
  lazy var newItems = NewItems(in: locator, context: .current(), cache: folderFormats)
  /// For each device, whether its file system grants leases.
  var grantsLeases: [UInt64: Bool] = [:]

  /// The number of tries when other programs save the file in between.
  static let maxTries = 200
  /// The longest wait for a program that has the file open for writing.
  static let maxWriteTime = Duration.seconds(3)
  /// The longest time that a known file may be missing: some editors remove the old file before
  /// they create the new one.
  static let gap = Duration.milliseconds(250)

  var limits: ReadLimits { locator.options.limits }

  init(
    locator: ItemLocator, resolver: EditResolver, abilities: FileSaver.Abilities, folderFormats: FolderFormatCache,
    sweeps: @escaping @Sendable (RelativePath) -> Bool
  ) {
    (self.locator, self.resolver, self.abilities, self.folderFormats) = (locator, resolver, abilities, folderFormats)
    self.sweeps = sweeps
  }

  /// Makes a change. Returns nil if the outcome is known only after `confirm`.
  ///
  /// - Parameters:
  ///   - number: The number under which `confirm` returns the outcome.
  ///   - round: The number of times that the change was made before.
  mutating func save(_ change: PendingChange, as number: Int, round: Int = 0) -> SaveOutcome? {
    var path: RelativePath?
    replaced = nil
    var outcome: SaveOutcome
    do throws(EditError) {
      try lockIDs(for: change.id)
      outcome = try save(change, &path)
    } catch {
      outcome = SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error))
    }
    if let newID = change.newID, outcome.error == nil { outcome = renamed(outcome, to: newID) }
    guard let (file, folder) = replaced, let path else { return outcome }
    replaced = nil
    unconfirmed.append(
      UnconfirmedChange(number: number, round: round, change: change, outcome: outcome, path: path, file: file, folder: folder))
    return nil
  }

  /// Makes a change, without moving its file. An insertion that may be an update is tried again if
  /// another program created or deleted the item in the meantime.
  private mutating func save(_ change: PendingChange, _ path: inout RelativePath?) throws(EditError) -> SaveOutcome {
    var tries = mayUpdate(change) ? 5 : 1
    while true {
      let target = try target(of: change)
      path = target.path
      try checkRename(of: target)
      do throws(EditError) {
        return try save(target)
      } catch {
        tries -= 1
        guard tries > 0, error.code == .exists || error.code == .notFound else { throw error }
      }
    }
  }

  private mutating func save(_ target: EditTarget) throws(EditError) -> SaveOutcome {
    var created: [RelativePath] = []
    do {
      // Without a folder there is no file: the change is resolved, but nothing is written.
      guard let folder = try open(target, &created) else { return outcome(of: try resolve(target, nil), target) }
      return try save(target, in: folder)
    } catch {
      SaveFolder.remove(created, below: locator.root)
      throw error
    }
  }

  /// Reads, resolves and writes, again and again while other programs save the file in between.
  private mutating func save(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> SaveOutcome {
    let saver = saver(of: target.path, in: folder)
    let start = ContinuousClock.now
    for _ in 0..<EditSession.maxTries {
      let held = try readSettled(target, in: folder, since: start)
      let resolved = try resolve(target, held?.content)
      switch try write(resolved, held, with: saver, target) {
      case .overtaken(let warnings): self.warnings += warnings
      case .done(let warnings, let file):
        var outcome = outcome(of: resolved, target)
        outcome.saved = saved(resolved, held, target)
        outcome.warnings = self.warnings + warnings
        self.warnings = []
        if let file, let copy = folder.reopened { replaced = (file, copy) }
        record(resolved, target)
        return outcome
      }
    }
    throw target.error(.busy, "Other programs save the file faster than it can be changed. Try again.")
  }

  /// Returns the effect of a change without making it. Waits for no lock.
  mutating func preview(_ change: PendingChange) -> EditPreview {
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
      return EditPreview(outcome: SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error)), old: nil, new: nil)
    }
  }

  private func outcome(of resolved: ResolvedEdit, _ target: EditTarget) -> SaveOutcome {
    SaveOutcome(id: target.change.id, path: target.path, result: resolved.result, unsaved: resolved.unsaved)
  }

  /// Returns the change as it was made, for an undo; nil if nothing was changed.
  private func saved(_ resolved: ResolvedEdit, _ held: HeldFile?, _ target: EditTarget) -> SavedChange? {
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
    return SavedChange(id: id, path: target.path, format: target.format, old: held?.content.bytes, new: new, mode: held?.mode)
  }
}

/// One change and the file that it goes to.
struct EditTarget {
  let change: PendingChange
  let path: RelativePath
  let format: TextFormat
  /// True if the file does not exist yet.
  var isNew = false

  func error(_ code: EditError.Code, _ message: String) -> EditError { EditError(code, change.id, path, message) }
}
