import CLinux
import Glibc
import SystemPackage

/// Replaces, creates or deletes one file. A crash at any moment leaves the old file or the new one,
/// and a version that another program saves in between is detected and kept. The caller then writes
/// the folder to the disk.
///
/// Linux has no call that replaces a file only if it is still the one that was read. So the new and the old
/// file swap names, and swap them again if the replaced file is not the one that was read. If no lease shows
/// that no program can still write to it, it stays for a later check: see `ReplacedFile`.
struct FileSaver {
  let folder: SaveFolder
  var directory = RelativePath.root
  let name: RelativePath
  let abilities: Abilities

  /// The abilities of the file system. Tests switch some of them off.
  struct Abilities {
    var exchanges = true
    var renamesKeeping = true
    var links = true
    var acquireLease: @Sendable (CInt) -> CInt = { HeldFile.acquireLease($0) }
    var batchCount = 32
    /// Returns 0 or the error, and so does `syncFolder`.
    var syncFileSystem: @Sendable (SaveFolder) -> CInt = { $0.syncFileSystem() }
    var syncFolder: @Sendable (SaveFolder) -> CInt = { $0.sync() }
    /// The time for which a replaced file is kept if programs that write to it cannot be detected.
    var grace = Duration.milliseconds(500)
    var willWrite: @Sendable (RelativePath) -> Void = { _ in }
    /// Called when a slow change was worked out, before its folder is locked.
    var didPrepare: @Sendable (RelativePath) -> Void = { _ in }
  }

  enum Result {
    /// The file is saved, but its folder is not yet on the disk. `replaced` must be checked again later.
    case done(warnings: [String], replaced: ReplacedFile?)
    /// Another program changed the file first. Read it again.
    case overtaken(warnings: [String])
  }

  /// A new text of a file under a temporary name, until it is placed.
  struct Staged {
    let name: RelativePath
    let stamp: FileStamp
    let warnings: [String]
  }

  /// Writes a new text under a temporary name, for `place`. It gets the attributes of `held`; a new file
  /// has none and gets `mode`. With `syncs` false the caller syncs several files together.
  func stage(
    _ bytes: [UInt8], replacing held: HeldFile?, mode: mode_t? = nil, syncs: Bool = true
  ) throws(Problem) -> Staged {
    let new = TemporaryName.new.make()
    if held != nil { try folder.checkWritable(name) }
    let rights: mode_t = held == nil && mode == nil ? 0o666 : 0o600
    let (stamp, warnings) = try write(bytes, as: new, mode: rights, syncs: syncs) {
      file throws(Problem) in
      if let held { return try FileSaver.copyAttributes(from: held.descriptor, to: file) }
      if let mode, fchmod(file, mode) != 0 { throw Problem("Restoring its mode", errno) }
      return []
    }
    return Staged(name: new, stamp: stamp, warnings: warnings)
  }

  func place(_ staged: Staged, replacing held: HeldFile) throws(Problem) -> Result {
    let new = staged.name
    let ours = staged.stamp
    let warnings = try updateAttributes(of: staged, from: held)
    abilities.willWrite(path(of: name))
    guard abilities.exchanges else { return try replaceWithoutExchange(held, new, ours, warnings) }
    // From here on the name shows that it may belong to a file that is not ours.
    let old = TemporaryName.old(held.content, new: ours)
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
  private func updateAttributes(of staged: Staged, from held: HeldFile) throws(Problem) -> [String] {
    if held.hasSameAttributes { return staged.warnings }
    guard let file = folder.openForReading(staged.name) else {
      throw Problem("Keeping its attributes", errno)
    }
    defer { close(file) }
    do throws(Problem) {
      let warnings = try FileSaver.copyAttributes(from: held.descriptor, to: file)
      if retryOnInterrupt({ fsync(file) }) < 0 { throw Problem("Writing it to the disk", errno) }
      return warnings
    } catch {
      throw error.adding(remove(staged.name))
    }
  }

  /// Deletes the replaced file, or keeps it if other programs may still write to it.
  private func finish(_ held: HeldFile, at old: RelativePath?, placed: FileStamp?, _ warnings: [String])
    -> Result
  {
    if held.hasLease { return .done(warnings: warnings + (old.map(remove) ?? []), replaced: nil) }
    held.mark()
    return .done(warnings: warnings, replaced: ReplacedFile(held: held, kept: old, placed: placed))
  }

  /// Gives a file that is not the one that was read its name back. Yet another file that another
  /// program has put there meanwhile stays: it would have replaced the file without us too.
  private func undoExchange(_ old: RelativePath, from ours: FileStamp) throws(Problem) -> Result {
    var placed = ours
    for _ in 0..<FileSaver.maxExchanges {
      guard let next = folder.stamp(of: old) else { break }
      let code = folder.exchange(old, name)
      // Another program deleted it, which is the newest change.
      if code != 0, code != ENOENT { throw Problem("Replacing it", code, consequence: kept(in: old)) }
      if code == ENOENT || folder.stamp(of: old).map({ placed.isUntouched($0) }) ?? false {
        return .overtaken(warnings: remove(old))
      }
      placed = next
    }
    throw Problem("Replacing it", EBUSY, consequence: kept(in: old))
  }

  /// Another program may replace the file in a loop.
  private static let maxExchanges = 100

  /// A second name keeps the old file reachable.
  private func replaceWithoutExchange(
    _ held: HeldFile, _ new: RelativePath, _ ours: FileStamp, _ warnings: [String]
  ) throws(Problem) -> Result {
    let name = TemporaryName.old(held.content, new: ours)
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

  /// Makes a staged text a new file; `overtaken` if there is one, or if the text is gone with its folder.
  func place(_ staged: Staged) throws(Problem) -> Result {
    var warnings = staged.warnings
    abilities.willWrite(path(of: name))
    let code = rename(staged.name, toFreeName: &warnings)
    if code == EEXIST || code == ENOENT { return .overtaken(warnings: remove(staged.name)) }
    try check(code, "Renaming the new file", dropping: staged.name)
    return .done(warnings: warnings, replaced: nil)
  }

  func delete(_ held: HeldFile) throws(Problem) -> Result {
    try folder.checkWritable(name)
    let old = TemporaryName.old(held.content, new: nil)
    abilities.willWrite(path(of: name))
    let code = folder.renameReplacing(name, to: old)
    if code == ENOENT { return .overtaken(warnings: []) }
    try check(code, "Deleting it", dropping: nil)
    guard held.isUntouched(at: old, in: folder) else {
      var warnings: [String] = []
      let code = rename(old, toFreeName: &warnings)
      if code == 0 { return .overtaken(warnings: warnings) }
      throw Problem("Deleting it", code == EEXIST ? EBUSY : code, consequence: kept(in: old))
    }
    return finish(held, at: old, placed: nil, [])
  }

  func rename(_ file: RelativePath, toFreeName warnings: inout [String]) -> CInt {
    let code = abilities.renamesKeeping ? folder.renameKeeping(file, to: name) : ENOSYS
    guard [EINVAL, ENOSYS, ENOTSUP].contains(code) else { return code }
    let linked = folder.link(file, to: name)
    if linked == 0 { warnings += remove(file) }
    return linked
  }

  func remove(_ file: RelativePath) -> [String] {
    let code = folder.unlink(file)
    if code == 0 || code == ENOENT { return [] }
    return [
      "The temporary file \(path(of: file)) could not be deleted: \(Errno(rawValue: code).reason). Delete it."
    ]
  }

  func kept(in file: RelativePath) -> String {
    "Another program saved this file at the same time; its version is kept in \(path(of: file))."
  }

  func path(of file: RelativePath) -> RelativePath { directory.appending(name: file.bytes) }

  func write(
    _ bytes: [UInt8], as new: RelativePath, mode: mode_t, syncs: Bool = true,
    _ finish: (CInt) throws(Problem) -> [String]
  ) throws(Problem) -> (stamp: FileStamp, warnings: [String]) {
    let file = try folder.makeFile(new, mode: mode)
    do throws(Problem) {
      try Problem.of("Writing it") { () throws(Errno) in try file.write(all: bytes) }
      let warnings = try finish(file.raw)
      // Never retried after a failure: see `SaveFolder.syncFileSystem`.
      if syncs { try Problem.of("Writing it to the disk") { () throws(Errno) in try file.sync() } }
      let stamp = try Problem.of("Reading the attributes of a temporary file") { () throws(Errno) in
        try FileStatus(of: file.raw).stamp
      }
      return (stamp, warnings)
    } catch {
      throw error.adding(remove(new))
    }
  }

  private func check(_ code: CInt, _ action: String, dropping file: RelativePath?) throws(Problem) {
    if code == 0 { return }
    throw Problem(action, code).adding(file.map(remove) ?? [])
  }
}

/// The owner, the mode and the extended attributes of a file, which include its access control lists.
extension FileSaver {
  /// Copies the attributes between open files; nobody gets more rights. Returns what could not be kept.
  static func copyAttributes(from old: CInt, to new: CInt) throws(Problem) -> [String] {
    var was = stat()
    var now = stat()
    guard fstat(old, &was) == 0, fstat(new, &now) == 0 else {
      throw Problem("Reading its attributes", errno)
    }
    var warnings: [String] = []
    var mode = copyOwner(was, now, to: new, &warnings)
    if was.st_nlink > 1 {
      warnings.append("The file has other names (hard links). They keep the old text.")
    }
    guard fstat(new, &now) == 0 else { throw Problem("Reading its attributes", errno) }
    // Copied before the mode: with an access list, the group bits of the mode are only the mask of
    // the list, which is kept.
    if try copyAccessList(from: old, to: new, keepsGroup: now.st_gid == was.st_gid) {
      mode = mode & ~0o070 | was.st_mode & 0o070
    }
    // Some file systems give all files one mode, which cannot be set.
    guard fstat(new, &now) == 0, now.st_mode & 0o7777 == mode || fchmod(new, mode) == 0 else {
      throw Problem("Keeping its mode", errno)
    }
    copyExtended(from: old, to: new, &warnings)
    return warnings
  }

  /// Copies owner and group. Returns the mode that is safe with those that could be kept.
  private static func copyOwner(_ was: stat, _ now: stat, to new: CInt, _ warnings: inout [String]) -> mode_t
  {
    let mode = was.st_mode & 0o7777
    if was.st_uid == now.st_uid && was.st_gid == now.st_gid || fchown(new, was.st_uid, was.st_gid) == 0 {
      return mode
    }
    let hasGroup = was.st_gid == now.st_gid || fchown(new, uid_t.max, was.st_gid) == 0
    if was.st_uid != now.st_uid { warnings.append("Its owner could not be kept. You own the file now.") }
    if hasGroup { return mode & 0o777 }
    warnings.append("Its group could not be kept. The new group has the rights of everybody.")
    return mode & 0o707 | (mode & 0o007) << 3
  }

  /// Returns true if the old file has a list. Throws if it cannot be kept: others could read the file.
  private static func copyAccessList(from old: CInt, to new: CInt, keepsGroup: Bool) throws(Problem) -> Bool {
    let name = accessList
    guard let names = names(of: old), let newNames = self.names(of: new) else {
      throw Problem("Reading its attributes", errno)
    }
    guard names.contains(name) else {
      // New files may get a list from their folder.
      if newNames.contains(name), clinux_remove_attribute(new, name) < 0, ![ENODATA, ENOTSUP].contains(errno)
      {
        throw Problem("Keeping its access list (\(name))", errno)
      }
      return false
    }
    guard var value = value(of: name, of: old) else {
      if errno == ENODATA { return true }
      throw Problem("Reading its access list (\(name))", errno)
    }
    if !keepsGroup { value = withGroupAsOthers(value) }
    if value != self.value(of: name, of: new),
      value.withUnsafeBytes({ clinux_set_attribute(new, name, $0.baseAddress, $0.count) }) < 0
    {
      throw Problem("Keeping its access list (\(name))", errno)
    }
    return true
  }

  private static func copyExtended(from old: CInt, to new: CInt, _ warnings: inout [String]) {
    let wanted = (names(of: old) ?? []).filter { $0 != accessList }
    for name in names(of: new) ?? [] where !wanted.contains(name) && name != accessList {
      _ = clinux_remove_attribute(new, name)
    }
    for name in wanted {
      guard let value = value(of: name, of: old), value != self.value(of: name, of: new) else { continue }
      if value.withUnsafeBytes({ clinux_set_attribute(new, name, $0.baseAddress, $0.count) }) < 0,
        !name.hasPrefix("security.")
      {
        warnings.append("Its attribute \(name) could not be kept.")
      }
    }
  }

  private static let accessList = "system.posix_acl_access"
  /// The limit of the kernel for the names together, and for a value.
  private static let maxAttributeBytes = 65_536

  /// Returns an access list in which the owning group has the rights of everybody, for a file whose
  /// group could not be kept. Format (`linux/posix_acl_xattr.h`): 4 bytes version, then per entry 2
  /// bytes tag, 2 bytes rights, 4 bytes id.
  static func withGroupAsOthers(_ list: [UInt8]) -> [UInt8] {
    let entries = stride(from: 4, through: list.count - 8, by: 8)
    func entry(_ tag: UInt8) -> Int? { entries.first { list[$0] == tag && list[$0 + 1] == 0 } }
    guard let group = entry(0x04), let others = entry(0x20) else { return list }
    var list = list
    list[group + 2] = list[others + 2]
    list[group + 3] = list[others + 3]
    return list
  }

  private static func names(of file: CInt) -> [String]? {
    // Most files have none and need no buffer.
    let size = clinux_list_attributes(file, nil, 0)
    if size < 0, ![ENOTSUP, ENOSYS, EPERM].contains(errno) { return nil }
    if size <= 0 { return [] }
    let list = [CChar](unsafeUninitializedCapacity: maxAttributeBytes) { buffer, count in
      count = max(0, clinux_list_attributes(file, buffer.baseAddress, buffer.count))
    }
    return list.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }

  private static func value(of name: String, of file: CInt) -> [UInt8]? {
    var length = -1
    let value = [UInt8](unsafeUninitializedCapacity: maxAttributeBytes) { buffer, count in
      length = clinux_get_attribute(file, name, buffer.baseAddress, buffer.count)
      count = max(0, length)
    }
    return length < 0 ? nil : value
  }
}
