import CLinux
import Files
import Glibc
import Query
import Values

/// The move of a file to another name, which may be in another folder. It never replaces a file.
struct FileMove {
  let from: SaveFolder
  let name: RelativePath
  let to: SaveFolder
  let newName: RelativePath
  let abilities: FileSaver.Abilities

  /// Locks both folders. Two moves in opposite directions must not wait for each other, so the
  /// folders are locked in the order of their devices and inode numbers.
  func lock(patience: Duration) throws(SystemFailure) -> SaveFolder.LockResult {
    let (first, second) = (from.identity, to.identity)
    if from === to || first == second { return try from.lock(patience: patience) }
    let isOrdered = (first.device, first.inode) < (second.device, second.inode)
    let one = try (isOrdered ? from : to).lock(patience: patience)
    if one == .busy { return .busy }
    let two = try (isOrdered ? to : from).lock(patience: patience)
    if two == .busy { return .busy }
    return one == .held && two == .held ? .held : .none
  }

  /// Moves the file. Returns 0, EEXIST or another error.
  func run() -> CInt { from.move(name, to: newName, in: to, abilities) }

  /// True if there is no file to move.
  var sourceIsMissing: Bool { from.stamp(of: name) == nil }

  /// Moves the file back. Returns 0, EEXIST or another error.
  func moveBack() -> CInt { to.move(newName, to: name, in: from, abilities) }

  /// Writes both folders to the disk, the new one first. Returns 0 or the error.
  func sync() -> CInt {
    let code = to.sync()
    return code == 0 && from !== to ? from.sync() : code
  }
}

extension SaveFolder {
  /// Moves a file to another folder unless the new name exists. Returns 0, EEXIST or another error.
  fileprivate func move(
    _ name: RelativePath, to newName: RelativePath, in other: SaveFolder, _ abilities: FileSaver.Abilities
  ) -> CInt {
    let code = abilities.renamesKeeping ? renameKeeping(name, to: newName, in: other) : ENOSYS
    guard [EINVAL, ENOSYS, ENOTSUP].contains(code), abilities.links else { return code }
    let linked = link(name, to: newName, in: other)
    if linked != 0 { return linked }
    // If another program has replaced the file in the meantime, its version stays.
    guard let old = stamp(of: name), let new = other.stamp(of: newName), old.identity == new.identity else {
      _ = other.unlink(newName)
      return EBUSY
    }
    return unlink(name)
  }
}
