/// The serial worker of a store: the one place where a store's contents change.
///
/// It is created by the thread that opens the store. `start` then hands it to a task that handles one message
/// at a time, and nothing else touches it; so its properties need no lock. What other threads may see goes
/// through `published`. The worker holds no lock while it reads files, writes them, gives a step to a list or
/// calls user code (request resolvers, `init(from:)`), so that such code may ask the store and its lists
/// anything. It must not wait for a save: the worker would wait for itself.
///
/// The task ends when the messages end, which the store's `deinit` ensures. A task that awaits a
/// save holds the store, so every save is answered.
final class StoreWorker {
  let root: String
  let location: String
  let options: StoreOptions
  let watch: DirectoryWatcher?
  let readAhead: ReadAhead
  let editor: ItemEditor
  let published: PublishedStore
  let messages: AsyncStream<StoreMessage>.Continuation
  private let inbox: AsyncStream<StoreMessage>
  let executor: QueueExecutor

  var contents: StoreContents
  /// The files that must be read a second time. The watch was asked to report them again soon.
  var secondReads: Set<RelativePath> = []
  /// True if a list could not show the settings at their last reading.
  private var isRefused = false
  /// Files and folders that the system could not read.
  var retries = RetryDelays()
  var audit: Audit?
  /// The saves that wait for their grace periods, by their numbers.
  var saves: [Int: ActiveSave] = [:]
  var lastSave = 0
  /// The large text that a save wrote last. The event of that write then costs no second parsing.
  var ownText: (path: RelativePath, text: ItemText)?

  /// Opens a folder and reads all of its items. `abilities` are fewer in tests.
  init(
    at root: String, watching: Bool, options: StoreOptions, on executor: QueueExecutor = makeExecutor(),
    abilities: FileSaver.Abilities = FileSaver.Abilities()
  ) throws(StoreError) {
    self.executor = executor
    self.root = root
    location = RootPath(root).absolute
    self.options = options
    let readAhead = ReadAhead(root: location, limits: options.limits)
    self.readAhead = readAhead
    var watchOptions = options.watch
    watchOptions.onEarlyFiles = { readAhead.add($0) }
    editor = ItemEditor(root: root, options: options, abilities: abilities)
    var contents = try StoreWorker.emptyContents(of: root, options)
    let filter = contents.rules.watchFilter
    let cache = options.openCache?(
      ReadCacheContext(root: location, settings: contents.settings, limits: options.limits))
    let known = cache.map { cache -> KnownListing in { cache.listing(of: $0, stamp: $1) } }
    // The watch lists the folder before anything is read.
    let began = FileTime.now
    let firstReading: FirstReadingRecord
    do throws(WatchError) {
      let watch =
        watching
        ? try DirectoryWatcher(root: root, filter: filter, options: watchOptions, knowing: known) : nil
      self.watch = watch
      firstReading = try contents.load(from: location, cache: cache, began: began) {
        found throws(WatchError) in
        guard let watch else {
          return try DirectoryScan.scan(root: root, named: root, filter: filter, known: known, found: found)
        }
        let listing = watch.consumeInitialListing()
        listing.folders.forEach(found)
        return listing.unreadable
      }
    } catch {
      throw StoreError(error)
    }
    let hits = cache?.hits ?? 0
    let items = firstReading.itemCount
    published = PublishedStore(
      contents.state, cacheHits: hits, cacheMisses: items - hits,
      firstReading: cache.map { ($0, firstReading) })
    self.contents = contents
    (inbox, messages) = AsyncStream.makeStream()
  }

  /// Makes the queue of a store. The worker blocks in system calls, so it does not run on the shared pool.
  static func makeExecutor() -> QueueExecutor {
    // Queue: opens a store for `ItemStore.open`; scans, saves, audits, and what they change in lists:
    // decoding of models, request resolvers. Blocks in file calls.
    QueueExecutor("store")
  }

  /// Returns the contents that the settings alone make: no item is read yet.
  private static func emptyContents(of root: String, _ options: StoreOptions) throws(StoreError)
    -> StoreContents
  {
    let folder = try OpenFolder(root, named: root)
    let (settings, problem) = try options.readSettings(in: folder, named: root)
    var contents = StoreContents(settings: settings, options: options.reading)
    if let problem { _ = contents.apply([(PathRules.settingsPath, .problem(problem))]) }
    return contents
  }

  static func start(_ worker: sending StoreWorker) {
    Task(executorPreference: worker.executor) { await worker.run() }
  }

  /// Asks the watch to say when it has an event. The event stays in the watch, which merges its
  /// batches: so nothing piles up while the worker is busy, and a scan gets the batch that it waits for.
  private func requestEvent() {
    watch?.listen { [messages] in messages.send(.event) }
  }

  private func run() async {
    if watch != nil { begin() }
    requestEvent()
    for await message in inbox {
      switch message {
      case .event:
        switch watch?.take() {
        case .dirty(let dirty): if let watch { await scan(dirty, following: watch) }
        case .tick: continueAudit()
        case nil: break  // A scan has taken it.
        }
        requestEvent()
      case .dirty(let dirty, let watch, let isCertain, let reply):
        if let watch {
          await scan(dirty, following: watch)
        } else {
          scan(dirty, isCertain: isCertain)
        }
        reply.resume()
      case .needsSecondRead(let reply): reply.resume(returning: !secondReads.isEmpty)
      case .freshState(let reply): reply.resume(returning: contents.freshState)
      case .save(let request, let reply): save(request, reply)
      case .resume(let number): resume(save: number)
      }
      // Readers on the same queue get this step before the next one, however many messages wait.
      await executor.run {}
    }
  }
}

/// Dirty paths that were read but not yet published to the lists.
private struct StoreScan {
  var dirty: DirtyPaths
  /// True if nobody can be writing the files, so that no finding waits for a second read.
  let isCertain: Bool
  var changes = StoreChanges()
  var hasNewSettings = false
  var hasOnlySettings = true
  var findings: [(path: RelativePath, finding: FileFinding)] = []
  /// The files that need not be read if they still have their stamps: they were read before a git
  /// command was over, or written by a save of this store.
  var early: [RelativePath: ReadAhead.EarlyFile] = [:]
}

extension StoreWorker {
  /// Completes the start of the worker, after the folder was read and the watch was set.
  func begin() {
    recheck(failuresIn: contents.model.problems.map { ($0, .problem($1)) })
    // The settings were read before the watch was set, so a change since then has no event.
    scan(DirtyPaths(files: [PathRules.settingsPath]))
    if let interval = options.auditInterval { watch?.scheduleTick(after: interval) }
  }

  /// Reads dirty paths and gives the lists what changed, as one step. Those in `early` are known as written.
  func scan(_ dirty: DirtyPaths, isCertain: Bool = false, early: [RelativePath: ReadAhead.EarlyFile] = [:]) {
    if dirty.isEmpty { return }
    var scan = StoreScan(dirty: dirty, isCertain: isCertain, early: early)
    read(&scan)
    publish(scan)
  }

  /// Reads a batch of the watch and gives the lists what changed, as one step.
  ///
  /// If a git command changes the paths while they are read, this waits for its end, at most for
  /// `WatchOptions.maxWait`. It then reads all changes of the command in the same step, so that no
  /// list shows half of them.
  func scan(_ dirty: DirtyPaths, following watch: DirectoryWatcher) async {
    if dirty.isEmpty { return }
    let end = ContinuousClock.now + options.watch.maxWait
    var scan = StoreScan(dirty: dirty, isCertain: false)
    read(&scan)
    while ContinuousClock.now < end, let more = await watch.batch(overtaking: scan.dirty) {
      scan.dirty.formUnion(more)
      scan.early = scan.early.filter { scan.dirty.early.contains($0.key) }
      read(&scan)
    }
    publish(scan)
  }

  private func read(_ scan: inout StoreScan) {
    let start = ContinuousClock.now
    defer { published.report(.read(files: scan.findings.count), since: start) }
    let isOnlySettings = scan.dirty.subtrees.isEmpty && scan.dirty.files == [PathRules.settingsPath]
    scan.hasOnlySettings = scan.hasOnlySettings && (isOnlySettings || scan.dirty.isEmpty)
    let hasSettings = scan.dirty.files.remove(PathRules.settingsPath) != nil
    if hasSettings || isRefused || scan.dirty.subtrees.contains(.root) {
      readSettings(&scan)
    }
    // The first scan that can open and list the root clears the root's own problem.
    if contents.model.isBroken(.root) { scan.dirty.subtrees.insert(.root) }
    let early = readAhead.consume(scan.dirty)
    if scan.early.isEmpty { scan.early = early } else { scan.early.merge(early) { $1 } }
    if let (path, text) = ownText, scan.early[path] == nil, scan.dirty.files.contains(path),
      let fields = try? text.fields.get()
    {
      scan.early[path] = ReadAhead.EarlyFile(stamp: .none, fields: fields, bytes: text.bytes)
    }
    scan.findings = contents.findings(
      of: contents.plan(scan.dirty, root: location, named: root, early: scan.early), root: location,
      named: root)
  }

  private func publish(_ scan: StoreScan) {
    let start = ContinuousClock.now
    let (certain, unconfirmed) = contents.confirm(
      scan.findings, of: scan.dirty, mayWait: watch != nil && !scan.isCertain)
    secondReads = scan.dirty.subtrees.contains(.root) ? [] : secondReads.subtracting(scan.dirty.files)
    readAgain(unconfirmed)
    recheck(failuresIn: scan.findings)
    var changes = scan.changes
    changes.formUnion(contents.apply(certain))
    readAgain(contents.consumeReadable())
    let isView = scan.hasNewSettings && (scan.hasOnlySettings || changes.ids.isEmpty)
    let origin: UpdateOrigin = isView ? .view : scan.dirty.origin == .git ? .git : .files
    let (state, lists) = published.publish(contents.state)
    let isRescan = scan.dirty.isRescan || scan.dirty.subtrees.contains(.root)
    let cause: UpdateCause? = isRescan && !isView ? .rescanned : nil
    let step = StoreStep(
      state: state, changes: changes, origin: origin, cause: cause, since: scan.dirty.since)
    for list in lists { list.update(with: step) }
    if !changes.isEmpty {
      published.report(.step(changes, lists: lists.count, cause ?? .of(origin)), since: start)
    }
    if !changes.ids.isEmpty { options.onItemsRead(changes.ids) }
  }

  private func readAgain(_ paths: some Collection<RelativePath>) {
    guard let watch else { return }
    secondReads.formUnion(paths)
    for path in paths { watch.recheck(path) }
  }

  private func recheck(failuresIn findings: [(path: RelativePath, finding: FileFinding)]) {
    guard let watch else { return }
    let rules = contents.rules
    let again = retries.update(with: findings) { $0 == PathRules.settingsPath || rules.format(of: $0) != nil }
    for (delay, places) in again { watch.recheck(places, after: delay) }
  }

  // MARK: Settings

  /// Reads the settings again. If they changed, adds what must therefore be read to `scan.dirty`.
  private func readSettings(_ scan: inout StoreScan) {
    let old = contents.settings
    do throws(Problem) {
      let file = try SettingsFile.read(in: location, named: root, limits: options.limits)
      recheck(failuresIn: [(PathRules.settingsPath, .missing)])
      if let file { scan.changes.formUnion(adopt(file)) }
    } catch {
      recheck(failuresIn: [(error.path, .problem(error))])
      scan.changes.formUnion(contents.apply([(error.path, .problem(error))]))
    }
    let new = contents.settings
    // Other patterns may include other files. With other id fields, files that had no id may have one.
    if new.ignore != old.ignore || new.idFields != old.idFields { scan.dirty.subtrees = [.root] }
    // A new filter sets every watch again.
    if new.ignore != old.ignore { watch?.setFilter(contents.rules.watchFilter) }
    if new != old { scan.hasNewSettings = true }
  }

  /// Adopts settings. A list that cannot show them keeps its request, and its error is a problem of the file
  /// until a later reading.
  private func adopt(_ file: SettingsFile) -> StoreChanges {
    let settings = file.settings.keepingViews(of: contents.settings)
    let refusal = published.lists.lazy.compactMap { $0.problem(with: settings, of: file) }.first
    isRefused = refusal != nil
    let problem = refusal ?? file.viewProblem
    var changes = contents.apply([(PathRules.settingsPath, problem.map { .problem($0) } ?? .missing)])
    if settings != contents.settings {
      published.publish(settings)
      changes.formUnion(contents.adopt(settings))
    }
    return changes
  }
}

/// The delays before the next attempt to read each path that the system could not read. Pure.
struct RetryDelays {
  /// The delay after the first failure and the longest one. A shortage is often over at once, and a
  /// broken disk must not be read too often.
  static let first = Duration.milliseconds(250)
  static let last = Duration.seconds(60)

  private var retries: [RelativePath: Retry] = [:]

  /// Updates the delays with the findings of one scan, in any order. Returns the paths to read again.
  mutating func update(
    with findings: some Sequence<(path: RelativePath, finding: FileFinding)>, isFile: (RelativePath) -> Bool
  ) -> [Duration: DirtyPaths] {
    var again: [Duration: DirtyPaths] = [:]
    for (path, finding) in findings {
      guard case .problem(let problem) = finding, problem.isTransient else {
        if !retries.isEmpty { retries[path] = nil }
        continue
      }
      let delay = retries[path, default: Retry(first: RetryDelays.first, last: RetryDelays.last)].next()
      if isFile(path) {
        again[delay, default: DirtyPaths()].files.insert(path)
      } else {
        again[delay, default: DirtyPaths()].subtrees.insert(path)
      }
    }
    return again
  }
}
