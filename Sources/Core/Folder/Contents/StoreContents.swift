package import Files
import HashTreeCollections
import Query
import SystemPackage
package import Values
package import Watch

/// The contents of a store: its settings, and the model of its files. Plans what to read, and
/// applies what was found.
package struct StoreContents {
  package private(set) var model: StoreModel
  package private(set) var settings: Settings
  package private(set) var rules: PathRules
  private let options: ReadOptions
  /// The files that must be read a second time before their findings count.
  private var unconfirmed: Set<RelativePath> = []

  package init(settings: Settings, options: ReadOptions) {
    self.settings = settings
    self.options = options
    rules = PathRules(ignore: settings.ignore)
    model = StoreModel(
      idFields: options.idFields ?? settings.idFields, expandedSize: options.limits.totalExpandedSize)
  }

  /// The contents as lists see them. The version is set when the state is published.
  package var state: StoreState {
    StoreState(items: model.items, problems: model.problems, settings: settings, version: 0)
  }

  /// The contents as a new reading of the same files would find them, without last good items and views.
  package var freshState: StoreState {
    let (items, problems) = model.withoutLastGoodItems()
    return StoreState(
      items: items, problems: problems, settings: settings.keepingViews(of: Settings()), version: 0)
  }

  package mutating func apply(_ findings: [(path: RelativePath, finding: FileFinding)]) -> StoreChanges {
    model.apply(findings)
  }

  package mutating func consumeReadable() -> Set<RelativePath> { model.consumeReadable() }

  /// Reads everything: lists the tree with `walk`, and meanwhile reads the files that it finds. Returns the
  /// readings to record in the cache; none without a cache, when every file is read. `began` is before the
  /// first folder was listed. `walk` calls its argument with each folder that it lists, and returns those
  /// that it could not read.
  package mutating func load(
    from root: String, cache: (any ReadCache)? = nil, began: FileTime = .now,
    _ walk: ((FolderListing) -> Void) throws(WatchError) -> [DirectoryScan.Unreadable]
  ) throws(WatchError) -> FirstReadingRecord {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(root)
    } catch {
      let unreadable = try walk { _ in }
      model.load([(.root, .problem(Problem(openingRoot: root, error)))])
      finishLoading(unreadable)
      return FirstReadingRecord(began: began)
    }
    let reading = FirstReading(
      below: folder, limits: options.limits, idFields: options.idFields ?? settings.idFields, cache: cache,
      threads: options.readers, onProgress: options.onProgress)
    let unreadable: [DirectoryScan.Unreadable]
    do throws(WatchError) {
      unreadable = try walk { reading.add($0) }
    } catch {
      _ = reading.finish()
      throw error
    }
    let found = reading.finish()
    for files in found {
      model.load(files.items)
      model.load(files.findings)
    }
    finishLoading(unreadable)
    return FirstReadingRecord(
      parts: found.flatMap(\.parts), incomplete: Set(unreadable.map(\.directory)), began: began)
  }

  private mutating func finishLoading(_ unreadable: [DirectoryScan.Unreadable]) {
    model.load(unreadable.map(StoreContents.finding))
    model.finishLoading()
  }

  private static func finding(_ folder: DirectoryScan.Unreadable) -> (
    path: RelativePath, finding: FileFinding
  ) {
    if folder.directory == .root { return (.root, .problem(Problem(ofRoot: folder.error))) }
    var problem = Problem(path: folder.directory, message: folder.error.description)
    problem.advice = folder.error.advice
    problem.isTransient = folder.error.isTransient
    return (folder.directory, .problem(problem))
  }

  /// Adopts other settings. Items whose id changes with them are deleted and inserted. Paths that
  /// are ignored now, or no longer, change with the next scan of the root.
  package mutating func adopt(_ new: Settings) -> StoreChanges {
    settings = new
    rules = PathRules(ignore: new.ignore)
    return model.reidentify(by: options.idFields ?? new.idFields)
  }

  /// Reads all items below a folder, before it is decided which file has which id. Without `settings`, the
  /// folder's own count.
  package static func findings(below root: String, settings: Settings?, options: ReadOptions)
    throws(StoreError)
    -> (settings: Settings, findings: Findings)
  {
    let folder = try OpenFolder(root, named: root)
    let contents: StoreContents
    do throws(Problem) {
      let known =
        if let settings { settings } else {
          try SettingsFile.read(in: folder, limits: options.limits).settings
        }
      contents = StoreContents(settings: known, options: options)
    } catch {
      throw StoreError(
        error.isTransient ? .system : .badSettings, "\(root)/\(error)", containing: error.advice)
    }
    do throws(WatchError) {
      let listing = try DirectoryScan.scan(root: root, filter: contents.rules.watchFilter)
      return (contents.settings, contents.findings(of: contents.plan(listing), root: root))
    } catch {
      throw StoreError(error)
    }
  }

  /// The files to read, and the findings that need no reading.
  package struct Plan {
    var requests: [ReadRequest] = []
    var findings: Findings = []
  }

  /// Reads the files of a plan and returns all of its findings, in the order of its requests.
  ///
  /// If the root is missing or cannot be opened, that is the only finding. It is checked after the
  /// reading, too: a file is missing only if the folder that it was in is there.
  package func findings(of plan: Plan, root: String, named name: String? = nil) -> Findings {
    do throws(Errno) {
      var findings = plan.findings
      if !plan.requests.isEmpty { try findings += read(plan.requests, below: OpenFolder(root)) }
      if findings.contains(where: { if case .missing = $0.finding { true } else { false } }) {
        _ = try OpenFolder(root)
      }
      return findings
    } catch {
      return [(.root, .problem(Problem(openingRoot: name ?? root, error)))]
    }
  }

  /// The number of files that a thread reads as one piece of work. The caller reads up to this many
  /// files alone.
  private static let filesAtOnce = 64

  private func read(_ requests: [ReadRequest], below folder: OpenFolder) -> Findings {
    let limits = options.limits
    let budget = SharedBudget(limit: limits.totalExpandedSize)
    let found = ParallelWork.map(
      requests.count, by: StoreContents.filesAtOnce, threads: max(1, options.readers)
    ) { range in
      var reader = FileReader(limits: limits)
      return requests[range].map { request in
        let path = request.path
        let finding = reader.read(request, below: folder, mayExpand: !budget.refuses(path))
        return (path: path, finding: budget.admit(finding, at: path))
      }
    }
    return budget.completed(Array(found.joined()))
  }

  func plan(_ listing: DirectoryScan.Listing) -> Plan {
    var plan = Plan()
    for entry in listing.entries {
      guard let format = rules.format(of: entry.path) else { continue }
      plan.requests.append(
        ReadRequest(
          path: entry.path, format: format, isRegular: entry.kind == .regular,
          known: model.stamp(of: entry.path)))
    }
    plan.findings += listing.unreadable.map(StoreContents.finding)
    return plan
  }

  /// Plans what to read of dirty paths. A named file is read in any case; a file below a subtree only if it
  /// has another stamp. `name` is the root's name in problems. `early` are the files that were read before
  /// the git command was over.
  package func plan(
    _ dirty: DirtyPaths, root: String, named name: String? = nil,
    early: [RelativePath: ReadAhead.EarlyFile] = [:]
  ) -> Plan {
    var plan = Plan()
    for path in dirty.files { read(path, early[path], &plan) }
    if dirty.subtrees.isEmpty { return plan }
    var seen = dirty.files
    var unknown: Set<RelativePath> = []
    for subtree in dirty.subtrees where !subtree.isBelow(anyOf: dirty.subtrees) {
      let found = list(subtree, root: root, named: name ?? root)
      unknown.formUnion(found.unreadable.map(\.directory))
      // A root that cannot be opened shows nothing of any other folder either.
      if unknown.contains(.root), found.folders.isEmpty {
        return Plan(findings: found.unreadable.map(StoreContents.finding))
      }
      let listed = self.plan(found)
      plan.requests += listed.requests.filter { !dirty.files.contains($0.path) }
      plan.findings += listed.findings
      seen.formUnion(listed.requests.map(\.path))
      seen.formUnion(listed.findings.map(\.path))
    }
    for path in model.knownPaths where !seen.contains(path) && path != PathRules.settingsPath {
      guard dirty.subtrees.contains(path) || path.isBelow(anyOf: dirty.subtrees) else { continue }
      // A file below a folder that cannot be read may still be there.
      if !unknown.isEmpty, rules.reaches(path), path.isBelow(anyOf: unknown) { continue }
      read(path, nil, &plan)
    }
    return plan
  }

  /// Lists a folder. The listing is empty if the folder is gone, or if the rules exclude it: they
  /// may have changed since it became dirty. If the root cannot be opened, it is unreadable.
  private func list(_ subtree: RelativePath, root: String, named name: String) -> DirectoryScan.Listing {
    var listing = DirectoryScan.Listing()
    guard rules.reachesFolder(subtree) else { return listing }
    do throws(WatchError) {
      listing.unreadable = try DirectoryScan.scan(
        root: root, named: name, below: subtree, filter: rules.watchFilter
      ) { listing.folders.append($0) }
    } catch {
      listing.unreadable = [DirectoryScan.Unreadable(directory: .root, error: error)]
    }
    return listing
  }

  /// Plans to read a path. A path that can't (or can no longer) be an item counts as missing, so
  /// that a folder's problem clears once the folder can be read.
  private func read(_ path: RelativePath, _ early: ReadAhead.EarlyFile?, _ plan: inout Plan) {
    if let format = rules.format(of: path), rules.reaches(path) {
      plan.requests.append(ReadRequest(path: path, format: format, early: early))
    } else {
      plan.findings.append((path, .missing))
    }
  }

  /// Separates the findings of one scan that count from the paths to read again.
  ///
  /// A good file that is found broken, empty or missing may be in the middle of a save whose last event has
  /// not come yet. It is read again before that is a problem or a deletion, unless `mayWait` is false: no
  /// program can be writing the files, or no watch would report them again. A scan of the file's folder that
  /// happens to come before that second read, which names the file, decides nothing.
  package mutating func confirm(_ findings: Findings, of dirty: DirtyPaths, mayWait: Bool) -> (
    certain: Findings, unconfirmed: [RelativePath]
  ) {
    var again: [RelativePath] = []
    let certain = findings.filter { path, finding in
      let isSecondRead = unconfirmed.remove(path) != nil && dirty.files.contains(path)
      guard mayWait, !isSecondRead, isTransient(finding, at: path, of: dirty) else { return true }
      unconfirmed.insert(path)
      again.append(path)
      return false
    }
    return (certain, again)
  }

  private func isTransient(_ finding: FileFinding, at path: RelativePath, of dirty: DirtyPaths) -> Bool {
    switch finding {
    case .problem: model.stamp(of: path) != nil
    // Below a folder that is scanned completely, no event named the file itself.
    case .missing:
      dirty.files.contains(path) && !dirty.gone.contains(path) && model.hasItem(at: path)
        && rules.reaches(path)
    // Markdown may be empty, but programs that save also empty a file first. git does not.
    case .item(let stamp, _):
      dirty.origin != .git && stamp.size == 0 && model.stamp(of: path).map { $0.size > 0 } == true
    case .unchanged, .tooExpanded: false
    }
  }
}

/// The part of a store's options that the reading of its files needs.
package struct ReadOptions {
  package var limits: ReadLimits
  /// The fields that make an item's id; nil for those that the settings name.
  package var idFields: [FieldPath]?
  /// The number of threads that read files if there are many.
  package var readers: Int
  /// Receives the number of files that were read so far, on the threads that read them.
  package var onProgress: @Sendable (_ filesRead: Int) -> Void

  package init(
    limits: ReadLimits = ReadLimits(), idFields: [FieldPath]? = nil, readers: Int = 2,
    onProgress: @escaping @Sendable (_ filesRead: Int) -> Void = { _ in }
  ) {
    self.limits = limits
    self.idFields = idFields
    self.readers = readers
    self.onProgress = onProgress
  }
}
