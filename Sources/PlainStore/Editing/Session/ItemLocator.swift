import DirectoryWatch
import PlainText

/// Finds the file of an item, without a store that runs.
struct ItemLocator {
  let rootPath: String
  let root: OpenFolder
  let settings: Settings
  let options: StoreOptions
  let rules: PathRules
  /// What each id has for files, where ids are fields; made when it is first asked for, by reading all files.
  private var index: StoreContents?

  init(_ rootPath: String, _ root: OpenFolder, _ settings: Settings, _ options: StoreOptions) {
    (self.rootPath, self.root, self.settings, self.options) = (rootPath, root, settings, options)
    rules = PathRules(ignore: settings.ignore)
  }

  var idFields: [FieldPath] { options.idFields ?? settings.idFields }

  /// Where an item's file is. Where ids are paths, some looks; otherwise the first question reads every file.
  mutating func path(of id: Item.ID) throws(EditError) -> RelativePath {
    // No file can have an id such as `../x`, so no item has it.
    let hasPath = RelativePath(printed: id.description).map { $0 != .root } ?? false
    let found = idFields.isEmpty ? (hasPath ? try existingFiles(of: id) : []) : claimants(of: id)
    guard let path = found.first else { throw EditError(.notFound, id, nil, "There is no item of this id.") }
    if found.count > 1 {
      let names = found.map(\.description).joined(separator: ", ")
      throw EditError(.ambiguous, id, path, "Several files have the id \(id): \(names). Give all but one of them another name or id.")
    }
    return path
  }

  /// Where a new item goes. Throws where it would not be shown.
  func newPath(of id: Item.ID, as format: TextFormat, at wish: RelativePath?) throws(EditError) -> RelativePath {
    let path = if let wish { wish } else { try idPath(of: id, "." + format.pathExtensions[0]) }
    if idFields.isEmpty, Item.ID(path: path) != id {
      throw EditError(.invalidID, id, path, "This file would be the item \(Item.ID(path: path)). Let the path be the id and an extension.")
    }
    guard rules.format(of: path) == format, path.parent != nil else {
      throw EditError(
        .invalidID, id, path,
        "An item of this name would not be shown: names that begin with a dot, or that the settings ignore, are left out.")
    }
    guard rules.reaches(path) else {
      throw EditError(
        .invalidID, id, path,
        "An item in this folder would not be shown: hidden folders, those with an item's extension and those that the settings ignore are left out."
      )
    }
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
      throw EditError(.invalidID, id, nil, "The name is longer than a file system takes (255 bytes).")
    }
    return path
  }

  /// Where ids are paths: the files of this id that are there, in the order of their bytes.
  func existingFiles(of id: Item.ID) throws(EditError) -> [RelativePath] {
    var found: [RelativePath] = []
    for ending in TextFormat.allCases.flatMap(\.pathExtensions) {
      let path = try idPath(of: id, "." + ending)
      guard rules.reaches(path) else { continue }
      do throws(Problem) {
        if try root.stamp(of: path) != nil { found.append(path) }
      } catch {
        throw EditError(id, error)
      }
    }
    return found.sorted()
  }

  /// Where ids are fields: the files that say this one.
  mutating func claimants(of id: Item.ID) -> [RelativePath] {
    if index == nil { refresh() }
    return index?.model.claimants(of: id) ?? []
  }

  /// What was saved is to be found under the id that it has now.
  mutating func note(_ path: RelativePath, _ content: (stamp: FileStamp, fields: PackedValue)?) {
    guard index != nil else { return }
    _ = index?.apply([(path, content.map { .item($0.stamp, $0.fields) } ?? .missing)])
  }

  /// Reads what changed on disk since the last time, where ids are fields; the first time everything.
  mutating func refresh() {
    guard !idFields.isEmpty else { return }
    let reader = ParallelReader(limits: options.limits, threads: options.readers)
    if var known = index {
      index = nil
      let plan = known.plan(DirtyPaths(subtrees: [.root]), root: rootPath)
      _ = known.apply(reader.findings(of: plan, root: rootPath))
      index = known
    } else {
      var contents = StoreContents(settings: settings, options: options)
      guard let listing = try? DirectoryScan.scan(root: rootPath, filter: rules.watchFilter) else { return }
      contents.load(contents.plan(listing), with: reader, root: rootPath)
      index = contents
    }
  }

  private func idPath(of id: Item.ID, _ ending: String) throws(EditError) -> RelativePath {
    guard let path = RelativePath(printed: id.description), path != .root else {
      throw EditError(
        .invalidID, id, nil, "No file can have this name: an id is a path below the root, without `..`, empty parts or a leading slash.")
    }
    return RelativePath(bytes: path.bytes + Array(ending.utf8))
  }
}
