import DirectoryWatch
import Glibc

/// Puts a text in the place of a file, makes a new file, or takes one away: each so that a crash at any moment leaves the old or the new, and that
/// what somebody else saves in between is found and stays.
///
/// No call of Linux replaces a file only if it still is the one that was read. So the two exchange their names, and what came out is looked at: if it
/// is another, they exchange them once more.
struct FileSaver {
  let folder: SaveFolder
  let name: RelativePath
  let abilities: Abilities

  /// What the file system can do; less in tests of what is done where it cannot.
  struct Abilities: Sendable {
    var exchanges = true
    var renamesKeeping = true
    var leases = true
  }

  enum Result {
    case done(warnings: [String])
    /// Somebody was faster: look again.
    case overtaken
  }

  /// - Parameter held: the file as it was read, which the text was made from.
  func replace(_ held: HeldFile, with bytes: [UInt8]) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let new = TemporaryName.new.make()
    let (ours, warnings) = try write(bytes, as: new, mode: 0o600) { file throws(SystemFailure) in
      try FileAttributes.copy(from: held.descriptor, to: file)
    }
    guard abilities.exchanges else { return try replaceWithoutExchange(held, new, warnings) }
    // From here on the name says that another file than ours may be behind it.
    let old = TemporaryName.old(read: TemporaryName.Identity(held.content.stamp), new: TemporaryName.Identity(ours)).make()
    try check(folder.renameReplacing(new, to: old), "Renaming a temporary file", dropping: new)
    let code = folder.exchange(old, name)
    switch code {
    case 0: break
    case ENOENT:
      folder.unlink(old)
      return .overtaken
    case EINVAL, ENOSYS, ENOTSUP: return try replaceWithoutExchange(held, old, warnings)
    default: try check(code, "Replacing it", dropping: old)
    }
    guard held.isUntouched(at: old, in: folder) else { return try takeBack(old, from: ours) }
    folder.unlink(old)
    try syncFolder()
    return .done(warnings: warnings)
  }

  /// What came out of the exchange is not what was read: it gets its name back. Unless somebody has put yet another file there meanwhile: that came after it, and
  /// would have replaced it without us too.
  private func takeBack(_ old: RelativePath, from ours: FileStamp) throws(SystemFailure) -> Result {
    var placed = ours
    for _ in 0..<FileSaver.mostExchanges {
      guard let next = folder.stamp(of: old) else { break }
      let code = folder.exchange(old, name)
      // Somebody deleted it: that is the last word.
      if code != 0, code != ENOENT {
        throw SystemFailure("Replacing it", code, consequence: "What somebody wrote meanwhile is kept in \(old).")
      }
      if code == ENOENT || folder.stamp(of: old).map({ placed.isUntouched($0) }) ?? false {
        folder.unlink(old)
        return .overtaken
      }
      placed = next
    }
    throw SystemFailure("Replacing it", EBUSY, consequence: "What one of those wrote who saved it meanwhile is kept in \(old).")
  }

  private static let mostExchanges = 100

  private func replaceWithoutExchange(_ held: HeldFile, _ new: RelativePath, _ warnings: [String]) throws(SystemFailure) -> Result {
    guard held.isUntouched(at: name, in: folder) else {
      folder.unlink(new)
      return .overtaken
    }
    try check(folder.renameReplacing(new, to: name), "Replacing it", dropping: new)
    try syncFolder()
    return .done(warnings: warnings)
  }

  /// - Returns: nil where there is a file of this name.
  func create(_ bytes: [UInt8]) throws(SystemFailure) -> Result? {
    let new = TemporaryName.new.make()
    _ = try write(bytes, as: new, mode: 0o666) { _ in [] }
    var code = abilities.renamesKeeping ? folder.renameKeeping(new, to: name) : ENOSYS
    if [EINVAL, ENOSYS, ENOTSUP].contains(code) {
      code = folder.link(new, to: name)
      if code == 0 { folder.unlink(new) }
    }
    if code == EEXIST {
      folder.unlink(new)
      return nil
    }
    try check(code, "Giving it its name", dropping: new)
    try syncFolder()
    return .done(warnings: [])
  }

  func delete(_ held: HeldFile) throws(SystemFailure) -> Result {
    try folder.checkWritable(name)
    let old = TemporaryName.old(read: TemporaryName.Identity(held.content.stamp), new: nil).make()
    let code = folder.renameReplacing(name, to: old)
    if code == ENOENT { return .overtaken }
    try check(code, "Deleting it", dropping: nil)
    guard held.isUntouched(at: old, in: folder) else { return try putBack(old) }
    folder.unlink(old)
    try syncFolder()
    return .done(warnings: [])
  }

  private func putBack(_ old: RelativePath) throws(SystemFailure) -> Result {
    var code = abilities.renamesKeeping ? folder.renameKeeping(old, to: name) : ENOSYS
    if [EINVAL, ENOSYS, ENOTSUP].contains(code) {
      code = folder.link(old, to: name)
      if code == 0 { folder.unlink(old) }
    }
    if code == 0 { return .overtaken }
    throw SystemFailure(
      "Deleting it", code == EEXIST ? EBUSY : code, consequence: "What one of those wrote who saved it meanwhile is kept in \(old).")
  }

  private func write(
    _ bytes: [UInt8], as new: RelativePath, mode: mode_t, _ finish: (CInt) throws(SystemFailure) -> [String]
  ) throws(SystemFailure) -> (stamp: FileStamp, warnings: [String]) {
    let file = try folder.makeFile(new, mode: mode)
    do {
      try file.write(bytes)
      let warnings = try finish(file.descriptor)
      try file.sync()
      return (try file.stamp(), warnings)
    } catch {
      folder.unlink(new)
      throw error
    }
  }

  private func check(_ code: CInt, _ action: String, dropping file: RelativePath?) throws(SystemFailure) {
    if code == 0 { return }
    if let file { folder.unlink(file) }
    throw SystemFailure(action, code)
  }

  /// Until then a power cut may bring the old file back.
  private func syncFolder() throws(SystemFailure) {
    let code = folder.sync()
    if code != 0 {
      throw SystemFailure("Bringing the folder to the disk", code, consequence: "The change was made, but may not outlast a power cut.")
    }
  }
}
