import Files
import Folder
import Glibc
import Query
import Values

/// One try to make a change.
struct EditAttempt {
  let change: PendingChange
  /// The number of the change in its save.
  let number: Int
  /// The number of times that the change was made before, and another program wrote to the file
  /// that it had replaced.
  var round = 0
  /// The number of earlier tries in which another program saved the file first.
  var tries = 0
  var warnings: [String] = []
  /// The path of the file in the last try.
  var path: RelativePath?

  /// True if the change was made before. It is made again before all changes that follow it.
  var isRepeated: Bool { round > 0 || tries > 0 }

  /// True if no change may be in the same batch.
  var followsOthers: Bool { isRepeated || change.newID != nil }
}

/// Changes of one save that become durable together: their texts are written under temporary names,
/// synced together, and placed; then each folder is synced once.
///
/// The folders stay locked until then, so no other writer of ours sees the temporary files.
struct SaveBatch {
  enum Step {
    /// Nothing has to be written.
    case nothing
    /// The text waits for its name. `HeldFile` is the file to replace; nil for a new one.
    case place(StagedText, HeldFile?, isSynced: Bool)
    case delete(HeldFile)
    /// The file was replaced, created or deleted; its folder has to be synced.
    case made(FileSaver.Result)
    case failed(SystemFailure)
  }

  struct Entry {
    let attempt: EditAttempt
    let target: EditTarget
    let resolved: ResolvedEdit
    let saver: FileSaver
    /// True if the files of its folder can be synced together. If not, each text is synced when it is
    /// written.
    let sharesSync: Bool
    /// The text that waits for its name, or got it; nil if none is written.
    let staged: StagedText?
    var step: Step
    /// The outcome if every step succeeds.
    var outcome: SaveOutcome
  }

  private(set) var entries: [Entry] = []
  /// The open folders, locked where locks exist.
  private var folders: [RelativePath: (folder: SaveFolder, sharesSync: Bool)] = [:]
  private(set) var ids: Set<Item.ID> = []
  var created: [RelativePath] = []
  private var size = 0
  /// The number of files that stay open until they are replaced or deleted.
  private var heldCount = 0
  private let start = ContinuousClock.now

  /// The largest numbers of entries and of bytes, and the longest time for which other writers wait.
  private static let (maxCount, maxSize) = (8_192, 64 << 20)
  private static let maxTime = Duration.seconds(1)
  /// The largest numbers of open folders and of open files: a part of what the process may open.
  private static let (maxFolders, maxHeld) = {
    let limit = sysconf(CInt(_SC_OPEN_MAX))
    return limit < 0 ? (200, 100) : (min(200, max(1, limit / 4)), min(100, max(1, limit / 8)))
  }()

  var isEmpty: Bool { entries.isEmpty }

  /// True if it should be made durable before it gets more changes.
  var isFull: Bool {
    entries.count >= SaveBatch.maxCount || size >= SaveBatch.maxSize || folders.count >= SaveBatch.maxFolders
      || heldCount >= SaveBatch.maxHeld || !isEmpty && ContinuousClock.now - start >= SaveBatch.maxTime
  }

  /// Returns an open folder; nil if the batch does not have it.
  func folder(_ path: RelativePath) -> (folder: SaveFolder, sharesSync: Bool)? { folders[path] }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    ids.insert(entry.attempt.change.id)
    folders[entry.directory] = (entry.saver.folder, entry.sharesSync)
    if case .place(let staged, _, _) = entry.step { size += staged.bytes.count }
    if entry.held != nil { heldCount += 1 }
  }

  /// Brings the batch to the disk: all texts, then their names and the deletions, in the order of
  /// the changes, then the folders.
  mutating func write(below root: OpenFolder, _ abilities: FileSaver.Abilities) {
    syncTexts(abilities)
    for index in entries.indices { entries[index].make() }
    syncFolders(below: root, abilities)
    // Removes only folders that are empty, because all of their items failed.
    if entries.contains(where: \.hasFailed) { SaveFolder.remove(created, below: root) }
  }

  /// Syncs the texts of the entries that are not synced yet, with one call per file system.
  private mutating func syncTexts(_ abilities: FileSaver.Abilities) {
    var results: [UInt64: CInt] = [:]
    for index in entries.indices {
      guard case .place(let staged, _, isSynced: false) = entries[index].step else { continue }
      let folder = entries[index].saver.folder
      let device = folder.device
      let code = results[device] ?? abilities.syncFileSystem(folder)
      results[device] = code
      if code == 0 { continue }
      let failure = SystemFailure("Writing it to the disk", code)
      entries[index].step = .failed(failure.adding(entries[index].saver.remove(staged.name)))
    }
  }

  /// Syncs each folder that has changed, and those that contain folders created for new items.
  private mutating func syncFolders(below root: OpenFolder, _ abilities: FileSaver.Abilities) {
    var results: [RelativePath: CInt] = [:]
    func sync(_ path: RelativePath, _ folder: SaveFolder?) {
      if results[path] == nil { results[path] = folder.map { abilities.syncFolder($0) } ?? 0 }
    }
    for entry in entries where entry.isMade { sync(entry.directory, entry.saver.folder) }
    // If the folder is gone, so are the items in it.
    for parent in created.compactMap(\.parent) {
      sync(parent, folders[parent]?.folder ?? (try? SaveFolder.open(parent, below: root)))
    }
    let failed = results.filter { $0.value != 0 }
    if failed.isEmpty { return }
    let created = Set(created)
    for index in entries.indices where entries[index].isMade {
      let directory = entries[index].directory
      let entered = sequence(first: directory, next: \.parent).filter { created.contains($0) }.compactMap(
        \.parent)
      if let code = ([directory] + entered).lazy.compactMap({ failed[$0] }).first {
        entries[index].failSync(code)
      }
    }
  }
}

extension SaveBatch.Entry {
  fileprivate var directory: RelativePath { target.path.parent ?? .root }

  fileprivate var isMade: Bool { if case .made(.done) = step { true } else { false } }

  fileprivate var hasFailed: Bool { if case .failed = step { true } else { false } }

  /// The file that stays open until it is replaced or deleted.
  fileprivate var held: HeldFile? {
    switch step {
    case .place(_, let held, _): held
    case .delete(let held): held
    case .nothing, .made, .failed: nil
    }
  }

  fileprivate mutating func make() {
    do throws(SystemFailure) {
      switch step {
      case .place(let staged, let held?, _): step = .made(try saver.place(staged, replacing: held))
      case .place(let staged, nil, _): step = .made(try saver.place(staged))
      case .delete(let held): step = .made(try saver.delete(held))
      case .nothing, .made, .failed: break
      }
    } catch {
      step = .failed(error)
    }
  }

  /// Records that the change was made, but not its folder written to the disk.
  fileprivate mutating func failSync(_ code: CInt) {
    guard case .made(.done(let warnings, let replaced)) = step else { return }
    let kept = replaced?.kept.map { ["The replaced text is kept in \(saver.path(of: $0))."] } ?? []
    let failure = SystemFailure(
      "Writing the folder to the disk", code,
      consequence: "The change was made, but may be lost in a power cut.")
    step = .failed(failure.adding(warnings + kept))
  }
}
