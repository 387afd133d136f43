import Glibc

/// The path of the root, and the folders to watch to see it disappear or appear.
package struct RootPath {
  /// The path as the caller gave it. Errors contain it.
  package let given: String
  /// The absolute path. It keeps its meaning when the process changes its working directory.
  package let absolute: String

  package init(_ given: String) {
    self.given = given
    absolute = given.hasPrefix("/") ? given : Self.workingDirectory().map { Self.join($0, given) } ?? given
  }

  func withCString<R>(_ path: RelativePath, _ body: (UnsafePointer<CChar>) -> R) -> R {
    if path == .root { return absolute.withCString(body) }
    let bytes = Array(absolute.utf8) + [UInt8(ascii: "/")] + path.bytes + [0]
    return bytes.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: CChar.self) { body($0.baseAddress.unsafelyUnwrapped) }
    }
  }

  package func status(_ path: RelativePath) -> FileStatus? {
    withCString(path) { try? FileStatus(in: AT_FDCWD, $0) }
  }

  /// The identity of the root's folder, with links followed; `nil` and errno if it cannot be read.
  package var identity: FileIdentity? {
    // "/." makes the kernel follow a link and fail for anything but a folder.
    (try? FileStatus(in: AT_FDCWD, RootPath.join(absolute, ".")))?.stamp.identity
  }

  package func isReadable(_ path: RelativePath) -> Bool {
    withCString(path) { path in retryOnInterrupt { faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS) } } == 0
  }

  package var resolved: String? { realPath(absolute) }

  package var resolvedOrAbsolute: String { resolved ?? absolute }

  /// The folders and links on the way to the root, as given and as resolved, without the root.
  package var ancestors: [String] {
    var paths: [String] = []
    for path in [absolute, resolved].compactMap({ $0 }) {
      let prefixes = Self.prefixes(of: path)
      paths += path == absolute ? prefixes : prefixes.dropLast()
    }
    return paths
  }

  /// The deepest existing folder on the way to a missing root, and the name that will appear in it.
  package var placeOfReturn: (folder: String, name: [UInt8]) {
    let prefixes = Self.prefixes(of: absolute)
    let missing = prefixes.dropFirst().firstIndex { access($0, F_OK) != 0 } ?? prefixes.count - 1
    return (prefixes[max(0, missing - 1)], Self.name(of: prefixes[missing]))
  }

  package static func name(of path: String) -> [UInt8] {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
  }

  package static func join(_ folder: String, _ path: String) -> String {
    folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  private static func prefixes(of path: String) -> [String] {
    var prefixes = ["/"]
    for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
      prefixes.append(join(prefixes[prefixes.count - 1], String(Substring(part))))
    }
    return prefixes
  }

  private static func workingDirectory() -> String? {
    guard let pointer = getcwd(nil, 0) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}

/// Returns the absolute path with every link on the way resolved; nil if it doesn't exist.
package func realPath(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}

/// Returns the folder of an absolute path: all before its last slash, but at least `/`.
package func parentFolder(of path: String) -> String {
  let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
