package import Files
import HashTreeCollections
import Query
import SystemPackage
package import Values
package import Watch

/// The contents of a store: its settings, and the model of its files. Plans what to read, and
/// applies what was found.
package struct StoreContents: Sendable {
  package private(set) var model: StoreModel
  package private(set) var settings: Settings
  package private(set) var rules: PathRules
  private let options: ReadOptions

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

  /// The contents as a new reading of the same files would find them, without last good items and
  /// views.
  package var freshState: StoreState {
    let (items, problems) = model.withoutLastGoodItems()
    return StoreState(
      items: items, problems: problems, settings: settings.keepingViews(of: Settings()), version: 0)
  }

  /// Applies what was found at paths, and returns what that changed.
  package mutating func apply(_ findings: [(path: RelativePath, finding: FileFinding)]) -> StoreChanges {
    model.apply(findings)
  }

  /// Returns once the files that were refused by the budget and now have room: read them again.
  package mutating func consumeReadable() -> Set<RelativePath> { model.consumeReadable() }

  /// Reads everything: lists the tree with `walk`, and meanwhile reads the files that it finds.
  ///
  /// - Parameters:
  ///   - cache: The values that are known from before; nil to read every file.
  ///   - began: A time before the first folder was listed.
  ///   - walk: Calls its argument with each folder that it lists, and returns those that it could
  ///     not read.
  /// - Returns: The readings to record in the cache; empty without one.
  package mutating func load(
    from root: String, with reader: ParallelReader, cache: (any ReadCache)? = nil, began: FileTime = .now,
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
      below: folder, limits: reader.limits, idFields: options.idFields ?? settings.idFields, cache: cache,
      threads: reader.threads,
      onProgress: options.onProgress)
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
    return FirstReadingRecord(found.flatMap(\.parts), except: Set(unreadable.map(\.directory)), began: began)
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
}

extension StoreContents {
  /// Reads all items below a folder, before it is decided which file has which id.
  ///
  /// - Parameter settings: The settings to read it with; nil for the folder's own.
  /// - Throws: `StoreError` if the folder or its settings cannot be read.
  package static func findings(below root: String, settings: Settings?, options: ReadOptions)
    throws(StoreError)
    -> (settings: Settings, findings: ParallelReader.Findings)
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
      throw StoreError(error.isTransient ? .system : .badSettings, "\(root)/\(error)")
    }
    do throws(WatchError) {
      let listing = try DirectoryScan.scan(root: root, filter: contents.rules.watchFilter)
      let reader = ParallelReader(limits: options.limits, threads: options.readers)
      return (contents.settings, reader.findings(of: contents.plan(listing), root: root))
    } catch {
      throw StoreError(error)
    }
  }

  /// Plans to read everything that a listing found.
  func plan(_ listing: DirectoryScan.Listing) -> ParallelReader.Plan {
    var plan = ParallelReader.Plan()
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

  /// Plans what to read of dirty paths. A named file is read in any case; a file below a subtree
  /// only if it has another stamp.
  ///
  /// - Parameters:
  ///   - name: The root's name in problems; nil for `root`.
  ///   - early: The files that were read before the git command was over.
  package func plan(
    _ dirty: DirtyPaths, root: String, named name: String? = nil,
    early: [RelativePath: ReadAhead.EarlyFile] = [:]
  ) -> ParallelReader.Plan {
    var plan = ParallelReader.Plan()
    for path in dirty.files { read(path, early[path], &plan) }
    if dirty.subtrees.isEmpty { return plan }
    var seen = dirty.files
    var unknown: Set<RelativePath> = []
    for subtree in dirty.subtrees where !subtree.isBelow(anyOf: dirty.subtrees) {
      let found = list(subtree, root: root, named: name ?? root)
      unknown.formUnion(found.unreadable.map(\.directory))
      // A root that cannot be opened shows nothing of any other folder either.
      if unknown.contains(.root), found.folders.isEmpty {
        return ParallelReader.Plan(findings: found.unreadable.map(StoreContents.finding))
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
      listing = try DirectoryScan.scan(root: root, named: name, below: subtree, filter: rules.watchFilter)
    } catch {
      listing.unreadable = [DirectoryScan.Unreadable(directory: .root, error: error)]
    }
    return listing
  }

  /// Plans to read a path. A path that can't (or can no longer) be an item counts as missing, so
  /// that a folder's problem clears once the folder can be read.
  private func read(_ path: RelativePath, _ early: ReadAhead.EarlyFile?, _ plan: inout ParallelReader.Plan) {
    if let format = rules.format(of: path), rules.reaches(path) {
      plan.requests.append(ReadRequest(path: path, format: format, early: early))
    } else {
      plan.findings.append((path, .missing))
    }
  }
}

/// The part of a store's options that the reading of its files needs.
package struct ReadOptions: Sendable {
  /// The limits for each file, such as its size in bytes and its depth.
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
