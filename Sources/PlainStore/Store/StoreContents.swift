import DirectoryWatch
import HashTreeCollections
import LinuxFiles
import PlainText

/// What a store holds, and how it takes in what is on disk.
struct StoreContents: Sendable {
  private(set) var model: StoreModel
  private(set) var settings: Settings
  private(set) var rules: PathRules
  private let options: StoreOptions

  init(settings: Settings, options: StoreOptions) {
    self.settings = settings
    self.options = options
    rules = PathRules(ignore: settings.ignore)
    model = StoreModel(idFields: options.idFields ?? settings.idFields, expandedSize: options.limits.totalExpandedSize)
  }

  var state: StoreState {
    StoreState(items: model.items, problems: model.problems, settings: settings, version: 0)
  }

  mutating func apply(_ findings: [(path: RelativePath, finding: FileFinding)]) -> StoreChanges { model.apply(findings) }

  /// Files that were refused for what others took, and that are to be read again since there is room.
  mutating func takeReadable() -> Set<RelativePath> { model.takeReadable() }

  /// Reads what a first plan asks for. What was read is taken in at once, so that it and what is kept of it never stand side by side for all files.
  mutating func load(_ plan: Plan, with reader: ParallelReader, root: String) {
    model.reserveCapacity(plan.requests.count)
    model.load(plan.findings)
    model = reader.read(plan.requests, root: root, into: exchange(&model, with: StoreModel())) { model, _, findings in model.load(findings)
    }
    model.finishLoading()
  }

  /// Takes on other settings. Items whose id changes with them go and come; what becomes of paths that are ignored now or no more, a look at the root will tell.
  mutating func adopt(_ new: Settings) -> StoreChanges {
    settings = new
    rules = PathRules(ignore: new.ignore)
    return model.reidentify(by: options.idFields ?? new.idFields)
  }
}

extension StoreContents {
  /// What to read, and the findings that need no reading.
  struct Plan {
    var requests: [ReadRequest] = []
    var findings: [(path: RelativePath, finding: FileFinding)] = []
  }

  /// Everything that a walk found.
  func plan(_ listing: DirectoryScan.Listing) -> Plan {
    var plan = Plan()
    for entry in listing.entries {
      guard let format = rules.format(of: entry.path) else { continue }
      plan.requests.append(
        ReadRequest(path: entry.path, format: format, isRegular: entry.kind == .regular, known: model.stamp(of: entry.path)))
    }
    for folder in listing.unreadable {
      var problem = Problem(path: folder.directory, message: folder.error.description)
      problem.isTransient = folder.error.isTransient
      plan.findings.append((folder.directory, .problem(problem)))
    }
    return plan
  }

  /// What tells what became of dirty paths: each named file is read whatever its stamp, below a subtree only what has another stamp. Problems name the root by `name`.
  func plan(_ dirty: DirtyPaths, root: String, named name: String? = nil) -> Plan {
    var plan = Plan()
    for path in dirty.files { look(for: path, &plan) }
    if dirty.subtrees.isEmpty { return plan }
    var seen = dirty.files
    var unknown: Set<RelativePath> = []
    for subtree in dirty.subtrees where !subtree.hasParent(in: dirty.subtrees) {
      let found = list(subtree, root: root, named: name ?? root)
      unknown.formUnion(found.unreadable.map(\.directory))
      let listed = self.plan(found)
      plan.requests += listed.requests.filter { !dirty.files.contains($0.path) }
      plan.findings += listed.findings
      seen.formUnion(listed.requests.map(\.path))
      seen.formUnion(listed.findings.map(\.path))
    }
    for path in model.knownPaths where !seen.contains(path) && path != PathRules.settingsPath {
      guard dirty.subtrees.contains(path) || path.hasParent(in: dirty.subtrees) else { continue }
      // What is behind a folder that cannot be read is not known to be gone.
      if !unknown.isEmpty, rules.reaches(path), path.hasParent(in: unknown) { continue }
      look(for: path, &plan)
    }
    return plan
  }

  /// What is below a folder now; nothing where it is gone, or is no place for items by rules that may be younger than what made it dirty.
  private func list(_ subtree: RelativePath, root: String, named name: String) -> DirectoryScan.Listing {
    var listing = DirectoryScan.Listing()
    guard rules.reachesFolder(subtree) else { return listing }
    do throws(WatchError) {
      listing = try DirectoryScan.scan(root: root, named: name, below: subtree, filter: rules.watchFilter)
    } catch {
      if error.code != .notFound, error.code != .notADirectory {
        listing.unreadable = [DirectoryScan.Unreadable(directory: subtree, error: error)]
      }
    }
    return listing
  }

  /// A path that is no place for an item (any more) is missing, whatever is there: so a folder's own problem goes once it can be read.
  private func look(for path: RelativePath, _ plan: inout Plan) {
    if let format = rules.format(of: path), rules.reaches(path) {
      plan.requests.append(ReadRequest(path: path, format: format, isRegular: false, known: nil))
    } else {
      plan.findings.append((path, .missing))
    }
  }
}

extension RelativePath {
  /// Whether a folder that it is in is among these. As many look-ups as it is deep.
  fileprivate func hasParent(in folders: Set<RelativePath>) -> Bool {
    var folder = parent
    while let current = folder {
      if folders.contains(current) { return true }
      folder = current.parent
    }
    return false
  }
}
