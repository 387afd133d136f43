import Glibc
import LinuxFiles

/// The repository's own folder (`.git`) of a work tree, and the signs in it.
struct GitFolder: Sendable, Hashable {
  let path: String

  /// Whether a name is that of a repository's folder in its work tree, or of the file that says where it is.
  static func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == 4 && name.elementsEqual(".git".utf8)
  }

  /// Walks up from `folder` to the top of its work tree; `nil` where it is in none.
  static func find(above folder: String) -> GitFolder? { top(above: folder).flatMap(GitFolder.init(of:)) }

  /// The top folder of the work tree that `folder` is in; `nil` where it is in none.
  static func top(above folder: String) -> String? {
    var folder = folder
    while true {
      if GitFolder(of: folder)?.isRepository == true { return folder }
      guard folder != "/", let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      folder = slash == folder.utf8.startIndex ? "/" : String(folder[..<slash])
    }
  }

  /// What `.git` in a folder is, or is to become. In linked work trees and submodules it is a file that points to the folder that has this tree's own lock and steps.
  init?(of folder: String) {
    let candidate = RootPath.join(folder, ".git")
    var status = stat()
    guard retryOnInterrupt({ stat(candidate, &status) }) == 0 else { return nil }
    switch EntryKind(mode: UInt32(status.st_mode)) {
    case .directory: path = candidate
    case .regular:
      guard let target = Self.pointer(in: candidate, folder), let resolved = RootPath(target).resolved else { return nil }
      path = resolved
    default: return nil
    }
  }

  /// A folder of that name without a HEAD is none, or none yet.
  var isRepository: Bool { holds("HEAD") }

  /// Whether a work tree was ever filled from here.
  var hasIndex: Bool { holds("index") }

  /// Whether it is kept in another repository's folder, as those of submodules are.
  func isSubmodule(of other: GitFolder) -> Bool {
    guard let resolved = RootPath(other.path).resolved else { return false }
    return path.hasPrefix(RootPath.join(resolved, "modules/"))
  }

  /// The signs that are there now.
  func signs() -> Set<GitSign> {
    var signs: Set<GitSign> = []
    guard let stream = opendir(path) else { return signs }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      if let sign = GitSign(name: DirectoryScan.bytes(ofNameIn: entry)) { signs.insert(sign) }
    }
    return signs
  }

  /// Other than it was whenever a sign came or went since.
  var status: FileStatus? { try? FileStatus(in: AT_FDCWD, path) }

  private func holds(_ name: String) -> Bool { access(RootPath.join(path, name), F_OK) == 0 }

  /// `gitdir: PATH`, relative to the folder that the file is in.
  private static func pointer(in file: String, _ folder: String) -> String? {
    let raw = retryOnInterrupt { open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard raw >= 0 else { return nil }
    let descriptor = Descriptor(owning: raw)
    var bytes = [UInt8](repeating: 0, count: 4200)
    let length = read(descriptor.raw, &bytes, bytes.count)
    guard length > 0, bytes[..<length].starts(with: "gitdir: ".utf8) else { return nil }
    let target = String(decoding: bytes[8..<length].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    return target.hasPrefix("/") ? target : RootPath.join(folder, target)
  }
}
