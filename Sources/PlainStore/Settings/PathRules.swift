package import DirectoryWatch
package import PlainText

/// Which paths of a data set are items, and which are left out.
package struct PathRules: Sendable {
  /// The name of the settings file in a data set's root.
  package static let settingsPath = RelativePath(bytes: ".notes-watch.yaml".utf8)

  private let ignore: IgnoreList

  package init(ignore: [String] = []) {
    self.ignore = IgnoreList(ignore)
  }

  /// The format of a path that has an item's extension and is not left out. What editors keep beside a file (`.name.swp`, `name~`, `#name#`, `4913`, `*.tmp`)
  /// has no item's extension or begins with a dot.
  package func format(of path: RelativePath) -> TextFormat? {
    let name = path.name.utf8
    guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")),
      let format = TextFormat(pathExtension: String(path.name[name.index(after: dot)...])), !isIgnored(path, isFolder: false)
    else { return nil }
    return format
  }

  /// Whether items are looked for below a folder. A folder with an item's extension is a problem, not a place.
  package func includesFolder(_ path: RelativePath) -> Bool {
    path.name.utf8.first != UInt8(ascii: ".") && !isIgnored(path, isFolder: true) && format(of: path) == nil
  }

  /// Whether a path and every folder above it are in: what a walk from the root would reach.
  package func reaches(_ path: RelativePath) -> Bool {
    guard format(of: path) != nil, let folder = path.parent else { return false }
    return reachesFolder(folder)
  }

  /// The same of a folder. The root is always in.
  package func reachesFolder(_ path: RelativePath) -> Bool {
    var folder: RelativePath? = path
    while let current = folder, current != .root {
      if !includesFolder(current) { return false }
      folder = current.parent
    }
    return true
  }

  package var watchFilter: WatchFilter {
    WatchFilter(
      includesDirectory: { includesFolder($0) },
      includesFile: { $0 == PathRules.settingsPath || format(of: $0) != nil })
  }

  private func isIgnored(_ path: RelativePath, isFolder: Bool) -> Bool {
    ignore.isEmpty ? false : path.withUTF8 { ignore.ignores($0, isFolder: isFolder) }
  }
}

extension RelativePath {
  /// Calls `body` with the printed form.
  func withUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = description.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return result }
    var text = description
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}
