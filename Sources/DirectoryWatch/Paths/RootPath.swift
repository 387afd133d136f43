import Glibc
import LinuxFiles

/// Where the root is, and what has to be watched to learn that it went or came.
package struct RootPath: Sendable {
  /// As the caller gave it; how errors name it.
  package let given: String
  /// The same from `/`, so that it means the same wherever the process goes, and whatever becomes of its working directory.
  package let absolute: String

  package init(_ given: String) {
    self.given = given
    absolute = given.hasPrefix("/") ? given : Self.workingDirectory().map { Self.join($0, given) } ?? given
  }

  /// Calls `body` with the whole path of something below the root.
  func withCString<R>(_ path: RelativePath, _ body: (UnsafePointer<CChar>) -> R) -> R {
    if path == .root { return absolute.withCString(body) }
    let bytes = Array(absolute.utf8) + [UInt8(ascii: "/")] + path.bytes + [0]
    return bytes.withUnsafeBufferPointer { $0.withMemoryRebound(to: CChar.self) { body($0.baseAddress.unsafelyUnwrapped) } }
  }

  /// The status of something below the root; nil and `errno` if it cannot be read.
  func status(_ path: RelativePath) -> FileStatus? {
    withCString(path) { try? FileStatus(in: AT_FDCWD, $0) }
  }

  /// Which folder the root is, links followed; `nil` and errno where that cannot be told.
  var identity: FileIdentity? {
    // "/." makes the kernel follow a link and refuse what is no folder.
    (try? FileStatus(in: AT_FDCWD, RootPath.join(absolute, ".")))?.stamp.identity
  }

  /// Whether the folder can be listed and what is in it reached.
  func isReadable(_ path: RelativePath) -> Bool {
    withCString(path) { path in retryOnInterrupt { faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS) } } == 0
  }

  /// The path without symbolic links and `..`; nil if nothing is there.
  package var resolved: String? { realPath(absolute) }

  /// The folders and links on the way to the root, the root aside, as given and as resolved: when one of them goes, the root may have gone.
  var ancestors: [String] {
    var paths: [String] = []
    for path in [absolute, resolved].compactMap({ $0 }) {
      let prefixes = Self.prefixes(of: path)
      paths += path == absolute ? prefixes : prefixes.dropLast()
    }
    return paths
  }

  /// The deepest folder on the way to a missing root that is there, and the name in it under which the root, or the way to it, will appear again.
  var placeOfReturn: (folder: String, name: [UInt8]) {
    let prefixes = Self.prefixes(of: absolute)
    let missing = prefixes.dropFirst().firstIndex { access($0, F_OK) != 0 } ?? prefixes.count - 1
    return (prefixes[max(0, missing - 1)], Self.name(of: prefixes[missing]))
  }

  /// The last component of a path.
  static func name(of path: String) -> [UInt8] {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
  }

  static func join(_ folder: String, _ path: String) -> String {
    folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// `/`, `/a`, `/a/b` of `/a/b`.
  private static func prefixes(of path: String) -> [String] {
    var prefixes = ["/"]
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      prefixes.append(join(prefixes[prefixes.count - 1], String(Substring(part))))
    }
    return prefixes
  }

  /// Nil where it was removed.
  private static func workingDirectory() -> String? {
    guard let pointer = getcwd(nil, 0) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
