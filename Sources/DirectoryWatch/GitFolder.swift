import Glibc

/// The repository's own folder (`.git`) for a root that lies in a work tree, and the signs in it.
struct GitFolder: Sendable, Hashable {
  let path: String

  /// Walks up from `folder` to the top of its work tree; `nil` where it is in none. In linked work trees and submodules `.git` is a file that points
  /// to the folder that has this tree's own lock and steps.
  static func find(above folder: String) -> GitFolder? {
    var folder = folder
    while true {
      let candidate = RootPath.join(folder, ".git")
      if let found = resolve(candidate, in: folder) { return GitFolder(path: found) }
      guard folder != "/", let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      folder = slash == folder.utf8.startIndex ? "/" : String(folder[..<slash])
    }
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
  var stamp: FileStamp? { path.withCString { FileStamp(in: AT_FDCWD, $0) } }

  private static func resolve(_ candidate: String, in folder: String) -> String? {
    var status = stat()
    guard retrying({ stat(candidate, &status) }) == 0 else { return nil }
    switch EntryKind(mode: UInt32(status.st_mode)) {
    case .directory: return access(RootPath.join(candidate, "HEAD"), F_OK) == 0 ? candidate : nil
    case .regular: return pointer(in: candidate, folder)
    default: return nil
    }
  }

  /// `gitdir: PATH`, relative to the folder that the file is in.
  private static func pointer(in file: String, _ folder: String) -> String? {
    let raw = retrying { open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard raw >= 0 else { return nil }
    let descriptor = Descriptor(owning: raw)
    var bytes = [UInt8](repeating: 0, count: 4200)
    let length = read(descriptor.raw, &bytes, bytes.count)
    guard length > 0, bytes[..<length].starts(with: "gitdir: ".utf8) else { return nil }
    let target = String(decoding: bytes[8..<length].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
    return target.hasPrefix("/") ? target : RootPath.join(folder, target)
  }
}
