import Glibc

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
