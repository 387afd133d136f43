import Files
import Folder
import Glibc
import Query
import Values

/// One save of several changes, in a folder that stays open all the while.
///
/// A change goes this way, and each step has its file:
///
/// 1. locate the file of the item, work the change out if that may take long (`+Preparing`), and lock
///    the folder (`+Locating`),
/// 2. read the file once, into a `FileContent` (`+Reading`),
/// 3. resolve the change to a `ResolvedEdit`, whose text was verified when it was made
///    (`+Resolving`), unless it was worked out from the same bytes before,
/// 4. write that text under a temporary name (`+Writing`),
/// 5. with the other changes of the batch: write all texts to the disk, put them in place of their
///    files, and write the folders to the disk (`+Batches`),
/// 6. move the file, if the item is renamed (`+Renaming`),
/// 7. check the replaced file again after a grace period (`+Confirming`).
///
/// Locks are advisory, of folders (`flock`), and acquired in one order: first the root, where ids
/// are fields, then the folder of the item. A move locks both folders in a fixed order. A batch
/// keeps several folders locked, but never waits for one while it does. No closure of a caller runs
/// while the folder of an item is locked or a lease is held, except for `StoreOptions.recordWrite`,
/// which must not touch the folder.
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
  /// The items of the changes that were not tried yet, if there are several changes.
  var expected: Set<Item.ID> = []
  /// Changes whose replaced files must be checked again.
  var unconfirmed: [UnconfirmedChange] = []
  /// The lock of the root, where ids are fields.
  var rootLock: RootLock?
  /// Changes that are not durable yet.
  var batch = SaveBatch()
  /// Changes to files that other programs saved first.
  var overtaken: [EditAttempt] = []
  /// Outcomes that the caller does not have yet, with the numbers of their changes.
  var known: [(number: Int, outcome: SaveOutcome)] = []
  /// What was worked out for slow changes before the session, by their numbers.
  var preparations: [Int: PreparedEdit] = [:]
  /// The number of earlier rounds in which the files of slow changes changed.
  var rounds = 0
  /// True if slow changes whose files have changed again wait in `stale`; false if the session works
  /// them out itself.
  var keepsStale = false
  /// The numbers of changes whose files have changed since they were worked out.
  var stale: Set<Int> = []
  /// The files as this session has read or written them last, to spare a list the reading; nil if
  /// nobody asks.
  var written: [RelativePath: ReadAhead.EarlyFile]?
  /// True if there are enough changes to make them in batches.
  var usesBatches = false
  /// Plans the items that are inserted. Made at the first insertion.
  lazy var newItems = NewItems(in: locator, context: .current(), cache: folderFormats)
  /// For each device, whether its file system grants leases.
  var grantsLeases: [UInt64: Bool] = [:]

  /// The number of tries when other programs save the file in between.
  static let maxTries = 200
  /// The longest wait for a program that has the file open for writing.
  static let maxWriteTime = Duration.seconds(3)

  var limits: ReadLimits { locator.options.limits }

  init(
    locator: ItemLocator, resolver: EditResolver, abilities: FileSaver.Abilities, folderFormats: FolderFormatCache,
    sweeps: @escaping @Sendable (RelativePath) -> Bool
  ) {
    (self.locator, self.resolver, self.abilities, self.folderFormats) = (locator, resolver, abilities, folderFormats)
    self.sweeps = sweeps
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
  /// What was worked out before the folder was locked.
  var prepared: PreparedEdit?

  func error(_ code: EditError.Code, _ message: String) -> EditError { EditError(code, change.id, path, message) }
}
