import DirectoryWatch
import HashTreeCollections
import PlainText

/// What a store holds, and how it takes in what is on disk.
struct StoreContents: Sendable {
  private(set) var model: StoreModel
  private(set) var settings: Settings
  private(set) var rules: PathRules
  private var version = 0
  private let options: StoreOptions

  init(settings: Settings, options: StoreOptions) {
    self.settings = settings
    self.options = options
    rules = PathRules(ignore: settings.ignore)
    model = StoreModel(idFields: options.idFields ?? settings.idFields)
  }

  var state: StoreState {
    StoreState(items: model.items, problems: model.problems, settings: settings, version: version)
  }

  mutating func apply(_ findings: [(path: RelativePath, finding: FileFinding)]) -> StoreChanges {
    version += 1
    return model.apply(findings)
  }

  /// Reads what a first plan asks for, a part at a time, so that what was read and what is kept of it never stand side by side for all files at once.
  mutating func load(_ plan: Plan, with reader: ParallelReader, root: String) {
    model.load(plan.findings)
    reader.forEachPart(of: plan.requests, root: root) { model.load($0) }
    model.finishLoading()
    version += 1
  }

  /// Takes on other settings. Items whose id changes with them go and come; what becomes of paths that are ignored now or no more, a look at the root will tell.
  mutating func adopt(_ new: Settings) -> StoreChanges {
    version += 1
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
      plan.findings.append((folder.directory, .problem(Problem(path: folder.directory, message: folder.error.description))))
    }
    return plan
  }

  /// What tells what became of dirty paths: each named file is read whatever its stamp, below a subtree only what has another stamp.
  func plan(_ dirty: DirtyPaths, root: String) -> Plan {
    var plan = Plan()
    for path in dirty.files { look(for: path, &plan) }
    if dirty.subtrees.isEmpty { return plan }
    var known = model.knownPaths.subtracting(dirty.files)
    known.remove(PathRules.settingsPath)
    for subtree in dirty.subtrees {
      do throws(WatchError) {
        // The rules may be others than when the subtree became dirty.
        let isIn = rules.reachesFolder(subtree)
        let listing = isIn ? try DirectoryScan.scan(root: root, below: subtree, filter: rules.watchFilter) : DirectoryScan.Listing()
        add(listing, of: subtree, knowing: known, &plan)
      } catch  where error.code == .notFound || error.code == .notADirectory {
        add(DirectoryScan.Listing(), of: subtree, knowing: known, &plan)
      } catch {
        plan.findings.append((subtree, .problem(Problem(path: subtree, message: error.description))))
      }
    }
    return plan
  }

  private func add(_ listing: DirectoryScan.Listing, of subtree: RelativePath, knowing known: Set<RelativePath>, _ plan: inout Plan) {
    let found = self.plan(listing)
    plan.requests += found.requests
    plan.findings += found.findings
    let seen = Set(found.requests.map(\.path)).union(found.findings.map(\.path))
    for path in known where (path.isBelow(subtree) || path == subtree) && !seen.contains(path) {
      // What is behind a folder that cannot be read is not known to be gone.
      if rules.reaches(path), listing.unreadable.contains(where: { path.isBelow($0.directory) }) { continue }
      look(for: path, &plan)
    }
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
