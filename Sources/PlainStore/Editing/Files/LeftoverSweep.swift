import DirectoryWatch
import Glibc

/// What killed writers left in a folder goes, where it is sure that nobody misses it. Only while the folder is locked: then no writer of ours is at work in it.
///
/// - A text that never had an item's name is nobody's.
/// - What an exchange or a delete brought out is removed where it is the file that had been read: what it was replaced by, or its removal, was meant.
/// - So it is where the file that had been read is still in the folder under its own name: then the exchange never came, and this is our text.
/// - Anything else may be what an editor saved in that moment. It stays for a person to look at.
enum LeftoverSweep {
  static func sweep(_ folder: SaveFolder) {
    let names = folder.names()
    let leftovers = names.compactMap { name in TemporaryName(name.description[...]).map { (path: name, name: $0) } }
    if leftovers.isEmpty { return }
    for leftover in leftovers where isNobodys(leftover.path, leftover.name, in: folder, among: names) { folder.unlink(leftover.path) }
  }

  private static func isNobodys(_ path: RelativePath, _ name: TemporaryName, in folder: SaveFolder, among names: [RelativePath]) -> Bool {
    switch name {
    case .new: true
    case .old(let read):
      folder.stamp(of: path).map(TemporaryName.Identity.init) == read
        || names.contains { other in
          TemporaryName(other.description[...]) == nil && folder.stamp(of: other).map(TemporaryName.Identity.init) == read
        }
    }
  }
}

extension SaveFolder {
  /// Of everything in it; what cannot be listed is not swept.
  fileprivate func names() -> [RelativePath] {
    let copy = retrying { openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [RelativePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in Array(raw.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(RelativePath(bytes: name)) }
    }
    return names
  }
}
