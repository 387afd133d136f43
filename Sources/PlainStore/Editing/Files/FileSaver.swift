import DirectoryWatch
import Glibc
import LinuxFiles
import SystemPackage

/// Replaces, creates or deletes one file. A crash at any moment leaves the old file or the new one,
/// and a version that another program saves in between is detected and kept.
///
/// Linux has no call that replaces a file only if it is still the one that was read. So the new and
/// the old file exchange their names, and the file that came out is compared with the one that was
/// read. If it is another one, they exchange their names again.
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
  /// Called just before the file is replaced, created or deleted.
  var recordWrite: WriteRecorder?

  /// The abilities of the file system. Tests switch some of them off.
  struct Abilities: Sendable {
    var exchanges = true
    var renamesKeeping = true
    var links = true
    /// Acquires a read lease on an open file. Returns 0 or the error.
    var acquireLease: @Sendable (CInt) -> CInt = { HeldFile.acquireLease($0) }
    /// The time for which a replaced file is kept on disk, if programs that write to it cannot be
    /// detected.
    var grace = Duration.milliseconds(500)
  }

  enum Result {
    /// The file is saved. `replaced` is set if the replaced file must be checked again later.
    case done(warnings: [String], replaced: ReplacedFile?)
    /// Another program changed the file first. Read it again.
    case overtaken(warnings: [String])
  }

  /// Replaces a file.
  ///
  /// - Parameters:
  ///   - held: The file as it was read, on which the new text is based.
  ///   - bytes: The new text.
  func replace(_ held: HeldFile, with bytes: [UInt8]) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let new = TemporaryName.new.make()
    let (ours, warnings) = try write(bytes, as: new, mode: 0o600) { file throws(SystemFailure) in
      try FileAttributes.copy(from: held.descriptor, to: file)
    }
    record(bytes, replacing: held)
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
    return try finish(held, at: old, placed: ours, warnings)
  }

  private func oldName(_ held: HeldFile, new: FileStamp?) -> RelativePath {
    TemporaryName.old(
      read: TemporaryName.ContentStamp(held.content.stamp), new: new.map(TemporaryName.ContentStamp.init),
      digest: TemporaryName.digest(held.content.bytes)
    ).make()
  }

  /// Deletes the replaced file, or keeps it if other programs may still write to it.
  private func finish(
    _ held: HeldFile, at old: RelativePath?, placed: FileStamp?, _ warnings: [String]
  ) throws(SystemFailure) -> Result {
    if held.hasLease {
      let all = warnings + (old.map(remove) ?? [])
      try syncFolder(all)
      return .done(warnings: all, replaced: nil)
    }
    held.mark()
    try syncFolder(warnings + (old.map { ["The replaced text is kept in \(path(of: $0))."] } ?? []))
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

  private static let maxExchanges = 100

  /// Replaces a file on a file system without exchange. A second name keeps the old file reachable.
  private func replaceWithoutExchange(
    _ held: HeldFile, _ new: RelativePath, _ ours: FileStamp, _ warnings: [String]
  ) throws(SystemFailure) -> Result {
    let name = oldName(held, new: ours)
    let old = abilities.links && folder.link(self.name, to: name) == 0 ? name : nil
    guard held.isUntouched(at: self.name, in: folder) else { return .overtaken(warnings: remove(new) + (old.map(remove) ?? [])) }
    let code = folder.renameReplacing(new, to: self.name)
    if code != 0, let old { _ = folder.unlink(old) }
    try check(code, "Replacing it", dropping: new)
    if let old, !held.isUntouched(at: old, in: folder) {
      try check(folder.renameReplacing(old, to: self.name), "Restoring the version that another program saved", dropping: nil)
      return .overtaken(warnings: [])
    }
    return try finish(held, at: old, placed: ours, warnings)
  }

  /// Makes a new file. The result is `overtaken` if there is a file of this name.
  ///
  /// - Parameter mode: The mode of the file; nil for the default.
  func create(_ bytes: [UInt8], mode: mode_t? = nil) throws(SystemFailure) -> Result {
    let new = TemporaryName.new.make()
    _ = try write(bytes, as: new, mode: mode == nil ? 0o666 : 0o600) { file throws(SystemFailure) in
      if let mode, fchmod(file, mode) != 0 { throw SystemFailure("Restoring its mode", errno) }
      return []
    }
    var warnings: [String] = []
    record(bytes, replacing: nil)
    let code = rename(new, toFreeName: &warnings)
    if code == EEXIST { return .overtaken(warnings: remove(new)) }
    try check(code, "Renaming the new file", dropping: new)
    try syncFolder(warnings)
    return .done(warnings: warnings, replaced: nil)
  }

  /// Deletes a file.
  ///
  /// - Parameter held: The file as it was read.
  func delete(_ held: HeldFile) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let old = oldName(held, new: nil)
    record(nil, replacing: held)
    let code = folder.renameReplacing(name, to: old)
    if code == ENOENT { return .overtaken(warnings: []) }
    try check(code, "Deleting it", dropping: nil)
    guard held.isUntouched(at: old, in: folder) else {
      var warnings: [String] = []
      let code = rename(old, toFreeName: &warnings)
      if code == 0 { return .overtaken(warnings: warnings) }
      throw SystemFailure("Deleting it", code == EEXIST ? EBUSY : code, consequence: kept(in: old))
    }
    return try finish(held, at: old, placed: nil, [])
  }

  // MARK: Parts

  private func record(_ content: [UInt8]?, replacing held: HeldFile?) { recordWrite?(path(of: name), content, held?.content.version) }

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
    return ["The temporary file \(path(of: file)) could not be deleted: \(Errno(rawValue: code).reason). Delete it."]
  }

  /// Returns a sentence that names the file with the version of another program.
  func kept(in file: RelativePath) -> String {
    "Another program saved this file at the same time; its version is kept in \(path(of: file))."
  }

  func path(of file: RelativePath) -> RelativePath { directory.appending(name: file.bytes) }

  func write(
    _ bytes: [UInt8], as new: RelativePath, mode: mode_t, _ finish: (CInt) throws(SystemFailure) -> [String]
  ) throws(SystemFailure) -> (stamp: FileStamp, warnings: [String]) {
    let file = try folder.makeFile(new, mode: mode)
    do {
      try file.write(bytes)
      let warnings = try finish(file.descriptor)
      try file.sync()
      return (try file.stamp(), warnings)
    } catch {
      throw error.adding(remove(new))
    }
  }

  private func check(_ code: CInt, _ action: String, dropping file: RelativePath?) throws(SystemFailure) {
    if code == 0 { return }
    throw SystemFailure(action, code).adding(file.map(remove) ?? [])
  }

  /// Until then a power cut may bring the old file back.
  private func syncFolder(_ warnings: [String]) throws(SystemFailure) {
    let code = folder.sync()
    if code == 0 { return }
    throw SystemFailure(
      "Writing the folder to the disk", code, consequence: "The change was made, but may be lost in a power cut."
    ).adding(warnings)
  }
}
