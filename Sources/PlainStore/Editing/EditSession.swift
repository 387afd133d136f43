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

  /// How often a change is made anew because others saved the file in between.
  private static let mostTries = 200
  /// How long somebody may have a file open for writing.
  private static let patience = Duration.seconds(3)
  /// How long a file that was there may be missing: there are editors that take the old one away before they make the new one.
  private static let gap = Duration.milliseconds(50)

  private var limits: ReadLimits { locator.options.limits }

  // MARK: Reading

  mutating func read(_ id: Item.ID) throws(EditError) -> ItemFile {
    let path = try locator.path(of: id)
    guard let format = locator.rules.format(of: path) else { throw EditError(.notFound, id, path, "There is no item of this id.") }
    guard let content = try content(of: id, path, format) else { throw EditError(.notFound, id, path, "The file is gone.") }
    do throws(TextError) {
      let item = Item(id: id, path: path, stamp: content.stamp, fields: try content.fields.get())
      return ItemFile(item: item, format: format, bytes: content.bytes)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// A text that is no item has the fields of none.
  mutating func readText(_ id: Item.ID) throws(EditError) -> RawItem {
    let path = try locator.path(of: id)
    guard let format = locator.rules.format(of: path), let content = try content(of: id, path, format) else {
      throw EditError(.notFound, id, path, "There is no item of this id.")
    }
    let fields = (try? content.fields.get()) ?? PackedValue(.map([:]))
    let revision = ItemRevision(path: path, stamp: content.stamp, fields: fields, bytes: content.bytes)
    return RawItem(id: id, path: path, format: format, bytes: content.bytes, revision: revision)
  }

  private func content(of id: Item.ID, _ path: RelativePath, _ format: TextFormat) throws(EditError) -> FileContent? {
    do throws(Problem) {
      guard case .held(let held) = try HeldFile.read(path, in: locator.root, as: format, limits, usesLease: false) else { return nil }
      return held.content
    } catch {
      throw EditError(id, error)
    }
  }

  // MARK: One change

  /// Where it goes.
  private struct Target {
    let change: PendingChange
    let path: RelativePath
    let format: TextFormat

    var isNew: Bool { if case .insert = change.act { true } else { false } }

    func error(_ code: EditError.Code, _ message: String) -> EditError { EditError(code, change.id, path, message) }
  }

  private mutating func target(of change: PendingChange) throws(EditError) -> Target {
    let path: RelativePath
    switch change.act {
    case .insert(_, let format, let wish): path = try locator.newPath(of: change.id, as: format, at: wish)
    case .update, .replace, .delete: path = try existingPath(of: change)
    }
    guard let format = locator.rules.format(of: path) else {
      throw EditError(.notFound, change.id, path, "The settings leave this file out.")
    }
    return Target(change: change, path: path, format: format)
  }

  /// Of what was read before, the path where it was read, if nothing is known to have the id now.
  private mutating func existingPath(of change: PendingChange) throws(EditError) -> RelativePath {
    do throws(EditError) {
      return try locator.path(of: change.id)
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
      let current = try content(of: change.id, target.path, target.format)
      let resolution = try resolve(target, current)
      return EditPreview(outcome: outcome(of: resolution, target, current), old: current?.bytes, new: resolution.text(from: current))
    } catch {
      return EditPreview(outcome: SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error)), old: nil, new: nil)
    }
  }

  mutating func save(_ change: PendingChange) -> SaveOutcome {
    var path: RelativePath?
    do throws(EditError) {
      let target = try target(of: change)
      path = target.path
      return try save(target)
    } catch {
      return SaveOutcome(id: change.id, path: path ?? error.path, result: .failed(error))
    }
  }

  private mutating func save(_ target: Target) throws(EditError) -> SaveOutcome {
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
  private mutating func saveWithoutFolder(_ target: Target) throws(EditError) -> SaveOutcome {
    let resolution = try resolve(target, nil)
    if case .write = resolution {
      throw target.error(.conflict, "Its folder was deleted since it was read. Insert it anew.")
    }
    return outcome(of: resolution, target, nil)
  }

  /// The folder of the file, locked and swept. One that is missing is made for a new item alone.
  private func open(_ target: Target, _ made: inout [RelativePath]) throws(EditError) -> SaveFolder? {
    let parent = target.path.parent ?? .root
    do throws(SystemFailure) {
      var folder = try SaveFolder.open(parent, below: locator.root)
      if folder == nil, target.isNew {
        // What cannot be an item must leave no folder behind.
        (folder, made) = try SaveFolder.make(parent, below: locator.root)
      }
      guard let folder else { return nil }
      switch try folder.lock() {
      case .held: if sweeps(parent) { LeftoverSweep.sweep(folder) }
      case .none: break
      case .busy: throw SystemFailure("Locking its folder, which another program does not let go of,", EBUSY)
      }
      return folder
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  private mutating func save(_ target: Target, in folder: SaveFolder) throws(EditError) -> SaveOutcome {
    let saver = FileSaver(folder: folder, name: target.path.ownName, abilities: abilities)
    let start = ContinuousClock.now
    var tries = 0
    while tries < EditSession.mostTries {
      let held: HeldFile?
      switch try read(target, in: folder) {
      case .missing:
        if !target.isNew, ContinuousClock.now < start + EditSession.gap {
          usleep(1_000)
          continue
        }
        held = nil
      case .held(let file): held = file
      case .inUse:
        if ContinuousClock.now > end {
          throw target.error(.busy, "Another program has the file open for writing. Try again when it is done.")
        }
        usleep(1_000)
        continue
      }
      let resolution = try resolve(target, held?.content)
      if let warnings = try perform(resolution, held, with: saver, target) {
        var outcome = outcome(of: resolution, target, held?.content)
        outcome.warnings = warnings
        note(resolution, target, held?.content)
        return outcome
      }
      tries += 1
    }
    throw target.error(.busy, "Others save the file faster than it can be changed. Try again.")
  }

  private func read(_ target: Target, in folder: SaveFolder) throws(EditError) -> HeldFile.Finding {
    do throws(Problem) {
      return try HeldFile.read(target.path.ownName, in: folder.folder, as: target.format, limits, usesLease: abilities.leases)
    } catch {
      var error = EditError(target.change.id, error)
      error = EditError(error.code, target.change.id, target.path, error.message, line: error.line, column: error.column)
      throw error
    }
  }

  /// Nil where somebody was faster.
  private func perform(
    _ resolution: EditResolution, _ held: HeldFile?, with saver: FileSaver, _ target: Target
  ) throws(EditError) -> [String]? {
    do throws(SystemFailure) {
      let result: FileSaver.Result? =
        switch (resolution, held) {
        case (.write(let bytes, _), let held?): try saver.replace(held, with: bytes)
        case (.write(let bytes, _), nil): try saver.create(bytes)
        case (.delete, let held?): try saver.delete(held)
        case (.delete, nil), (.nothing, _), (.discard, _): .done(warnings: [])
        }
      if case .done(let warnings) = result { return warnings }
      return nil
    } catch {
      throw EditError(target.change.id, target.path, error)
    }
  }

  // MARK: What it comes to

  /// With what only the data set as a whole can say.
  private mutating func resolve(_ target: Target, _ current: FileContent?) throws(EditError) -> EditResolution {
    if target.isNew { try checkFree(target) }
    let isItsFile = current.map { try? $0.fields.get() }.flatMap { $0 }.map { has(target.change.id, $0, target.path) } ?? true
    let resolution = try resolver.resolve(target.change, at: target.path, as: target.format, isItsFile ? current : nil)
    if !isItsFile, case .write = resolution {
      throw target.error(.exists, "Its file holds another item now.")
    }
    if case .write(let bytes, _) = resolution { try checkID(bytes, target) }
    return resolution
  }

  private func has(_ id: Item.ID, _ fields: PackedValue, _ path: RelativePath) -> Bool {
    guard !locator.idFields.isEmpty, let found = try? Item.ID(of: fields, at: path, by: locator.idFields) else { return true }
    return found == id
  }

  private mutating func checkFree(_ target: Target) throws(EditError) {
    let id = target.change.id
    let others = try locator.idFields.isEmpty ? locator.existingFiles(of: id) : locator.claimants(of: id)
    if let other = others.first {
      throw EditError(.exists, id, other, "There is an item of this id already. Set its fields, or choose another id.")
    }
  }

  /// What is written has to keep the item an item: of a new one, of the id that was asked for.
  private func checkID(_ bytes: [UInt8], _ target: Target) throws(EditError) {
    guard !locator.idFields.isEmpty, let fields = try? FileContent.fields(of: bytes, as: target.format, limits).get() else { return }
    do throws(Problem) {
      let id = try Item.ID(of: fields, at: target.path, by: locator.idFields)
      if target.isNew, id != target.change.id {
        let names = locator.idFields.map(\.description).joined(separator: ", ")
        throw Problem(
          path: target.path, message: "Its fields (\(names)) make the id \(id), not \(target.change.id). Let both say the same.")
      }
    } catch {
      throw target.error(.invalidID, error.message)
    }
  }

  private func outcome(of resolution: EditResolution, _ target: Target, _ current: FileContent?) -> SaveOutcome {
    let result: SaveOutcome.Result =
      switch resolution {
      case .write(_, let isMerged): current == nil ? .inserted : .updated(isMerged: isMerged)
      case .delete: .deleted
      case .nothing: .unchanged
      case .discard: .discarded
      }
    return SaveOutcome(id: target.change.id, path: target.path, result: result)
  }

  private mutating func note(_ resolution: EditResolution, _ target: Target, _ current: FileContent?) {
    guard !locator.idFields.isEmpty else { return }
    switch resolution {
    case .write(let bytes, _):
      guard let stamp = try? locator.root.stamp(of: target.path),
        let fields = try? FileContent.fields(of: bytes, as: target.format, limits).get()
      else { return }
      locator.note(target.path, (stamp, fields))
    case .delete: locator.note(target.path, nil)
    case .nothing, .discard: break
    }
  }
}

extension EditResolution {
  /// What the file would hold; nil where it would be gone.
  fileprivate func text(from current: FileContent?) -> [UInt8]? {
    switch self {
    case .write(let bytes, _): bytes
    case .delete: nil
    case .nothing, .discard: current?.bytes
    }
  }
}
