package import Files
package import Values
package import Watch

/// The rules that decide which paths of a data set are items and which are ignored.
package struct PathRules {
  package static let settingsPath = RelativePath(bytes: ".notes-watch.yaml".utf8)

  /// The rules of a session that changes the settings: their file is the only item.
  package static let ofSettings = PathRules(isOfSettings: true)

  private let ignore: IgnoreList
  private let isOfSettings: Bool

  package init(ignore: [String] = []) {
    self.ignore = IgnoreList(ignore)
    isOfSettings = false
  }

  private init(isOfSettings: Bool) {
    ignore = IgnoreList([])
    self.isOfSettings = isOfSettings
  }

  /// Returns the format of a path that is an item: it has the extension of one and is not ignored.
  /// The temporary files of editors (`.name.swp`, `name~`, `#name#`, `4913`, `*.tmp`) are not
  /// items: they have another extension or begin with a dot.
  package func format(of path: RelativePath) -> TextFormat? {
    if isOfSettings { return path == PathRules.settingsPath ? .yaml : nil }
    let name = path.name.utf8
    guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")),
      let format = TextFormat(pathExtension: String(path.name[name.index(after: dot)...])),
      !isIgnored(path, isFolder: false)
    else { return nil }
    return format
  }

  /// True if it may contain items. A folder with the extension of an item is a problem instead.
  package func includesFolder(_ path: RelativePath) -> Bool {
    path.name.utf8.first != UInt8(ascii: ".") && !isIgnored(path, isFolder: true) && format(of: path) == nil
  }

  /// True if neither the path nor a folder above it is ignored, so a walk from the root finds it.
  package func reaches(_ path: RelativePath) -> Bool {
    guard format(of: path) != nil, let folder = path.parent else { return false }
    return reachesFolder(folder)
  }

  /// Returns true if neither the folder nor a folder above it is ignored. The root never is.
  package func reachesFolder(_ path: RelativePath) -> Bool {
    var folder: RelativePath? = path
    while let current = folder, current != .root {
      if !includesFolder(current) { return false }
      folder = current.parent
    }
    return true
  }

  /// The filter for the watch: items, the settings file, and the folders that may contain items.
  package var watchFilter: WatchFilter {
    var filter = WatchFilter(
      includesDirectory: { includesFolder($0) },
      includesFile: { $0 == PathRules.settingsPath || format(of: $0) != nil })
    filter.byName = { verdict(onName: $0) }
    return filter
  }

  /// Returns what `watchFilter` says about every path that ends with a name.
  private func verdict(onName name: UnsafeRawBufferPointer) -> (
    includesFile: Bool?, includesDirectory: Bool?
  ) {
    if name.first == UInt8(ascii: ".") {
      return name.elementsEqual(PathRules.settingsPath.description.utf8) ? (nil, nil) : (false, false)
    }
    let isItem = TextFormat(fileName: name) != nil
    if ignore.isEmpty { return (isItem, !isItem) }
    return (isItem ? nil : false, isItem ? false : nil)
  }

  private func isIgnored(_ path: RelativePath, isFolder: Bool) -> Bool {
    ignore.isEmpty ? false : path.withUTF8 { ignore.ignores($0, isFolder: isFolder) }
  }
}
