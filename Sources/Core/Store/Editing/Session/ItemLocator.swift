import Glibc

struct ItemLocator {
  let path: RootPath
  let root: OpenFolder
  let settings: Settings
  let options: StoreOptions
  let rules: PathRules
  /// The files of each id, where ids are fields. Made at the first question, by reading all files.
  private var index: StoreContents?

  init(
    _ path: RootPath, _ root: OpenFolder, _ settings: Settings, _ options: StoreOptions,
    rules: PathRules? = nil
  ) {
    self.path = path
    self.root = root
    self.settings = settings
    self.options = options
    self.rules = rules ?? PathRules(ignore: settings.ignore)
  }

  /// The locator for the settings file, which no id of an item leads to.
  var ofSettings: ItemLocator {
    var options = options
    options.idFields = []
    return ItemLocator(path, root, Settings(), options, rules: .ofSettings)
  }

  var idFields: [FieldPath] { options.idFields ?? settings.idFields }

  /// Costs a few `stat`s where ids are paths; otherwise the first call reads every file.
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
        "Several files have the id \(id): \(names).",
        advice: "Give all but one of them another name or id.")
    }
    return path
  }

  /// Returns the path of a new item's file. Throws if the item would not be shown there.
  func newPath(of id: Item.ID, as format: TextFormat, at wish: RelativePath?) throws(EditError)
    -> RelativePath
  {
    let path = if let wish { wish } else { try id.filePath("." + format.pathExtensions[0]) }
    if idFields.isEmpty, Item.ID(path: path) != id {
      throw EditError(
        .invalidID, id, path,
        "This file would be the item \(Item.ID(path: path)). The path must be the id with an extension.")
    }
    guard rules.format(of: path) == format, path.parent != nil else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its name begins with a dot, or the settings ignore it.",
        advice: "Choose another name.")
    }
    guard rules.reaches(path) else {
      throw EditError(
        .invalidID, id, path,
        "No list would show this item: its folder is hidden, has the extension of an "
          + "item, or is ignored by the settings.",
        advice: "Choose another folder.")
    }
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
      throw EditError(
        .invalidID, id, nil, "A name in this path is longer than a file system allows (255 bytes).")
    }
    return path
  }

  /// Returns the existing files of an id, in the order of their bytes. For folders where ids are paths.
  func existingFiles(of id: Item.ID) throws(EditError) -> [RelativePath] {
    var found: [RelativePath] = []
    let name = try id.filePath().bytes
    for ending in ItemLocator.endings {
      let path = RelativePath(bytes: name + ending)
      guard rules.reaches(path) else { continue }
      do throws(Problem) {
        if try root.stamp(of: path) != nil { found.append(path) }
      } catch {
        throw EditError(id, path, error)
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

  /// Records what was saved, so that it is found under the id that it has now; nil if it was deleted.
  mutating func record(_ path: RelativePath, _ content: (stamp: FileStamp, fields: PackedValue)?) {
    guard index != nil else { return }
    _ = index?.apply([(path, content.map { .item($0.stamp, $0.fields) } ?? .missing)])
  }

  /// Reads what changed on disk since the last call, where ids are fields. The first call reads everything.
  mutating func refresh() {
    guard !idFields.isEmpty else { return }
    if var known = index {
      index = nil
      let plan = known.plan(DirtyPaths(subtrees: [.root]), root: path.absolute)
      _ = known.apply(known.findings(of: plan, root: path.absolute))
      index = known
    } else {
      var contents = StoreContents(settings: settings, options: options.reading)
      let filter = rules.watchFilter
      let root = path.absolute
      let record = try? contents.load(from: root) { found throws(WatchError) in
        try DirectoryScan.scan(root: root, named: root, filter: filter, found: found)
      }
      guard record != nil else { return }
      index = contents
    }
  }
}

extension Item.ID {
  /// Returns the path of a file with this id. The ending is the extension with its dot, or nothing.
  func filePath(_ ending: String = "") throws(EditError) -> RelativePath {
    guard let path = RelativePath(printed: description), path != .root else {
      throw EditError(
        .invalidID, self, nil,
        "No file can have this name: an id is a path below the root, without `..`, empty parts or a leading slash."
      )
    }
    return RelativePath(bytes: path.bytes + Array(ending.utf8))
  }
}

/// Decides when a file that cannot be found counts as missing.
///
/// Some editors remove the old file before they create the new one, so a search is repeated for longer than
/// that takes. Time in which the program does not run is not counted: otherwise a search on a busy machine
/// could be over after two attempts that both fell between the two steps of a save.
struct GapTimer {
  static let gap = Duration.milliseconds(250)
  /// The longest sleep between two attempts. More time than this counts only if the program worked.
  static let maxSleep = Duration.milliseconds(20)

  struct Moment {
    let time: ContinuousClock.Instant
    /// The processor time that all threads of the program have used.
    let work: Duration

    static var now: Moment {
      var used = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
      return Moment(time: .now, work: .seconds(used.tv_sec) + .nanoseconds(used.tv_nsec))
    }
  }

  private var rest: Duration
  private var last: Moment

  /// - Parameter gap: The time after which the file counts as missing. With zero, one attempt is enough.
  init(_ gap: Duration = GapTimer.gap, now: Moment = .now) {
    rest = gap
    last = now
  }

  mutating func isOver(now: Moment = .now) -> Bool {
    rest -= min(now.time - last.time, now.work - last.work + GapTimer.maxSleep)
    last = now
    return rest <= .zero
  }
}

/// The search for a missing file is repeated until its `GapTimer` is over.
extension EditSession {
  mutating func target(of change: PendingChange) throws(EditError) -> EditTarget {
    let path: RelativePath
    if change.isInsertion {
      if !mayUpdate(change) { return try newTarget(of: change) }
      guard let existing = try fileToUpdate(change.id) else { return try newTarget(of: change) }
      path = existing
    } else {
      path = try existingPath(of: change)
    }
    guard let format = locator.rules.format(of: path) else {
      throw EditError.ignored(change.id, path)
    }
    return EditTarget(change: change, path: path, format: format)
  }

  private mutating func newTarget(of change: PendingChange) throws(EditError) -> EditTarget {
    var change = change
    guard case .insert(let content, var format, var path) = change.act else { return try target(of: change) }
    if case .fields(let fields, let isTyped) = content {
      try change.checkFields { nil }
      if path == nil { commitFormats(above: change.id) }
      let plan = try newItems.plan(change.id, at: path, as: format, fields: fields, isTyped: isTyped)
      change.act = .insert(.planned(plan.fields, plan.style), plan.format, plan.path)
      format = plan.format
      path = plan.path
    }
    let own = format ?? .yaml
    return EditTarget(
      change: change, path: try locator.newPath(of: change.id, as: own, at: path), format: own, isNew: true)
  }

  private mutating func commitFormats(above id: Item.ID) {
    let parent = RelativePath(printed: id.description)?.parent
    let folders = sequence(first: parent ?? .root, next: \.parent)
    if folders.contains(where: { batch.folder($0) != nil && !newItems.knowsFormats(in: $0) }) { commit() }
  }

  func mayUpdate(_ change: PendingChange) -> Bool {
    change.isInsertion && change.undo == nil
      && (change.lacksOriginal || resolver.policy == .mergeByPropertyObjectTrump)
  }

  private mutating func fileToUpdate(_ id: Item.ID) throws(EditError) -> RelativePath? {
    do throws(EditError) {
      return try locator.path(of: id)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  private mutating func existingPath(of change: PendingChange) throws(EditError) -> RelativePath {
    do throws(EditError) {
      return try locate(change.id)
    } catch {
      guard error.code == .notFound, let revision = change.revision, locator.rules.reaches(revision.path)
      else { throw error }
      return revision.path
    }
  }

  /// Returns the path of an item's file. All files that are missing cost one short wait together.
  mutating func locate(_ id: Item.ID) throws(EditError) -> RelativePath {
    var timer = gapTimer(of: id)
    var mayWait = true
    while true {
      do throws(EditError) {
        return try locator.path(of: id)
      } catch {
        if mayWait, error.code == .notFound, !absent.contains(id), !expected.isEmpty {
          mayWait = false
          commit()
          self.await([id] + expected)
          // An item that was there in the meantime may be replaced again now.
          timer = gapTimer(of: id)
          expected.subtract(absent)
          continue
        }
        if error.code != .notFound || timer.isOver() {
          if error.code == .notFound { absent.insert(id) }
          throw error
        }
      }
      commit()
      rescanSoon()
    }
  }

  /// An item that wasn't found once isn't waited for again.
  func gapTimer(of id: Item.ID) -> GapTimer { GapTimer(absent.contains(id) ? .zero : GapTimer.gap) }

  /// Waits briefly until all of these items exist. Any number of missing items costs one wait.
  mutating func await(_ ids: [Item.ID]) {
    var timer = GapTimer()
    var missing = ids.filter { isMissing($0) }
    while !missing.isEmpty, !timer.isOver() {
      rescanSoon()
      missing = missing.filter { isMissing($0) }
    }
    absent.formUnion(missing)
  }

  private mutating func isMissing(_ id: Item.ID) -> Bool {
    do throws(EditError) {
      _ = try locator.path(of: id)
      return false
    } catch {
      return error.code == .notFound
    }
  }

  private mutating func rescanSoon() {
    usleep(locator.idFields.isEmpty ? 2_000 : 20_000)
    locator.refresh()
  }
}
