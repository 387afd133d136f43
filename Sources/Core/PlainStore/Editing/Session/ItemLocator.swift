import Files
import Folder
import Glibc
import Query
import Values
import Watch

/// Finds the files of items without a running store.
struct ItemLocator {
  let rootPath: String
  let root: OpenFolder
  let settings: Settings
  let options: StoreOptions
  let rules: PathRules
  /// The files of each id, where ids are fields. Made at the first question, by reading all files.
  private var index: StoreContents?

  init(_ rootPath: String, _ root: OpenFolder, _ settings: Settings, _ options: StoreOptions) {
    (self.rootPath, self.root, self.settings, self.options) = (rootPath, root, settings, options)
    rules = PathRules(ignore: settings.ignore)
  }

  var idFields: [FieldPath] { options.idFields ?? settings.idFields }

  /// Returns the path of an item's file. Costs a few `stat`s where ids are paths; otherwise the
  /// first call reads every file.
  mutating func path(of id: Item.ID) throws(EditError) -> RelativePath {
    // No file can have an id such as `../x`, so no item has it.
    let hasPath = RelativePath(printed: id.description).map { $0 != .root } ?? false
    let found = idFields.isEmpty ? (hasPath ? try existingFiles(of: id) : []) : claimants(of: id)
    guard let path = found.first else {
      throw EditError(.notFound, id, nil, "There is no item with this id.")
    }
    if found.count > 1 {
      let names = found.map(\.description).joined(separator: ", ")
      throw EditError(
        .ambiguous, id, path,
        "Several files have the id \(id): \(names). Give all but one of them another name or id.")
    }
    return path
  }

  /// Returns the path of a new item's file.
  ///
  /// - Throws: if the item would not be shown there.
  func newPath(of id: Item.ID, as format: TextFormat, at wish: RelativePath?) throws(EditError)
    -> RelativePath
  {
    let path = if let wish { wish } else { try idPath(of: id, "." + format.pathExtensions[0]) }
    if idFields.isEmpty, Item.ID(path: path) != id {
      throw EditError(
        .invalidID, id, path,
        "This file would be the item \(Item.ID(path: path)). The path must be the id with an extension.")
    }
    guard rules.format(of: path) == format, path.parent != nil else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its name begins with a dot, or the settings ignore it. Choose another name."
      )
    }
    guard rules.reaches(path) else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its folder is hidden, has the extension of an item, or is ignored by the settings. Choose another folder."
      )
    }
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
      throw EditError(
        .invalidID, id, nil, "A name in this path is longer than a file system allows (255 bytes).")
    }
    return path
  }

  /// Returns the existing files of an id, in the order of their bytes. For folders where ids are
  /// paths.
  func existingFiles(of id: Item.ID) throws(EditError) -> [RelativePath] {
    var found: [RelativePath] = []
    let name = try idPath(of: id, "").bytes
    for ending in ItemLocator.endings {
      let path = RelativePath(bytes: name + ending)
      guard rules.reaches(path) else { continue }
      do throws(Problem) {
        if try root.stamp(of: path) != nil { found.append(path) }
      } catch {
        throw EditError(id, error)
      }
    }
    return found.sorted()
  }

  private static let endings = TextFormat.allCases.flatMap(\.pathExtensions).map { Array(".\($0)".utf8) }

  /// Returns the files whose fields make this id. For folders where ids are fields.
  mutating func claimants(of id: Item.ID) -> [RelativePath] {
    if index == nil { refresh() }
    return index?.model.claimants(of: id) ?? []
  }

  /// Records what was saved, so that it is found under the id that it has now.
  ///
  /// - Parameter content: nil if the file was deleted.
  mutating func record(_ path: RelativePath, _ content: (stamp: FileStamp, fields: PackedValue)?) {
    guard index != nil else { return }
    _ = index?.apply([(path, content.map { .item($0.stamp, $0.fields) } ?? .missing)])
  }

  /// Reads what changed on disk since the last call, where ids are fields. The first call reads
  /// everything.
  mutating func refresh() {
    guard !idFields.isEmpty else { return }
    let reader = ParallelReader(limits: options.limits, threads: options.readers)
    if var known = index {
      index = nil
      let plan = known.plan(DirtyPaths(subtrees: [.root]), root: rootPath)
      _ = known.apply(reader.findings(of: plan, root: rootPath))
      index = known
    } else {
      var contents = StoreContents(settings: settings, options: options.reading)
      let filter = rules.watchFilter
      let record = try? contents.load(from: rootPath, with: reader) { found throws(WatchError) in
        try DirectoryScan.scan(root: rootPath, named: rootPath, filter: filter, found: found)
      }
      guard record != nil else { return }
      index = contents
    }
  }

  /// Returns the path of a file with this id.
  func idPath(of id: Item.ID, _ ending: String) throws(EditError) -> RelativePath {
    guard let path = RelativePath(printed: id.description), path != .root else {
      throw EditError(
        .invalidID, id, nil,
        "No file can have this name: an id is a path below the root, without `..`, empty parts or a leading slash."
      )
    }
    return RelativePath(bytes: path.bytes + Array(ending.utf8))
  }
}

/// Decides when a file that cannot be found counts as missing.
///
/// Some editors remove the old file before they create the new one, so a search is repeated for
/// longer than that takes. Time in which the program does not run is not counted: otherwise a
/// search on a busy machine could be over after two attempts that both fell between the two steps
/// of a save.
struct GapTimer {
  /// Longer than editors leave a file missing.
  static let gap = Duration.milliseconds(250)
  /// The longest sleep between two attempts. More time than this counts only if the program worked.
  static let maxSleep = Duration.milliseconds(20)

  /// A time, and how long the program has worked until then.
  struct Moment {
    /// The time.
    let time: ContinuousClock.Instant
    /// The processor time that all threads of the program have used.
    let work: Duration

    /// The present moment.
    static var now: Moment {
      var used = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
      return Moment(time: .now, work: .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec))
    }
  }

  private var rest: Duration
  private var last: Moment

  /// Makes the timer of a search that begins now.
  ///
  /// - Parameters:
  ///   - gap: The time after which the file counts as missing. With zero, one attempt is enough.
  ///   - now: The present moment.
  init(_ gap: Duration = GapTimer.gap, now: Moment = .now) {
    (rest, last) = (gap, now)
  }

  /// Records an attempt that did not find the file, and returns true if the file counts as missing.
  mutating func isOver(now: Moment = .now) -> Bool {
    rest -= min(now.time - last.time, now.work - last.work + GapTimer.maxSleep)
    last = now
    return rest <= .zero
  }
}
