import Files
import Folder
import Glibc
import Query
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
  /// The worker blocks in system calls, so it has its own queue.
  /// Queue: scans after the first, saves, audits, and what they change in lists: decoding of
  /// models, request resolvers. Blocks in file calls.
  let executor = QueueExecutor("store")

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
  /// - Parameter abilities: What the file system can do when it saves; less in tests.
  init(
    at root: String, watching: Bool, options: StoreOptions,
    abilities: FileSaver.Abilities = FileSaver.Abilities()
  ) throws(StoreError) {
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

/// The answer to a request to save.
enum SaveAnswer: Sendable {
  case made(SaveReport)
  /// Nothing was written. The changes with these numbers are slow: they must be worked out first, or
  /// again because their files have changed since.
  case slow(Set<Int>)
}
