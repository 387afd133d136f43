import DirectoryWatch
import Glibc
import PlainText

/// One save of several changes, in a folder that stays open all the while.
struct EditSession {
  var locator: ItemLocator
  let resolver: EditResolver
  let abilities: FileSaver.Abilities
  /// Whether this folder is to be swept now.
  let sweeps: @Sendable (RelativePath) -> Bool
  /// How long each wait for another program lasts at most.
  var patience = Duration.seconds(30)
  /// Sentences that go with the next outcome.
  var warnings: [String] = []
  /// Items that were waited for in vain.
  var absent: Set<Item.ID> = []
  /// Changes that were made, and whose replaced files have to be checked again.
  var unconfirmed: [UnconfirmedChange] = []
  /// The lock of the root, where ids are fields.
  var rootLock: RootLock?
  /// What the last change replaced, and has to be checked again.
  private var replaced: (ReplacedFile, SaveFolder)?
  /// True for each device whose file system was found to grant leases.
  private var grantsLeases: [UInt64: Bool] = [:]

  /// How often a change is made anew because others saved the file in between.
  private static let mostTries = 200
  /// How long somebody may have a file open for writing.
  private static let longestWrite = Duration.seconds(3)
  /// How long a file that was there may be missing: there are editors that take the old one away before they make the new one.
  static let gap = Duration.milliseconds(250)

  var limits: ReadLimits { locator.options.limits }

  init(
    locator: ItemLocator, resolver: EditResolver, abilities: FileSaver.Abilities, sweeps: @escaping @Sendable (RelativePath) -> Bool
  ) {
    (self.locator, self.resolver, self.abilities, self.sweeps) = (locator, resolver, abilities, sweeps)
  }

  // MARK: Reading

  mutating func read(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, format, content) = try current(id)
    do throws(TextError) {
      let item = Item(id: id, path: path, stamp: content.stamp, fields: try content.fields.get())
      return ItemFile(item: item, format: format, bytes: content.bytes)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// A text that is no item has the fields of none.
  mutating func readText(_ id: Item.ID) throws(EditError) -> RawItem {
    let (path, format, content) = try current(id)
    if let found = ForeignFrontMatter(of: content.bytes, as: format) { throw EditError(.unreadable, id, path, found.sentence) }
    let fields = (try? content.fields.get()) ?? PackedValue(.map([:]))
    let revision = ItemRevision(path: path, stamp: content.stamp, fields: fields, bytes: content.bytes)
    return RawItem(id: id, path: path, format: format, bytes: content.bytes, revision: revision)
  }

  /// The file of an item. One that is missing between two looks may be on its way back.
  private mutating func current(_ id: Item.ID) throws(EditError) -> (RelativePath, TextFormat, FileContent) {
    let end = ContinuousClock.now + EditSession.gap
    while true {
      let path = try locate(id)
      guard let format = locator.rules.format(of: path) else { throw EditError(.notFound, id, path, "There is no item of this id.") }
      if let content = try content(of: id, path, format) { return (path, format, content) }
      if ContinuousClock.now > end { throw EditError(.notFound, id, path, "The file is gone.") }
      usleep(1_000)
    }
  }

  func content(of id: Item.ID, _ path: RelativePath, _ format: TextFormat) throws(EditError) -> FileContent? {
    do throws(Problem) {
      guard case .held(let held) = try HeldFile.read(path, in: locator.root, as: format, limits) else { return nil }
      return held.content
    } catch {
      throw EditError(id, error)
    }
  }

  // MARK: One change

  private mutating func target(of change: PendingChange) throws(EditError) -> EditTarget {
    let path: RelativePath
    switch change.act {
    case .insert(_, let format, let wish): path = try locator.newPath(of: change.id, as: format, at: wish)
    case .update, .replace, .delete: path = try existingPath(of: change)
    }
    guard let format = locator.rules.format(of: path) else {
      throw EditError(.notFound, change.id, path, "The settings leave this file out.")
    }
    return EditTarget(change: change, path: path, format: format)
  }

  /// Of what was read before, the path where it was read, if nothing is known to have the id now.
  private mutating func existingPath(of change: PendingChange) throws(EditError) -> RelativePath {
    do throws(EditError) {
      return try locate(change.id)
    } catch {
      guard error.code == .notFound, let revision = change.revision, locator.rules.reaches(revision.path) else { throw error }
      return revision.path
    }
  }

  mutating func preview(_ change: PendingChange) -> EditPreview {
    var path: RelativePath?
    do throws(EditError) {
      let target = try target(of: change)
      path = target.path
      try checkWay(target)
      let current = try content(of: change.id, target.path, target.format)
      let decision = try resolve(target, current)
      return EditPreview(
        outcome: outcome(of: decision, target, current), old: current?.bytes, new: decision.resolution.text(from: current))
    } catch {
      return EditPreview(outcome: SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error)), old: nil, new: nil)
    }
  }

  /// Throws where the way to its folder is none that a save would go.
  private func checkWay(_ target: EditTarget) throws(EditError) {
    do throws(SystemFailure) {
      _ = try SaveFolder.open(target.path.parent ?? .root, below: locator.root)
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  /// Makes a change. Returns nil where the outcome is known only when `confirm` was called.
  ///
  /// - Parameter number: what `confirm` calls the outcome.
  mutating func save(_ change: PendingChange, as number: Int, round: Int = 0) -> SaveOutcome? {
    var path: RelativePath?
    replaced = nil
    let outcome: SaveOutcome
    do throws(EditError) {
      try lockIDs(for: change.id)
      let target = try target(of: change)
      path = target.path
      outcome = try save(target)
    } catch {
      outcome = SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error))
    }
    guard let (file, folder) = replaced else { return outcome }
    replaced = nil
    unconfirmed.append(UnconfirmedChange(number: number, round: round, change: change, outcome: outcome, file: file, folder: folder))
    return nil
  }

  private mutating func save(_ target: EditTarget) throws(EditError) -> SaveOutcome {
    var made: [RelativePath] = []
    do {
      guard let folder = try open(target, &made) else { return try saveWithoutFolder(target) }
      return try save(target, in: folder)
    } catch {
      SaveFolder.remove(made, below: locator.root)
      throw error
    }
  }

  /// What it comes to that there is not even a folder.
  private mutating func saveWithoutFolder(_ target: EditTarget) throws(EditError) -> SaveOutcome {
    outcome(of: try resolve(target, nil), target, nil)
  }

  /// Whether the item will be there where it was not.
  private func mayMake(_ target: EditTarget) -> Bool {
    switch resolver.policy {
    case .mergeByPropertyObjectTrump, .overwrite: target.isNew || target.change.revision != nil && target.change.act != .delete
    case .error, .mergeByPropertyStoreTrump, .rollback: target.isNew
    }
  }

  /// The folder of the file, locked and swept. One that is missing is made where the item is to be there.
  private mutating func open(_ target: EditTarget, _ made: inout [RelativePath]) throws(EditError) -> SaveFolder? {
    let parent = target.path.parent ?? .root
    do throws(SystemFailure) {
      var folder = try SaveFolder.open(parent, below: locator.root)
      if folder == nil, mayMake(target) { (folder, made) = try SaveFolder.make(parent, below: locator.root) }
      guard let folder else { return nil }
      if parent == .root, let lock = rootLock {
        if lock.isHeld, sweeps(parent) { sweep(lock.folder, parent) }
        return lock.folder
      }
      switch try folder.lock(patience: patience) {
      case .held: if sweeps(parent) { sweep(folder, parent) }
      case .none: break
      case .busy: throw SystemFailure("Locking its folder, which another program does not let go of,", EBUSY)
      }
      return folder
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  private mutating func sweep(_ folder: SaveFolder, _ path: RelativePath) {
    for leftover in LeftoverSweep.sweep(folder, abilities) { warnings.append(leftover.sentence(in: path)) }
  }

  private mutating func save(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> SaveOutcome {
    let directory = target.path.parent ?? .root
    let saver = FileSaver(folder: folder, directory: directory, name: target.path.ownName, abilities: abilities)
    let start = ContinuousClock.now
    let gap = absent.contains(target.change.id) ? .zero : EditSession.gap
    var tries = 0
    while tries < EditSession.mostTries {
      let held: HeldFile?
      switch try read(target, in: folder) {
      case .missing:
        if !target.isNew, ContinuousClock.now < start + gap {
          usleep(1_000)
          continue
        }
        held = nil
      case .held(let file):
        if file.mayBeHalfWritten, target.change.act != .delete, ContinuousClock.now < start + EditSession.gap {
          usleep(1_000)
          continue
        }
        held = file
      case .inUse:
        if ContinuousClock.now > start + min(EditSession.longestWrite, patience) {
          throw target.error(.busy, "Another program has the file open for writing. Try again when it is done.")
        }
        usleep(1_000)
        continue
      }
      let decision = try resolve(target, held?.content)
      if let result = try perform(decision.resolution, held, with: saver, target) {
        var outcome = outcome(of: decision, target, held?.content)
        outcome.warnings = warnings + result.warnings
        warnings = []
        if let file = result.replaced, let copy = folder.reopened { replaced = (file, copy) }
        note(decision.resolution, target, held?.content)
        return outcome
      }
      tries += 1
    }
    throw target.error(.busy, "Others save the file faster than it can be changed. Try again.")
  }

  private mutating func read(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> HeldFile.Finding {
    let name = target.path.ownName
    do throws(Problem) {
      // A new item has no file to be read.
      if target.isNew { return try HeldFile.read(name, in: folder.folder, as: target.format, limits) }
      let device = folder.device
      if grantsLeases[device] ?? true {
        let found = try HeldFile.read(name, in: folder.folder, as: target.format, limits, lease: abilities.acquireLease)
        guard case .inUse = found else { return found }
        let isGranted = grantsLeases[device] ?? folder.grantsLeases(abilities)
        grantsLeases[device] = isGranted
        if isGranted { return found }
      }
      return try HeldFile.read(name, in: folder.folder, as: target.format, limits)
    } catch {
      var error = EditError(target.change.id, error)
      error = EditError(error.code, target.change.id, target.path, error.message, line: error.line, column: error.column)
      throw error
    }
  }

  /// Nil where somebody was faster.
  private mutating func perform(
    _ resolution: EditResolution, _ held: HeldFile?, with saver: FileSaver, _ target: EditTarget
  ) throws(EditError) -> (warnings: [String], replaced: ReplacedFile?)? {
    do throws(SystemFailure) {
      let result: FileSaver.Result? =
        switch (resolution, held) {
        case (.write(let bytes, _), let held?): try saver.replace(held, with: bytes)
        case (.write(let bytes, _), nil): try saver.create(bytes)
        case (.delete, let held?): try saver.delete(held)
        case (.delete, nil), (.nothing, _), (.discard, _): .done(warnings: [], replaced: nil)
        }
      switch result {
      case .done(let warnings, let replaced)?: return (warnings, replaced)
      case .overtaken(let warnings)?: self.warnings += warnings
      case nil: break
      }
      return nil
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }
}
