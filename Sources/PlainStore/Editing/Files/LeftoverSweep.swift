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
    let leftovers = folder.names { TemporaryName.isPossible($0) }.compactMap { path in
      TemporaryName(path.name).map { (path: path, name: $0) }
    }
    let isUnclear = leftovers.contains { !isPlainlyNobodys($0.path, $0.name, in: folder) }
    let others = isUnclear ? identities(in: folder) : []
    for (path, name) in leftovers where isPlainlyNobodys(path, name, in: folder) || others.contains(where: { name == .old($0) }) {
      folder.unlink(path)
    }
  }

  private static func isPlainlyNobodys(_ path: RelativePath, _ name: TemporaryName, in folder: SaveFolder) -> Bool {
    switch name {
    case .new: true
    case .old(let read): folder.stamp(of: path).map(TemporaryName.Identity.init) == read
    }
  }

  /// Of all files that have names of their own.
  private static func identities(in folder: SaveFolder) -> Set<TemporaryName.Identity> {
    Set(folder.names { !TemporaryName.isPossible($0) }.compactMap { folder.stamp(of: $0).map(TemporaryName.Identity.init) })
  }
}

extension SaveFolder {
  /// Of what is in it and wanted; what cannot be listed is not swept.
  fileprivate func names(_ isWanted: (UnsafeRawBufferPointer) -> Bool) -> [RelativePath] {
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
        if isWanted(name), !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(RelativePath(bytes: name)) }
      }
    }
    return names
  }
}
