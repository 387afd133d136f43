import Files
import Folder
import Glibc
import Query
import TextEdits
package import Values

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
///    (`+Resolving`),
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
  private let folderFormats: FolderFormatCache
  /// Returns true if this folder has not been swept yet, and must be swept now.
  let sweeps: @Sendable (RelativePath) -> Bool

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
  /// The lock of the root, where ids are fields.
  var rootLock: RootLock?
  /// The longest wait for another program.
  var patience = Duration.seconds(30)
  /// For each device, whether its file system grants leases.
  var grantsLeases: [UInt64: Bool] = [:]
  /// Plans the items that are inserted. Made at the first insertion.
  package lazy var newItems = NewItems(in: locator, context: .current(), cache: folderFormats)

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

  /// The limits for the text of an item.
  package var limits: ReadLimits { locator.options.limits }

  init(
    locator: ItemLocator, resolver: EditResolver, abilities: FileSaver.Abilities,
    folderFormats: FolderFormatCache,
    sweeps: @escaping @Sendable (RelativePath) -> Bool
  ) {
    (self.locator, self.resolver, self.abilities, self.folderFormats) = (
      locator, resolver, abilities, folderFormats
    )
    self.sweeps = sweeps
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
      return try NewItemText.text(of: plan.fields, as: plan.format, like: plan.style, limits).bytes
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
