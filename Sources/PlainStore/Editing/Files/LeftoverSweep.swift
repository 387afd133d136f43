import DirectoryWatch
import Glibc

/// What killed writers left in a folder goes, where it is sure that nobody misses it. Only while the folder is locked: then no writer of ours is at work in it.
///
/// - A text that never had an item's name is nobody's.
/// - What was to exchange its name with a file is removed where it is the new text, which never got there, or the file that had been read: to replace it was meant.
/// - Anything else may be what an editor saved in that moment. It stays for a person to look at.
enum LeftoverSweep {
  /// Answers what stays.
  static func sweep(_ folder: SaveFolder) -> [RelativePath] {
    var kept: [RelativePath] = []
    for path in folder.names(where: TemporaryName.isPossible) {
      guard let name = TemporaryName(path.name) else { continue }
      if isNobodys(path, name, in: folder) { folder.unlink(path) } else { kept.append(path) }
    }
    return kept
  }

  private static func isNobodys(_ path: RelativePath, _ name: TemporaryName, in folder: SaveFolder) -> Bool {
    switch name {
    case .new: return true
    case .old(let read, let new):
      let found = folder.stamp(of: path).map(TemporaryName.Identity.init)
      return found == read || found != nil && found == new
    }
  }
}

extension SaveFolder {
  /// Of what is in it and wanted; what cannot be listed is not swept.
  fileprivate func names(where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [RelativePath] {
    let copy = retrying { openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [RelativePath] = []
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        let name = UnsafeRawBufferPointer(rebasing: raw[..<(raw.firstIndex(of: 0) ?? raw.count)])
        if isWanted(name) { names.append(RelativePath(bytes: name)) }
      }
    }
    return names
  }
}
