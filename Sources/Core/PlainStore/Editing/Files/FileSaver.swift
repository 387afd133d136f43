import Files
import Glibc
import SystemPackage

/// Replaces, creates or deletes one file. A crash at any moment leaves the old file or the new one,
/// and a version that another program saves in between is detected and kept. The caller then writes
/// the folder to the disk.
///
/// Linux has no call that replaces a file only if it is still the one that was read. So the new and
/// the old file swap names, and the replaced file is compared with the one that was read. If it is
/// a different one, they swap names again.
///
/// A program that has the old file open can still write to it afterwards. A lease excludes that.
/// Without a lease, the replaced file stays under its temporary name and the caller checks it again
/// later: see `ReplacedFile`.
struct FileSaver {
  let folder: SaveFolder
  /// The path of the folder, for messages.
  var directory = RelativePath.root
  let name: RelativePath
  let abilities: Abilities

  /// The abilities of the file system. Tests switch some of them off.
  struct Abilities: Sendable {
    var exchanges = true
    var renamesKeeping = true
    var links = true
    /// Acquires a read lease on an open file. Returns 0 or the error.
    var acquireLease: @Sendable (CInt) -> CInt = { HeldFile.acquireLease($0) }
    /// The number of changes from which one save makes them in batches.
    var batchCount = 32
    /// Writes a complete file system to the disk. Returns 0 or the error.
    var syncFileSystem: @Sendable (SaveFolder) -> CInt = { $0.syncFileSystem() }
    /// Writes a folder to the disk. Returns 0 or the error.
    var syncFolder: @Sendable (SaveFolder) -> CInt = { $0.sync() }
    /// The time for which a replaced file is kept on disk, if programs that write to it cannot be
    /// detected.
    var grace = Duration.milliseconds(500)
    /// Called just before a file is replaced, created or deleted.
    var willWrite: @Sendable (RelativePath) -> Void = { _ in }
    /// Called when a slow change was worked out, before its folder is locked.
    var didPrepare: @Sendable (RelativePath) -> Void = { _ in }
  }

  enum Result {
    /// The file is saved, but its folder is not yet written to the disk. `replaced` is set if the
    /// replaced file must be checked again later.
    case done(warnings: [String], replaced: ReplacedFile?)
    /// Another program changed the file first. Read it again.
    case overtaken(warnings: [String])
  }

  /// Writes a new text under a temporary name, for `place`.
  ///
  /// - Parameters:
  ///   - held: The file as it was read, on which the text is based and whose attributes it gets;
  ///     nil for a new file.
  ///   - mode: The mode of a new file; nil for the default.
  ///   - syncs: True to write it to the disk; false if the caller does that for several files.
  func stage(
    _ bytes: [UInt8], replacing held: HeldFile?, mode: mode_t? = nil, syncs: Bool = true
  ) throws(SystemFailure) -> StagedText {
    let new = TemporaryName.new.make()
    if held != nil { try folder.checkWritable(name) }
    let rights: mode_t = held == nil && mode == nil ? 0o666 : 0o600
    let (stamp, warnings) = try write(bytes, as: new, mode: rights, syncs: syncs) {
      file throws(SystemFailure) in
      if let held { return try FileAttributes.copy(from: held.descriptor, to: file) }
      if let mode, fchmod(file, mode) != 0 { throw SystemFailure("Restoring its mode", errno) }
      return []
    }
    return StagedText(name: new, bytes: bytes, stamp: stamp, warnings: warnings)
  }

  /// Gives a staged text the name of the file that was read.
  func place(_ staged: StagedText, replacing held: HeldFile) throws(SystemFailure) -> Result {
    let (new, ours) = (staged.name, staged.stamp)
    let warnings = try updateAttributes(of: staged, from: held)
    abilities.willWrite(path(of: name))
    guard abilities.exchanges else { return try replaceWithoutExchange(held, new, ours, warnings) }
    // From here on the name shows that it may belong to a file that is not ours.
    let old = oldName(held, new: ours)
    try check(folder.renameReplacing(new, to: old), "Renaming a temporary file", dropping: new)
    let code = folder.exchange(old, name)
    switch code {
    case 0: break
    case ENOENT: return .overtaken(warnings: remove(old))
    case EINVAL, ENOSYS, ENOTSUP: return try replaceWithoutExchange(held, old, ours, warnings)
    default: try check(code, "Replacing it", dropping: old)
    }
    guard held.isUntouched(at: old, in: folder) else { return try undoExchange(old, from: ours) }
    return finish(held, at: old, placed: ours, warnings)
  }

  /// Copies the attributes of the file again if they changed after the text was staged. A batch
  /// takes seconds on a slow disk, and rights that were taken away in the meantime must not return.
  private func updateAttributes(of staged: StagedText, from held: HeldFile) throws(SystemFailure) -> [String]
  {
    if held.hasSameAttributes { return staged.warnings }
    guard let file = folder.openForReading(staged.name) else {
      throw SystemFailure("Keeping its attributes", errno)
    }
    defer { close(file) }
    do throws(SystemFailure) {
      let warnings = try FileAttributes.copy(from: held.descriptor, to: file)
      if retryOnInterrupt({ fsync(file) }) < 0 { throw SystemFailure("Writing it to the disk", errno) }
      return warnings
    } catch {
      throw error.adding(remove(staged.name))
    }
  }

  private func oldName(_ held: HeldFile, new: FileStamp?) -> RelativePath {
    TemporaryName.old(
      read: TemporaryName.ContentStamp(held.content.stamp), new: new.map(TemporaryName.ContentStamp.init),
      digest: TemporaryName.digest(held.content.bytes)
    ).make()
  }

  /// Deletes the replaced file, or keeps it if other programs may still write to it.
  private func finish(_ held: HeldFile, at old: RelativePath?, placed: FileStamp?, _ warnings: [String])
    -> Result
  {
    if held.hasLease { return .done(warnings: warnings + (old.map(remove) ?? []), replaced: nil) }
    held.mark()
    return .done(warnings: warnings, replaced: ReplacedFile(held: held, kept: old, placed: placed))
  }

  /// Gives a file that is not the one that was read its name back. If another program has put yet
  /// another file there in the meantime, that one stays: it would have replaced the file without us
  /// too.
  private func undoExchange(_ old: RelativePath, from ours: FileStamp) throws(SystemFailure) -> Result {
    var placed = ours
    for _ in 0..<FileSaver.maxExchanges {
      guard let next = folder.stamp(of: old) else { break }
      let code = folder.exchange(old, name)
      // Another program deleted it, which is the newest change.
      if code != 0, code != ENOENT { throw SystemFailure("Replacing it", code, consequence: kept(in: old)) }
      if code == ENOENT || folder.stamp(of: old).map({ placed.isUntouched($0) }) ?? false {
        return .overtaken(warnings: remove(old))
      }
      placed = next
    }
    throw SystemFailure("Replacing it", EBUSY, consequence: kept(in: old))
  }

  /// Another program may replace the file in a loop.
  private static let maxExchanges = 100

  /// Replaces a file on a file system without exchange. A second name keeps the old file reachable.
  private func replaceWithoutExchange(
    _ held: HeldFile, _ new: RelativePath, _ ours: FileStamp, _ warnings: [String]
  ) throws(SystemFailure) -> Result {
    let name = oldName(held, new: ours)
    let old = abilities.links && folder.link(self.name, to: name) == 0 ? name : nil
    guard held.isUntouched(at: self.name, in: folder) else {
      return .overtaken(warnings: remove(new) + (old.map(remove) ?? []))
    }
    let code = folder.renameReplacing(new, to: self.name)
    if code != 0, let old { _ = folder.unlink(old) }
    try check(code, "Replacing it", dropping: new)
    if let old, !held.isUntouched(at: old, in: folder) {
      try check(
        folder.renameReplacing(old, to: self.name), "Restoring the version that another program saved",
        dropping: nil)
      return .overtaken(warnings: [])
    }
    return finish(held, at: old, placed: ours, warnings)
  }

  /// Makes a staged text a new file. The result is `overtaken` if there is a file of this name, or
  /// if another program deleted the folder with the staged text.
  func place(_ staged: StagedText) throws(SystemFailure) -> Result {
    var warnings = staged.warnings
    abilities.willWrite(path(of: name))
    let code = rename(staged.name, toFreeName: &warnings)
    if code == EEXIST || code == ENOENT { return .overtaken(warnings: remove(staged.name)) }
    try check(code, "Renaming the new file", dropping: staged.name)
    return .done(warnings: warnings, replaced: nil)
  }

  func delete(_ held: HeldFile) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let old = oldName(held, new: nil)
    abilities.willWrite(path(of: name))
    let code = folder.renameReplacing(name, to: old)
    if code == ENOENT { return .overtaken(warnings: []) }
    try check(code, "Deleting it", dropping: nil)
    guard held.isUntouched(at: old, in: folder) else {
      var warnings: [String] = []
      let code = rename(old, toFreeName: &warnings)
      if code == 0 { return .overtaken(warnings: warnings) }
      throw SystemFailure("Deleting it", code == EEXIST ? EBUSY : code, consequence: kept(in: old))
    }
    return finish(held, at: old, placed: nil, [])
  }

  // MARK: Parts

  /// Gives a file the item's name if no file has it. Returns 0, EEXIST or another error.
  func rename(_ file: RelativePath, toFreeName warnings: inout [String]) -> CInt {
    let code = abilities.renamesKeeping ? folder.renameKeeping(file, to: name) : ENOSYS
    guard [EINVAL, ENOSYS, ENOTSUP].contains(code) else { return code }
    let linked = folder.link(file, to: name)
    if linked == 0 { warnings += remove(file) }
    return linked
  }

  /// Deletes a temporary file. Returns a warning if that fails.
  func remove(_ file: RelativePath) -> [String] {
    let code = folder.unlink(file)
    if code == 0 || code == ENOENT { return [] }
    return [
      "The temporary file \(path(of: file)) could not be deleted: \(Errno(rawValue: code).reason). Delete it."
    ]
  }

  /// Returns a sentence that names the file with the version of another program.
  func kept(in file: RelativePath) -> String {
    "Another program saved this file at the same time; its version is kept in \(path(of: file))."
  }

  func path(of file: RelativePath) -> RelativePath { directory.appending(name: file.bytes) }

  func write(
    _ bytes: [UInt8], as new: RelativePath, mode: mode_t, syncs: Bool = true,
    _ finish: (CInt) throws(SystemFailure) -> [String]
  ) throws(SystemFailure) -> (stamp: FileStamp, warnings: [String]) {
    let file = try folder.makeFile(new, mode: mode)
    do {
      try failing("Writing it") { () throws(Errno) in try file.write(all: bytes) }
      let warnings = try finish(file.raw)
      // Never retried after a failure: the system may have dropped the unwritten data, and the next
      // call would succeed.
      if syncs { try failing("Writing it to the disk") { () throws(Errno) in try file.sync() } }
      let stamp = try failing("Reading the attributes of a temporary file") { () throws(Errno) in
        try FileStatus(of: file.raw).stamp
      }
      return (stamp, warnings)
    } catch {
      throw error.adding(remove(new))
    }
  }

  private func failing<Answer>(_ action: String, _ body: () throws(Errno) -> Answer) throws(SystemFailure)
    -> Answer
  {
    do throws(Errno) { return try body() } catch { throw SystemFailure(action, error) }
  }

  private func check(_ code: CInt, _ action: String, dropping file: RelativePath?) throws(SystemFailure) {
    if code == 0 { return }
    throw SystemFailure(action, code).adding(file.map(remove) ?? [])
  }
}

/// A new text of a file under a temporary name. If the program ends before the text is placed, the
/// next save in the folder deletes it.
struct StagedText {
  let name: RelativePath
  let bytes: [UInt8]
  let stamp: FileStamp
  /// Sentences about attributes that could not be kept.
  let warnings: [String]
}
