import Glibc

/// Returns the absolute path with every link on the way resolved; nil if nothing is there.
package func realPath(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}
