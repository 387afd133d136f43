import Files
import Glibc
import Query
import Values

/// Reading items.
extension EditSession {
  mutating func read(_ id: Item.ID) throws(EditError) -> ItemFile {
    let (path, content) = try current(id)
    do throws(TextError) {
      let item = Item(id: id, path: path, stamp: content.stamp, fields: try content.text.fields.get())
      return ItemFile(item: item, format: content.text.format, bytes: content.text.bytes)
    } catch {
      throw EditError(id, path, error)
    }
  }

  /// Reads the text of an item. One that cannot be read as an item has no fields.
  mutating func readText(_ id: Item.ID) throws(EditError) -> RawItem {
    let (path, content) = try current(id)
    let text = content.text
    if let found = ForeignFrontMatter(of: text.bytes, as: text.format) { throw EditError(.unreadable, id, path, found.sentence) }
    let fields = (try? text.fields.get()) ?? PackedValue(.map([:]))
    let revision = ItemRevision(path: path, stamp: content.stamp, fields: fields, bytes: text.bytes)
    return RawItem(id: id, path: path, format: text.format, bytes: text.bytes, revision: revision)
  }

  /// Returns the file of an item, waiting for a moment if it disappears after it was located.
  private mutating func current(_ id: Item.ID) throws(EditError) -> (RelativePath, FileContent) {
    var timer = GapTimer()
    while true {
      let path = try locate(id)
      guard let format = locator.rules.format(of: path) else { throw EditError(.notFound, id, path, "There is no item with this id.") }
      if let content = try content(of: id, path, format) { return (path, content) }
      if timer.isOver() { throw EditError(.notFound, id, path, "The file is gone.") }
      usleep(1_000)
    }
  }

  /// Reads a file without a lease. Nil if it does not exist.
  func content(of id: Item.ID, _ path: RelativePath, _ format: TextFormat) throws(EditError) -> FileContent? {
    do throws(Problem) {
      guard case .held(let held) = try HeldFile.read(path, in: locator.root, as: format, limits) else { return nil }
      return held.content
    } catch {
      throw EditError(id, error)
    }
  }

  // MARK: For a save

  /// Reads the file of a target in its locked folder. Waits for a moment while the file is missing
  /// or half written, and for up to `maxWriteTime` while another program has it open for writing.
  ///
  /// - Returns: Nil if there is no file.
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
          throw target.error(.busy, "Another program has the file open for writing. Try again when it is done.")
        }
      }
      commit()
      usleep(1_000)
    }
  }

  private mutating func read(_ target: EditTarget, in folder: SaveFolder) throws(EditError) -> HeldFile.Finding {
    let name = target.path.ownName
    do throws(Problem) {
      // A new item has no file whose writers matter.
      if target.isNew { return try HeldFile.read(name, in: folder.folder, as: target.format, limits) }
      let known = target.prepared?.content?.text
      let device = folder.device
      if grantsLeases[device] ?? true {
        let found = try HeldFile.read(name, in: folder.folder, as: target.format, limits, knowing: known, lease: abilities.acquireLease)
        guard case .inUse = found else { return found }
        let isGranted = grantsLeases[device] ?? folder.grantsLeases(abilities)
        grantsLeases[device] = isGranted
        if isGranted { return found }
      }
      return try HeldFile.read(name, in: folder.folder, as: target.format, limits, knowing: known)
    } catch {
      var error = EditError(target.change.id, error)
      error = EditError(error.code, target.change.id, target.path, error.message, line: error.line, column: error.column)
      throw error
    }
  }
}
