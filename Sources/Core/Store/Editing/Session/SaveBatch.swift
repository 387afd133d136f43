import Glibc

/// Changes of one save that become durable together: their texts are written under temporary names,
/// synced together, and placed; then each folder is synced once.
///
/// The folders stay locked until then, so no other writer of ours sees the temporary files.
struct SaveBatch {
  enum Step {
    case nothing
    /// The text waits for its name. `HeldFile` is the file to replace; nil for a new one.
    case place(FileSaver.Staged, HeldFile?, isSynced: Bool)
    case delete(HeldFile)
    /// The file was replaced, created or deleted; its folder has to be synced.
    case made(FileSaver.Result)
    case failed(Problem, isMade: Bool = false)
  }

  struct Entry {
    let attempt: EditAttempt
    let target: EditTarget
    let resolved: ResolvedEdit
    let saver: FileSaver
    /// True if the texts of its folder are synced together, and not each when it is written.
    let sharesSync: Bool
    let staged: FileSaver.Staged?
    var step: Step
    var outcome: SaveOutcome
  }

  private(set) var entries: [Entry] = []
  private var folders: [RelativePath: (folder: SaveFolder, sharesSync: Bool)] = [:]
  private(set) var ids: Set<Item.ID> = []
  private(set) var paths: Set<RelativePath> = []
  var created: [RelativePath] = []
  private var size = 0
  private var heldCount = 0
  private let start = ContinuousClock.now

  private static let (maxCount, maxSize) = (8_192, 64 << 20)
  private static let maxTime = Duration.seconds(1)
  private static let (maxFolders, maxHeld) = {
    let limit = sysconf(CInt(_SC_OPEN_MAX))
    return limit < 0 ? (200, 100) : (min(200, max(1, limit / 4)), min(100, max(1, limit / 8)))
  }()

  var isEmpty: Bool { entries.isEmpty }

  var isFull: Bool {
    entries.count >= SaveBatch.maxCount || size >= SaveBatch.maxSize || folders.count >= SaveBatch.maxFolders
      || heldCount >= SaveBatch.maxHeld || !isEmpty && ContinuousClock.now - start >= SaveBatch.maxTime
  }

  func folder(_ path: RelativePath) -> (folder: SaveFolder, sharesSync: Bool)? { folders[path] }

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    ids.insert(entry.attempt.change.id)
    paths.insert(entry.target.path)
    folders[entry.directory] = (entry.saver.folder, entry.sharesSync)
    if case .place(let staged, _, _) = entry.step { size += Int(clamping: staged.stamp.size) }
    if entry.held != nil { heldCount += 1 }
  }

  /// Removes what was written for the changes, none of which was made.
  func drop(below root: OpenFolder) {
    for entry in entries {
      if case .place(let staged, _, _) = entry.step { _ = entry.saver.remove(staged.name) }
    }
    SaveFolder.remove(created, below: root)
  }

  /// Makes none of the changes, because of an error of something else.
  mutating func fail(_ problem: Problem) {
    for index in entries.indices { entries[index].fail(problem) }
  }

  /// Brings the batch to the disk: texts, then names and deletions in the order of the changes, then folders.
  mutating func write(below root: OpenFolder, _ abilities: FileSaver.Abilities) {
    syncTexts(abilities)
    for index in entries.indices { entries[index].make() }
    syncFolders(below: root, abilities)
    // Removes only folders that are empty, because all of their items failed.
    if entries.contains(where: \.hasFailed) { SaveFolder.remove(created, below: root) }
  }

  private mutating func syncTexts(_ abilities: FileSaver.Abilities) {
    var results: [UInt64: CInt] = [:]
    for index in entries.indices {
      guard case .place(_, _, isSynced: false) = entries[index].step else { continue }
      let folder = entries[index].saver.folder
      let device = folder.device
      let code = results[device] ?? abilities.syncFileSystem(folder)
      results[device] = code
      if code == 0 { continue }
      entries[index].fail(Problem("Writing it to the disk", code))
    }
  }

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

  /// True if the change is still to be made.
  fileprivate var isPending: Bool {
    switch step {
    case .place, .delete: true
    case .nothing, .made, .failed: false
    }
  }

  fileprivate var hasFailed: Bool { if case .failed = step { true } else { false } }

  fileprivate var held: HeldFile? {
    switch step {
    case .place(_, let held, _): held
    case .delete(let held): held
    case .nothing, .made, .failed: nil
    }
  }

  fileprivate mutating func make() {
    do throws(Problem) {
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

  fileprivate mutating func fail(_ problem: Problem) {
    switch step {
    case .place(let staged, _, _): step = .failed(problem.adding(saver.remove(staged.name)))
    case .delete: step = .failed(problem)
    case .nothing, .made, .failed: break
    }
  }

  fileprivate mutating func failSync(_ code: CInt) {
    guard case .made(.done(let warnings, let replaced)) = step else { return }
    let kept = replaced?.kept.map { ["The replaced text is kept in \(saver.path(of: $0))."] } ?? []
    let failure = Problem(
      "Writing the folder to the disk", code,
      consequence: "The change was made, but may be lost in a power cut.")
    step = .failed(failure.adding(warnings + kept), isMade: true)
  }
}

extension EditSession {
  func saver(of path: RelativePath, in folder: SaveFolder) -> FileSaver {
    FileSaver(folder: folder, directory: path.parent ?? .root, name: path.ownName, abilities: abilities)
  }

  mutating func stage(
    _ resolved: ResolvedEdit, _ held: HeldFile?, _ attempt: EditAttempt, _ target: EditTarget,
    in folder: SaveFolder,
    _ created: [RelativePath]
  ) throws(EditError) {
    let saver = saver(of: target.path, in: folder)
    let known = batch.folder(target.path.parent ?? .root)
    let sharesSync = known?.sharesSync ?? (self.sharesSync && folder.reportsSyncErrors)
    var outcome = outcome(of: resolved, target)
    var text: FileSaver.Staged?
    var step = SaveBatch.Step.nothing
    do throws(Problem) {
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

  /// Makes the batch durable and unlocks it. Changes that other programs overtook are tried again next.
  mutating func commit() {
    if batch.isEmpty { return }
    var finished = batch
    batch = SaveBatch()
    do throws(Problem) {
      try journal?.append(finished.entries.filter(\.isPending).compactMap(\.outcome.saved))
    } catch {
      finished.fail(error)
    }
    finished.write(below: locator.root, abilities)
    var made: [(attempt: EditAttempt, outcome: SaveOutcome, replaced: UnconfirmedChange?)] = []
    var overtaken: [EditAttempt] = []
    for entry in finished.entries {
      if case .made(.overtaken(let warnings)) = entry.step {
        var next = entry.attempt
        next.tries += 1
        next.warnings += warnings
        next.path = entry.target.path
        overtaken.append(next)
      } else {
        let (outcome, replaced) = result(of: entry)
        made.append((entry.attempt, outcome, replaced))
      }
    }
    // The locks end with the last reference to the folders.
    finished = SaveBatch()
    attempts += overtaken.reversed()
    for (attempt, outcome, replaced) in made {
      let outcome = renamed(outcome, attempt)
      if var replaced {
        replaced.outcome = outcome
        unconfirmed.append(replaced)
      } else {
        conclude(attempt, outcome)
      }
    }
  }

  /// Returns the outcome of a change, with the replaced file if that must be checked again.
  private mutating func result(of entry: SaveBatch.Entry) -> (SaveOutcome, UnconfirmedChange?) {
    var outcome = entry.outcome
    switch entry.step {
    case .nothing, .place, .delete, .made(.overtaken): break
    case .failed(let failure, let isMade):
      outcome.result = .failed(EditError(entry.target.change.id, entry.target.path, failure))
      if !isMade { outcome.saved = nil }
    case .made(.done(let warnings, let file)):
      record(entry.resolved, entry.target)
      if let staged = entry.staged { recordWritten(staged, entry.resolved, at: entry.target.path) }
      removeMadeFolders(entry.attempt, outcome)
      outcome.warnings += warnings
      if let file, let copy = entry.saver.folder.reopened {
        return (
          outcome,
          UnconfirmedChange(
            attempt: entry.attempt, outcome: outcome, path: entry.target.path, file: file, folder: copy)
        )
      }
    }
    return (outcome, nil)
  }

  mutating func renamed(_ outcome: SaveOutcome, _ attempt: EditAttempt) -> SaveOutcome {
    guard let newID = attempt.change.newID, outcome.error == nil else { return outcome }
    let outcome = renamed(outcome, to: newID)
    if outcome.error == nil, let made = attempt.change.undo?.made {
      MadeFolder.remove(made, below: locator.root)
    }
    return outcome
  }

  func removeMadeFolders(_ attempt: EditAttempt, _ outcome: SaveOutcome) {
    guard outcome.result == .deleted, let made = attempt.change.undo?.made else { return }
    MadeFolder.remove(made, below: locator.root)
  }

  /// Updates the index of ids, where ids are fields.
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

  mutating func recordWritten(_ staged: FileSaver.Staged, _ resolved: ResolvedEdit, at path: RelativePath) {
    written?[path] = nil
    guard written != nil, let stamp = try? locator.root.stamp(of: path), staged.stamp.isUntouched(stamp)
    else { return }
    record(resolved.text, stamp, at: path)
  }

  /// Records a large file as it was read, for a change that is refused.
  mutating func recordRead(_ content: FileContent, at path: RelativePath) {
    if content.bytes.count > Value.quickSize { record(content.text, content.stamp, at: path) }
  }

  /// Files with aliases are read again, because all files share a budget for them.
  private mutating func record(_ text: ItemText?, _ stamp: FileStamp, at path: RelativePath) {
    guard let fields = try? text?.fields.get(), ExpansionBudget.size(of: fields, fileSize: stamp.size) == 0
    else { return }
    written?[path] = ReadAhead.EarlyFile(stamp: stamp, fields: fields)
  }

  mutating func consumeWritten() -> [RelativePath: ReadAhead.EarlyFile] {
    defer { if written != nil { written = [:] } }
    return written ?? [:]
  }
}
