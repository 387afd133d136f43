import Files
import Folder
import Glibc
import Query
import Synchronization
import TextEdits
import Watch

/// The serial worker of a store: the one place where a store's contents change.
///
/// It is created by the thread that opens the store. `start` then hands it to a task that handles
/// one message at a time, and nothing else touches it; so its properties need no lock. What other
/// threads may see goes through `published`. The worker holds no lock while it reads files, writes
/// them, gives a step to a list or calls user code (request resolvers, `init(from:)`), so that such
/// code may ask the store and its lists anything. It must not wait for a save: the worker would
/// wait for itself.
///
/// The task ends when the messages end, which the store's `deinit` ensures. A task that awaits a
/// save holds the store, so every save is answered.
final class StoreWorker {
  let root: String
  /// The folder's absolute path.
  let location: String
  let options: StoreOptions
  let watch: DirectoryWatcher?
  let reader: ParallelReader
  let readAhead: ReadAhead
  let editor: ItemEditor
  let published: PublishedStore
  let messages: AsyncStream<StoreMessage>.Continuation
  private let inbox: AsyncStream<StoreMessage>
  let executor: QueueExecutor

  var contents: StoreContents
  var unconfirmed = UnconfirmedFindings()
  /// The files that must be read a second time. The watch was asked to report them again soon.
  var secondReads: Set<RelativePath> = []
  /// Files and folders that the system could not read.
  var retries = RetryDelays()
  /// The audit that is under way.
  var audit: Audit?
  /// The saves that wait for their grace periods, by their numbers.
  var saves: [Int: ActiveSave] = [:]
  var lastSave = 0
  /// The large text that a save wrote last. The event of that write then costs no second parsing.
  var ownText: (path: RelativePath, text: ItemText)?

  /// Opens a folder and reads all of its items.
  ///
  /// - Parameters:
  ///   - executor: The worker's queue, on which its task will run.
  ///   - abilities: What the file system can do when it saves; less in tests.
  init(
    at root: String, watching: Bool, options: StoreOptions, on executor: QueueExecutor = makeExecutor(),
    abilities: FileSaver.Abilities = FileSaver.Abilities()
  ) throws(StoreError) {
    self.executor = executor
    self.root = root
    location = RootPath(root).absolute
    self.options = options
    reader = ParallelReader(limits: options.limits, threads: options.readers)
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
      firstReading = try contents.load(from: location, with: reader, cache: cache, began: began) {
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

  /// Makes the queue of a store. The worker blocks in system calls, so it has its own.
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

  /// Hands a worker to its task.
  static func start(_ worker: sending StoreWorker) {
    Task(executorPreference: worker.executor) { await worker.run() }
  }

  /// Asks the watch for its next event, which becomes a message. Until then, the watch merges its
  /// batches; so nothing piles up while the worker is busy.
  private func requestEvent() {
    watch?.next { [messages] event in
      if let event { messages.send(.event(event)) }
    }
  }

  private func run() async {
    if watch != nil { begin() }
    requestEvent()
    for await message in inbox {
      switch message {
      case .event(let event):
        switch event {
        case .dirty(let dirty): if let watch { await scan(dirty, following: watch) }
        case .tick: continueAudit()
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
    }
  }
}

extension AsyncStream<StoreMessage>.Continuation {
  /// Sends a message. One that comes after the end of the store is answered here.
  func send(_ message: StoreMessage) {
    guard case .terminated = yield(message) else { return }
    switch message {
    case .dirty(_, _, _, let reply): reply.resume()
    case .needsSecondRead(let reply): reply.resume(returning: false)
    case .freshState(let reply):
      reply.resume(returning: StoreContents(settings: Settings(), options: ReadOptions()).state)
    case .save(_, let reply): reply.resume(returning: .failure(StoreError(.system, "The store is closed.")))
    case .event, .resume: break
    }
  }
}

/// A message to a store's worker. Messages are handled one at a time, in the order in which they
/// were sent.
enum StoreMessage: Sendable {
  /// The watch has a batch; or it is time for the next part of an audit, and everything that was
  /// noticed before is in an earlier message.
  case event(WatchEvent)
  /// Paths are to be read. `watch` is the watch that names them if git changes them meanwhile: its
  /// batches are then read in the same step. `reply` is resumed once every list has the step.
  /// `isCertain` is true if no program can be writing the files.
  case dirty(
    DirtyPaths, following: DirectoryWatcher?, isCertain: Bool = false, reply: CheckedContinuation<Void, Never>
  )
  /// Asks whether some files must be read a second time before their findings count.
  case needsSecondRead(reply: CheckedContinuation<Bool, Never>)
  /// Asks for the contents without last good items.
  case freshState(reply: CheckedContinuation<StoreState, Never>)
  /// Changes are to be written. `reply` gets the report once every list has all of them, or after the
  /// grace period of replaced files.
  case save(SaveRequest, reply: CheckedContinuation<Result<SaveAnswer, StoreError>, Never>)
  /// The grace period of a save is over.
  case resume(save: Int)
}

/// Changes to write.
struct SaveRequest: Sendable {
  let changes: [PendingChange]
  let policy: MergePolicy?
  /// The turn that these changes have among the updates of their items. It ends once every list has
  /// all of them, unless one failed.
  let turn: UpdateTurn?
  /// The computed effects of slow changes, by their numbers.
  var preparations: [Int: EditTarget] = [:]
  /// The number of times that slow changes were worked out.
  var rounds = 0
}

enum SaveAnswer: Sendable {
  case made(SaveReport)
  /// Nothing was written. The changes with these numbers are slow: they must be worked out first, or
  /// again because their files have changed since.
  case slow(Set<Int>)
}

/// The part of a store that several threads share: its current state, its lists and its counters.
///
/// One lock guards all of it. While it is held, no other lock is acquired and no user code runs.
/// The worker alone publishes states; every thread may read them and register lists.
final class PublishedStore: Sendable {
  private struct Contents {
    var state: StoreState
    var lists: [WeakList] = []
    /// The counters that no state has.
    var counters = StoreCounters()
    /// The result of the first reading for the cache, until it was recorded.
    var firstReading: (cache: any ReadCache, found: FirstReadingRecord)?

    var aliveLists: [FetchedResults] { lists.compactMap(\.list) }
  }

  private struct WeakList {
    weak var list: FetchedResults?
  }

  /// Lock: guards the current state, the registered lists, the counters, and what the first reading
  /// found until it is recorded.
  private let contents: Mutex<Contents>
  let rows = SharedRowsTable()

  /// - Parameter firstReading: The cache, and what the first reading found for it; nil without a cache.
  init(
    _ state: StoreState, cacheHits: Int = 0, cacheMisses: Int = 0,
    firstReading: (cache: any ReadCache, found: FirstReadingRecord)? = nil
  ) {
    var counters = StoreCounters()
    counters.cacheHits = cacheHits
    counters.cacheMisses = cacheMisses
    contents = Mutex(Contents(state: state, counters: counters, firstReading: firstReading))
  }

  var state: StoreState { contents.withLock(\.state) }

  /// The lists that somebody holds, in the order in which they were made.
  var lists: [FetchedResults] { contents.withLock(\.aliveLists) }

  /// Publishes the state after a step, under a new version.
  ///
  /// - Returns: The published state, and the lists to give the step to. A list that registers later
  ///   was made of this state.
  func publish(_ state: StoreState) -> (state: StoreState, lists: [FetchedResults]) {
    contents.withLock { contents in
      contents.lists.removeAll { $0.list == nil }
      contents.state = state.numbered(contents.state.version + 1)
      return (contents.state, contents.aliveLists)
    }
  }

  /// Publishes other settings before the changes that follow from them, unless a list was
  /// registered that has not accepted them.
  ///
  /// - Returns: Those lists; none if the settings were published.
  func publish(_ settings: Settings, acceptedBy accepted: [FetchedResults]) -> [FetchedResults] {
    contents.withLock { contents in
      let others = contents.aliveLists.filter { list in !accepted.contains { $0 === list } }
      if others.isEmpty { contents.state = contents.state.with(settings) }
      return others
    }
  }

  /// Registers a list for all further steps, if it was made of the newest state.
  ///
  /// - Returns: Nil if it was; otherwise the newest state.
  func register(_ list: FetchedResults, madeOf known: StoreState) -> StoreState? {
    contents.withLock { contents in
      if contents.state.version != known.version { return contents.state }
      contents.lists.append(WeakList(list: list))
      return nil
    }
  }

  /// Hands what the first reading found to the cache, once. The cache may write a file.
  func recordFirstReading() {
    guard let (cache, found) = contents.withLock({ exchange(&$0.firstReading, with: nil) }) else { return }
    if !cache.isCurrent(entryCount: found.entryCount) { cache.record(found.folders) }
  }

  func countAudit() { contents.withLock { $0.counters.audits += 1 } }

  func countMissedChanges(_ count: Int) { contents.withLock { $0.counters.missedChanges += count } }

  /// The counters that the store keeps itself.
  var counters: StoreCounters {
    contents.withLock { contents in
      var counters = contents.counters
      counters.items = contents.state.items.count
      counters.problems = contents.state.problems.count
      return counters
    }
  }
}

extension StoreState {
  fileprivate func numbered(_ version: Int) -> StoreState {
    StoreState(items: items, problems: problems, settings: settings, version: version)
  }

  fileprivate func with(_ settings: Settings) -> StoreState {
    StoreState(items: items, problems: problems, settings: settings, version: version + 1)
  }
}
