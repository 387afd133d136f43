public import Files
import Glibc

/// Watches a folder and everything below it, and reports which paths to read again.
///
/// Promises:
/// - **Nothing is lost.** Every change below the root that the filter includes is in a batch that is
///   delivered after the change. This includes changes during an overflow of the kernel's queue, in a
///   folder that is created and filled at once, and in a root that is removed and created again.
/// - **A named file is complete**, as far as the file system shows. A save by any editor is one
///   entry in one batch. All changes of one git command are one batch. ``WatchOptions`` says how
///   long each kind of change waits.
/// - **No queue grows.** Batches that nobody fetches are merged into one. One thread does nothing
///   but drain the kernel's queue.
/// - **An idle watcher sleeps.** While nothing happens its thread runs no timer.
///
/// A batch is a hint, never a fact: read the file to find out what is there now.
///
/// ```swift
/// let watcher = try DirectoryWatcher(root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
/// for entry in watcher.consumeInitialListing().entries { read(entry.path) }
/// for await case .dirty(let batch) in watcher.events {
///   for path in batch.files { read(path) }             // changed, new or deleted
///   for folder in batch.subtrees { readAll(below: folder) }
/// }
/// ```
public final class DirectoryWatcher: Sendable {
  private let control: WatchControl

  /// Watches a folder, lists it, and starts the watcher's thread. Costs one `open` and one watch
  /// per folder.
  ///
  /// - Parameters:
  ///   - root: The folder to watch. If it is a symbolic link, the link is followed; links below it
  ///     are not.
  ///   - filter: The files to report and the folders to enter. By default everything except names
  ///     that begin with a dot.
  ///   - options: How long changes wait, and whether to poll.
  /// - Throws: ``WatchError`` if the root is not a folder or cannot be read. If polling is ruled
  ///   out, even if inotify is not available.
  public convenience init(
    root: String, filter: WatchFilter = WatchFilter(), options: WatchOptions = WatchOptions()
  ) throws(WatchError) {
    try self.init(root: root, filter: filter, options: options, knowing: nil)
  }

  /// `deliver` receives each event on the watcher's thread instead of ``next()``, without merging.
  package init(
    root: String, filter: WatchFilter, options: WatchOptions, knowing known: KnownListing?,
    deliver: (@Sendable (WatchEvent) -> Void)? = nil
  ) throws(WatchError) {
    // The system would see only the part before it.
    if root.utf8.contains(0) { throw .opening(root, ENOENT) }
    let control = try WatchControl(root: root)
    self.control = control
    let loop = try WatchLoop(
      root: RootPath(root), filter: filter, options: options.bounded, knowing: known, control: control,
      deliver: deliver ?? { control.put($0) })
    try loop.start()
  }

  deinit {
    stop()
  }

  // MARK: Events

  /// Returns the entries that were there when the watches were set, from the same walk. Later
  /// changes are in the first batches.
  ///
  /// The listing is large, so the watcher forgets it: a second call returns an empty listing.
  public func consumeInitialListing() -> DirectoryScan.Listing {
    control.consumeListing()
  }

  /// Returns the next event, and waits for one if there is none. Batches that became due since the
  /// last call are merged.
  ///
  /// Returns `nil` after ``stop()``, and when the calling task is cancelled. Cancelling loses no event.
  public func next() async -> WatchEvent? {
    await control.next()
  }

  /// Calls `listener` once as soon as there is an event to ``take()``, here or on the watcher's thread;
  /// never after ``stop()``. As with ``next()``, asking for an event says that the one before it was
  /// handled.
  package func listen(_ listener: @escaping @Sendable () -> Void) { control.listen(listener) }

  /// Returns the next event; nil if there is none, because another reader has taken it.
  package func take() -> WatchEvent? { control.take() }

  /// The events until ``stop()``. If several loops read them, each event goes to one of the loops.
  public var events: Events { Events(watcher: self) }

  /// The events of one ``DirectoryWatcher``.
  public struct Events: AsyncSequence, Sendable {
    /// Fetches one event after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let watcher: DirectoryWatcher

      /// Returns the next event; see ``DirectoryWatcher/next()``.
      public mutating func next() async -> WatchEvent? { await watcher.next() }
    }

    let watcher: DirectoryWatcher

    /// Returns an iterator that shares the events with all others.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watcher: watcher) }
  }

  // MARK: Reading while git works

  /// Waits for the next batch if a git command has begun to change the paths of `batch` since it
  /// was delivered; otherwise returns `nil` at once.
  ///
  /// A reader that has just read `batch` may have seen some files before the command and some after
  /// it. Add the returned batch and read all of it again:
  ///
  /// ```swift
  /// while let more = await watcher.batch(overtaking: batch) {
  ///   batch.formUnion(more)    // and read all of it again
  /// }
  /// ```
  ///
  /// Costs one `stat` per repository if git is idle, otherwise one round of the watcher's thread.
  /// Always `nil` while the watcher polls.
  public func batch(overtaking batch: DirtyPaths) async -> DirtyPaths? {
    guard await isOvertaken(batch) else { return nil }
    return await control.nextBatch()
  }

  /// Returns true if git has begun to change the paths of `batch` since it was delivered. What
  /// changed is then in a later batch.
  package func isOvertaken(_ batch: DirtyPaths) async -> Bool {
    await control.isOvertaken(batch)
  }

  // MARK: Requests

  /// Reports everything at and below a folder as dirty, and sets the watches that are missing
  /// there. Use it after a change that no event reports, such as a repaired mount.
  public func rescan(_ folder: RelativePath = .root) {
    control.send(.rescan(folder))
  }

  /// Reports a file as dirty again when it is complete, at the earliest after a quiet gap
  /// (``WatchOptions/settle``). Use it for a file that may be half written.
  public func recheck(_ file: RelativePath) {
    recheck(DirtyPaths(files: [file]), after: .zero)
  }

  /// Reports files and folders as dirty again after a delay and a quiet gap. Use it for paths that
  /// could not be read for a reason that may pass.
  ///
  /// Each path has one such time: a later call replaces an earlier one.
  public func recheck(_ paths: DirtyPaths, after delay: Duration) {
    control.send(.recheck(paths, after: delay.bounded))
  }

  /// Requests one ``WatchEvent/tick`` after a delay, as soon as no change is waiting. Every change
  /// observed before it is in an earlier batch.
  ///
  /// There is one such time: a later call replaces an earlier one.
  public func scheduleTick(after delay: Duration) {
    control.send(.scheduleTick(after: delay.bounded))
  }

  package func restoreWatches() async {
    await control.perform { .restoreWatches($0) }
  }

  /// Waits until every change that any process made before the call has been delivered, and the
  /// reader of ``events`` has handled it: it has asked for the next event.
  ///
  /// Waits for incomplete changes too, for at most `3 * WatchOptions.maxWait`: for files that are still
  /// being written, and for git commands that still run. Returns at once after ``stop()``, and when the
  /// task is cancelled. There must be one reader that handles one event after the other.
  package func settled() async {
    await control.perform { .settle($0) }
    await control.drained()
  }

  /// Replaces the filter. The next batch contains the root as a subtree.
  public func setFilter(_ filter: WatchFilter) {
    control.send(.setFilter(filter))
  }

  // MARK: State

  /// The counters as of the thread's last round.
  public var counters: WatchCounters { control.counters }

  /// Ends the thread, the sequence ``events`` and every call of ``next()``. Calling it again has no
  /// effect; the last reference to the watcher calls it, too.
  public func stop() {
    control.stop()
  }
}

/// One event of a ``DirectoryWatcher``.
public enum WatchEvent: Sendable, Hashable {
  /// These paths may have changed.
  case dirty(DirtyPaths)
  /// The time requested by ``DirectoryWatcher/scheduleTick(after:)`` has come. Every change
  /// observed before it is in an earlier batch.
  case tick
}

extension WatchEvent: CustomStringConvertible {
  /// The paths of a batch, or `tick`.
  public var description: String {
    switch self {
    case .dirty(let paths): paths.description
    case .tick: "tick"
    }
  }
}

/// The counts of a watcher since it began, for a status line and for tests.
public struct WatchCounters: Sendable, Hashable {
  /// The number of folders watched now; 0 while polling.
  public var watches = 0
  /// The number of events read from the kernel.
  public var events = 0
  /// The number of overflows of the kernel's queue.
  public var overflows = 0
  /// The number of rescans that answered overflows.
  public var rescans = 0
  /// The number of polls.
  public var polls = 0
  /// The number of paths that are incomplete or held for git now; 0 if nothing is pending.
  public var waiting = 0
  /// The number of batches delivered, counting those that were merged before anybody fetched them.
  public var batches = 0
  /// The number of times the watcher's thread woke up. It sleeps while nothing happens.
  public var wakeups = 0
  /// True if the watcher polls now.
  public var isPolling = false

  /// Creates counters that are all zero.
  public init() {}
}

extension WatchCounters: CustomStringConvertible {
  /// The counters by their names: `watches 3, events 12, …`.
  public var description: String {
    let counts = [
      ("watches", watches), ("events", events), ("overflows", overflows), ("rescans", rescans),
      ("polls", polls), ("waiting", waiting),
      ("batches", batches), ("wakeups", wakeups),
    ]
    return counts.map { "\($0) \($1)" }.joined(separator: ", ") + (isPolling ? ", polling" : "")
  }
}
