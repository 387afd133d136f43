import DirectoryWatch
import Glibc

/// Puts a text in the place of a file, makes a new file, or takes one away: each so that a crash at any moment leaves the old or the new, and that
/// what somebody else saves in between is found and stays.
///
/// No call of Linux replaces a file only if it still is the one that was read. So the two exchange their names, and what came out is looked at: if it
/// is another, they exchange them once more.
///
/// A program that has the file open can still write to it after that. A lease rules that out. Without one, the replaced file stays under its temporary
/// name, and the caller checks it again later: see `ReplacedFile`.
struct FileSaver {
  let folder: SaveFolder
  /// The path of the folder, for messages.
  var directory = RelativePath.root
  let name: RelativePath
  let abilities: Abilities

  /// What the file system can do; less in tests of what is done where it cannot.
  struct Abilities: Sendable {
    var exchanges = true
    var renamesKeeping = true
    var links = true
    /// Takes a read lease on an open file. Returns 0, or the error.
    var acquireLease: @Sendable (CInt) -> CInt = { HeldFile.acquireLease($0) }
    /// How long a replaced file is kept after it reached the disk, if programs that write to it cannot be seen.
    var grace = Duration.milliseconds(500)
  }

  enum Result {
    /// `replaced` is set if the replaced file has to be checked again later.
    case done(warnings: [String], replaced: ReplacedFile?)
    /// Somebody was faster: look again.
    case overtaken(warnings: [String])
  }

  /// - Parameter held: the file as it was read, which the text was made from.
  func replace(_ held: HeldFile, with bytes: [UInt8]) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let new = TemporaryName.new.make()
    let (ours, warnings) = try write(bytes, as: new, mode: 0o600) { file throws(SystemFailure) in
      try FileAttributes.copy(from: held.descriptor, to: file)
    }
    guard abilities.exchanges else { return try replaceWithoutExchange(held, new, ours, warnings) }
    // From here on the name says that another file than ours may be behind it.
    let old = oldName(held, new: ours)
    try check(folder.renameReplacing(new, to: old), "Renaming a temporary file", dropping: new)
    let code = folder.exchange(old, name)
    switch code {
    case 0: break
    case ENOENT: return .overtaken(warnings: remove(old))
    case EINVAL, ENOSYS, ENOTSUP: return try replaceWithoutExchange(held, old, ours, warnings)
    default: try check(code, "Replacing it", dropping: old)
    }
    guard held.isUntouched(at: old, in: folder) else { return try takeBack(old, from: ours) }
    return try finish(held, at: old, placed: ours, warnings)
  }

  private func oldName(_ held: HeldFile, new: FileStamp?) -> RelativePath {
    TemporaryName.old(
      read: TemporaryName.Identity(held.content.stamp), new: new.map(TemporaryName.Identity.init),
      digest: TemporaryName.digest(held.content.bytes)
    ).make()
  }

  /// Deletes the replaced file, or keeps it where others may still write to it.
  private func finish(
    _ held: HeldFile, at old: RelativePath?, placed: FileStamp?, _ warnings: [String]
  ) throws(SystemFailure) -> Result {
    if held.hasLease {
      let all = warnings + (old.map(remove) ?? [])
      try syncFolder(all)
      return .done(warnings: all, replaced: nil)
    }
    held.mark()
    try syncFolder(warnings + (old.map { ["The text that it replaced is kept in \(path(of: $0))."] } ?? []))
    return .done(warnings: warnings, replaced: ReplacedFile(held: held, kept: old, placed: placed))
  }

  /// What came out of the exchange is not what was read: it gets its name back. Unless somebody has put yet another file there meanwhile: that came after it, and
  /// would have replaced it without us too.
  private func takeBack(_ old: RelativePath, from ours: FileStamp) throws(SystemFailure) -> Result {
    var placed = ours
    for _ in 0..<FileSaver.mostExchanges {
      guard let next = folder.stamp(of: old) else { break }
      let code = folder.exchange(old, name)
      // Somebody deleted it: that is the last word.
      if code != 0, code != ENOENT { throw SystemFailure("Replacing it", code, consequence: kept(in: old)) }
      if code == ENOENT || folder.stamp(of: old).map({ placed.isUntouched($0) }) ?? false {
        return .overtaken(warnings: remove(old))
      }
      placed = next
    }
    throw SystemFailure("Replacing it", EBUSY, consequence: kept(in: old))
  }

  private static let mostExchanges = 100

  /// A second name keeps the old file reachable when the new one takes its name.
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
      try check(folder.renameReplacing(old, to: self.name), "Putting back what another program saved", dropping: nil)
      return .overtaken(warnings: [])
    }
    return try finish(held, at: old, placed: ours, warnings)
  }

  /// Makes a new file. The result is `overtaken` if there is a file of this name.
  func create(_ bytes: [UInt8]) throws(SystemFailure) -> Result {
    let new = TemporaryName.new.make()
    _ = try write(bytes, as: new, mode: 0o666) { _ in [] }
    var warnings: [String] = []
    let code = rename(new, toFreeName: &warnings)
    if code == EEXIST { return .overtaken(warnings: remove(new)) }
    try check(code, "Giving it its name", dropping: new)
    try syncFolder(warnings)
    return .done(warnings: warnings, replaced: nil)
  }

  func delete(_ held: HeldFile) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let old = oldName(held, new: nil)
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

  /// Gives a file the item's name if that is free. Returns 0, EEXIST, or another error.
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
    return ["The temporary file \(path(of: file)) could not be deleted: \(SystemFailure.reason(code)). Delete it."]
  }

  /// A sentence that says where the text of another program is.
  func kept(in file: RelativePath) -> String { "What another program saved at the same time is kept in \(path(of: file))." }

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
      "Bringing the folder to the disk", code, consequence: "The change was made, but may not outlast a power cut."
    ).adding(warnings)
  }
}
