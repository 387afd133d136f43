import Files
import Folder
import Glibc

/// A folder that a save created for an item. An undo removes it again.
struct MadeFolder: Sendable, Hashable {
  let path: RelativePath
  /// The numbers of its device and inode: a folder of this name that came later is a different one.
  let identity: FileIdentity

  /// Finds folders that were just created. Those that are gone already are left out.
  static func find(_ paths: [RelativePath], below root: OpenFolder) -> [MadeFolder] {
    paths.compactMap { path in
      (try? SaveFolder.open(path, below: root)).map { MadeFolder(path: path, identity: $0.identity) }
    }
  }

  /// Removes folders that are empty, the innermost one first.
  ///
  /// - Parameter folders: The folders, outermost first.
  static func remove(_ folders: [MadeFolder], below root: OpenFolder) {
    for made in folders.reversed() {
      guard let folder = try? SaveFolder.open(made.path, below: root), folder.identity == made.identity else {
        return
      }
      SaveFolder.remove([made.path], below: root)
    }
  }
}
