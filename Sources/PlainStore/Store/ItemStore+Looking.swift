import DirectoryWatch
import PlainText
import Synchronization

extension ItemStore {
  /// Finds out what is at dirty paths and hands on what changed, as one step. Called by one task only: two readings of one file must not overtake each other.
  func look(at dirty: DirtyPaths) {
    var dirty = dirty
    var changes = StoreChanges()
    var isNewView = false
    let isOnlySettings = dirty.subtrees.isEmpty && dirty.files == [PathRules.settingsPath]
    if dirty.files.remove(PathRules.settingsPath) != nil || dirty.subtrees.contains(.root) {
      isNewView = takeSettings(&dirty, &changes)
    }
    // The plan is made from a copy, which has to be gone before the contents are changed in place.
    let plan = state.withLock { $0.contents }.plan(dirty, root: root)
    let findings = reader.findings(of: plan, root: root)
    let (step, lists) = state.withLock { state in
      let (certain, doubtful) = state.sortOut(findings, of: dirty, isFollowed: watch != nil)
      for path in doubtful { watch?.lookLater(at: path) }
      changes.formUnion(state.contents.apply(certain))
      let isView = isNewView && (isOnlySettings || changes.ids.isEmpty)
      let origin: ResultsUpdate.Origin = isView ? .view : dirty.origin == .git ? .git : .files
      state.results.removeAll { $0.results == nil }
      return (StoreStep(state: state.contents.state, changes: changes, origin: origin), state.alive)
    }
    // Outside of the lock: a list of the caller's own type runs code of the caller's. One task looks, so every list is handed the steps in their order.
    for results in lists { results.take(step) }
  }

  /// Reads the settings anew. True where they are others; `dirty` then names what has to be looked at because of that.
  private func takeSettings(_ dirty: inout DirtyPaths, _ changes: inout StoreChanges) -> Bool {
    let found = Result { () throws(Problem) in try SettingsFile.read(in: root, limits: options.limits) }
    let (old, new) = state.withLock { state in state.take(found, &changes) }
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
    _ findings: [(path: RelativePath, finding: FileFinding)], of dirty: DirtyPaths, isFollowed: Bool
  ) -> (certain: [(path: RelativePath, finding: FileFinding)], doubtful: [RelativePath]) {
    var doubtful: [RelativePath] = []
    let certain = findings.filter { path, finding in
      let isSecondLook = doubted.remove(path) != nil
      guard isFollowed, !isSecondLook, isDoubtful(finding, at: path, of: dirty) else { return true }
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
    case .unchanged, .item: false
    }
  }

  /// Takes on settings that every list can show; others are a problem. Answers those that held before and those that hold now.
  fileprivate mutating func take(_ found: Result<SettingsFile?, Problem>, _ changes: inout StoreChanges) -> (old: Settings, new: Settings) {
    let old = contents.settings
    do throws(Problem) {
      guard let file = try found.get() else { return (old, old) }
      for results in alive { try results.check(file) }
      changes.formUnion(contents.apply([(PathRules.settingsPath, .missing)]))
      if file.settings != old { changes.formUnion(contents.adopt(file.settings)) }
    } catch {
      changes.formUnion(contents.apply([(PathRules.settingsPath, .problem(error))]))
    }
    return (old, contents.settings)
  }

  var alive: [FetchedResults] { results.compactMap(\.results) }
}
