import DirectoryWatch
import LinuxFiles
import PlainText
import Synchronization

extension ItemStore {
  /// What is left to do when the folder was read and the watch stands.
  func begin() async {
    await turns.take()
    defer { turns.give() }
    state.withLock { state in
      lookLater(atWhatFailedIn: state.contents.model.problems.map { ($0, .problem($1)) }, &state)
    }
    // They were read before the watch was set.
    look(at: DirtyPaths(files: [PathRules.settingsPath]))
    if let interval = options.auditInterval { watch?.scheduleTick(after: interval) }
  }

  /// Handles one event of the watcher.
  func take(_ event: WatchEvent, of watch: DirectoryWatcher, _ audit: inout Audit?) async {
    await turns.take()
    defer { turns.give() }
    switch event {
    case .dirty(let paths): await look(at: paths, following: watch)
    case .tick: goOn(with: &audit)
    }
  }

  /// What is at dirty paths, and not taken in yet.
  struct Reading {
    var dirty: DirtyPaths
    /// Whether nobody is at work on the files, so that what is broken needs no second look.
    let isCertain: Bool
    var changes = StoreChanges()
    var isNewView = false
    var isOnlySettings = true
    var findings: [(path: RelativePath, finding: FileFinding)] = []

    init(_ dirty: DirtyPaths, isCertain: Bool = false) {
      self.dirty = dirty
      self.isCertain = isCertain
    }

    var namesSomething: Bool { !dirty.isEmpty }
  }

  /// The same as `look(at:)`, but where a git command overtook the reading, what that changes is read with it once it is over: no list shows half of it. Nothing is put
  /// off for longer than the watch puts it off.
  func look(at dirty: DirtyPaths, following watch: DirectoryWatcher) async {
    let end = ContinuousClock.now + options.watch.maxWait
    var reading = Reading(dirty)
    if !reading.namesSomething { return }
    read(&reading)
    while ContinuousClock.now < end, let more = await watch.batch(overtaking: reading.dirty) {
      reading.dirty.formUnion(more)
      read(&reading)
    }
    take(reading)
  }

  /// Finds out what is at dirty paths and hands on what changed, as one step. Called by one task at a time (`turns`): two readings of one file must not overtake each other.
  ///
  /// - Parameter isCertain: whether nobody is at work on the files, so that what is broken needs no second look.
  func look(at dirty: DirtyPaths, isCertain: Bool = false) {
    var reading = Reading(dirty, isCertain: isCertain)
    if !reading.namesSomething { return }
    read(&reading)
    take(reading)
  }

  private func read(_ reading: inout Reading) {
    let isOnlySettings = reading.dirty.subtrees.isEmpty && reading.dirty.files == [PathRules.settingsPath]
    reading.isOnlySettings = reading.isOnlySettings && (isOnlySettings || !reading.namesSomething)
    if reading.dirty.files.remove(PathRules.settingsPath) != nil || reading.dirty.subtrees.contains(.root) {
      let isNewView = takeSettings(&reading.dirty, &reading.changes)
      reading.isNewView = reading.isNewView || isNewView
    }
    // A root that could not be opened or listed clears that with the first look that can.
    if state.withLock({ $0.contents.model.isBroken(.root) }) { reading.dirty.subtrees.insert(.root) }
    // The plan is made from a copy, which has to be gone before the contents are changed in place.
    let plan = state.withLock { $0.contents }.plan(reading.dirty, root: location, named: root)
    reading.findings = reader.findings(of: plan, root: location, named: root)
  }

  private func take(_ reading: Reading) {
    var changes = reading.changes
    let (dirty, findings) = (reading.dirty, reading.findings)
    let (step, lists) = state.withLock { state in
      let (certain, doubtful) = state.sortOut(findings, of: dirty, mayDoubt: watch != nil && !reading.isCertain)
      for path in doubtful { watch?.recheck(path) }
      lookLater(atWhatFailedIn: findings, &state)
      changes.formUnion(state.contents.apply(certain))
      for path in state.contents.takeReadable() { watch?.recheck(path) }
      let isView = reading.isNewView && (reading.isOnlySettings || changes.ids.isEmpty)
      let origin: ResultsUpdate.Origin = isView ? .view : dirty.origin == .git ? .git : .files
      state.results.removeAll { $0.results == nil }
      return (StoreStep(state: state.contents.state, changes: changes, origin: origin, since: dirty.since), state.alive)
    }
    // Outside of the lock: a list of the caller's own type runs code of the caller's. One task looks at a time, so every list is handed the steps in their order.
    for results in lists { results.take(step) }
  }

  /// What the system could not look at is looked at again, until it can.
  func lookLater(atWhatFailedIn findings: [(path: RelativePath, finding: FileFinding)], _ state: inout State) {
    guard let watch else { return }
    let rules = state.contents.rules
    let again = state.retries.take(findings) { $0 == PathRules.settingsPath || rules.format(of: $0) != nil }
    for (delay, places) in again { watch.recheck(places, after: delay) }
  }

  /// Reads the settings anew. True where they are others; `dirty` then names what has to be looked at because of that.
  private func takeSettings(_ dirty: inout DirtyPaths, _ changes: inout StoreChanges) -> Bool {
    let found = Result { () throws(Problem) in try SettingsFile.read(in: location, named: root, limits: options.limits) }
    let (old, new) = state.withLock { state in
      var failures: [(path: RelativePath, finding: FileFinding)] = [(PathRules.settingsPath, .missing)]
      if case .failure(let problem) = found { failures = [(problem.path, .problem(problem))] }
      lookLater(atWhatFailedIn: failures, &state)
      return state.take(found, &changes)
    }
    // Other globs let other files in; with other fields for the id, files that had none may have one.
    if new.ignore != old.ignore || new.idFields != old.idFields { dirty.subtrees = [.root] }
    // It sets every watch anew, so only where it has to.
    if new.ignore != old.ignore { watch?.setFilter(PathRules(ignore: new.ignore).watchFilter) }
    return new != old
  }
}

extension ItemStore.State {
  /// A good file that is found broken, or not found, may be in the midst of a save, whose end has not been heard of yet: it gets a second look before that is a problem, or the end of it.
  mutating func sortOut(
    _ findings: [(path: RelativePath, finding: FileFinding)], of dirty: DirtyPaths, mayDoubt: Bool
  ) -> (certain: [(path: RelativePath, finding: FileFinding)], doubtful: [RelativePath]) {
    var doubtful: [RelativePath] = []
    let certain = findings.filter { path, finding in
      let isSecondLook = doubted.remove(path) != nil
      guard mayDoubt, !isSecondLook, isDoubtful(finding, at: path, of: dirty) else { return true }
      doubted.insert(path)
      doubtful.append(path)
      return false
    }
    return (certain, doubtful)
  }

  private func isDoubtful(_ finding: FileFinding, at path: RelativePath, of dirty: DirtyPaths) -> Bool {
    switch finding {
    case .problem: contents.model.stamp(of: path) != nil
    // Below a folder that is looked at as a whole, nothing was told of the file itself.
    case .missing:
      dirty.files.contains(path) && !dirty.gone.contains(path) && contents.model.hasItem(at: path) && contents.rules.reaches(path)
    // Markdown may be empty, but programs that save also empty a file first. git does not.
    case .item(let stamp, _): dirty.origin != .git && stamp.size == 0 && contents.model.stamp(of: path).map { $0.size > 0 } == true
    case .unchanged, .tooExpanded: false
    }
  }

  /// Takes on settings that every list can show; others are a problem. Answers those that held before and those that hold now.
  fileprivate mutating func take(_ found: Result<SettingsFile?, Problem>, _ changes: inout StoreChanges) -> (old: Settings, new: Settings) {
    let old = contents.settings
    do throws(Problem) {
      guard let file = try found.get() else { return (old, old) }
      let settings = file.settings.keepingViews(of: old)
      for results in alive { try results.check(settings, of: file) }
      changes.formUnion(contents.apply([(PathRules.settingsPath, file.viewProblem.map { .problem($0) } ?? .missing)]))
      if settings != old { changes.formUnion(contents.adopt(settings)) }
    } catch {
      changes.formUnion(contents.apply([(error.path, .problem(error))]))
    }
    return (old, contents.settings)
  }

  var alive: [FetchedResults] { results.compactMap(\.results) }
}
