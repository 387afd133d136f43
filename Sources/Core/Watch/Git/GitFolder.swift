import Files
import Glibc

/// The repository's own folder (`.git`) of a work tree, and the markers in it.
package struct GitFolder: Hashable {
  package let path: String

  /// Returns the repository of the work tree that contains `folder`, an absolute path without links.
  package static func find(above folder: String) -> GitFolder? {
    top(above: folder).flatMap(GitFolder.init(of:))
  }

  static func top(above folder: String) -> String? {
    var folder = folder
    while true {
      if GitFolder(of: folder)?.isRepository == true { return folder }
      guard folder != "/", let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      folder = slash == folder.utf8.startIndex ? "/" : String(folder[..<slash])
    }
  }

  /// Reads the `.git` of a folder; `nil` if there is none. In linked work trees and submodules
  /// `.git` is a file that points to the folder with the tree's own locks and steps. The repository
  /// may still be under construction.
  init?(of folder: String) {
    let candidate = RootPath.join(folder, ".git")
    var status = stat()
    guard retryOnInterrupt({ stat(candidate, &status) }) == 0 else { return nil }
    switch EntryKind(mode: UInt32(status.st_mode)) {
    case .directory: path = candidate
    case .regular:
      guard let target = Self.pointer(in: candidate, folder), let resolved = RootPath(target).resolved else {
        return nil
      }
      path = resolved
    default: return nil
    }
  }

  /// True if there is a HEAD. Without one the folder is not a repository, or not yet.
  var isRepository: Bool { holds("HEAD") }

  /// True if a work tree was ever filled from this repository.
  var hasIndex: Bool { holds("index") }

  /// True if it is inside the other one's folder, as the repositories of submodules are.
  func isSubmodule(of other: GitFolder) -> Bool {
    guard let resolved = RootPath(other.path).resolved else { return false }
    return path.hasPrefix(RootPath.join(resolved, "modules/"))
  }

  func markers() -> Set<GitMarker> {
    var markers: Set<GitMarker> = []
    guard let stream = opendir(path) else { return markers }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      if let marker = GitMarker(name: DirectoryScan.bytes(ofNameIn: entry)) { markers.insert(marker) }
    }
    return markers
  }

  /// The status of the folder. It changes whenever a marker appears or disappears.
  var status: FileStatus? { try? FileStatus(in: AT_FDCWD, path) }

  package func holds(_ name: String) -> Bool { access(RootPath.join(path, name), F_OK) == 0 }

  /// Returns the target of a file `gitdir: PATH`. The path is relative to the folder of the file.
  private static func pointer(in file: String, _ folder: String) -> String? {
    let raw = retryOnInterrupt { open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard raw >= 0 else { return nil }
    let descriptor = Descriptor(owning: raw)
    var bytes = [UInt8](repeating: 0, count: 4200)
    let length = read(descriptor.raw, &bytes, bytes.count)
    guard length > 0, bytes[..<length].starts(with: "gitdir: ".utf8) else { return nil }
    let target = String(
      decoding: bytes[8..<length].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    return target.hasPrefix("/") ? target : RootPath.join(folder, target)
  }
}
