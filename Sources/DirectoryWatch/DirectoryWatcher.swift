import Glibc
import Synchronization

/// Watches a folder and everything below it, and says where to look.
///
/// Promises:
/// - **Nothing is lost.** Every change below the root, of what the filter includes, is in a batch that is handed out after it: a queue that ran over,
///   a folder made and filled at once, a root that was removed and made again included.
/// - **What is named is whole**, as far as the file system tells: a save by any editor is one entry in one batch, and so is all that one git
///   command did. See ``WatchOptions`` for what waits how long.
/// - **No queue grows.** Batches that nobody fetches are merged. The kernel's queue is drained by a thread that does nothing else.
/// - **Idle is idle.** While nothing happens the thread sleeps, without a timer.
///
/// A batch is a hint, never a fact: what is there now is found by looking.
///
/// ```swift
/// let watch = try DirectoryWatcher(root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
/// for entry in watch.takeInitialListing().entries { read(entry.path) }
/// for await batch in watch.batches {
///   for path in batch.files { read(path) }             // changed, new, or gone: look
///   for folder in batch.subtrees { readAll(below: folder) }
/// }
/// ```
public final class DirectoryWatcher: Sendable {
  private let initialListing: Mutex<DirectoryScan.Listing>
  private let control: WatchControl
  private let mailbox: Mailbox

  /// Sets the watches, lists what is there, and starts the thread. Costs one `open` and one watch a folder.
  ///
  /// - Throws: where the root is no folder that can be read, and, if polling is ruled out, where inotify cannot be had.
  public convenience init(root: String, filter: WatchFilter = WatchFilter(), options: WatchOptions = WatchOptions()) throws(WatchError) {
    let mailbox = Mailbox()
    try self.init(root: root, filter: filter, options: options, mailbox: mailbox, deliver: { mailbox.put($0) })
  }

  /// `deliver` gets each batch on the watch's thread, unmerged.
  init(
    root: String, filter: WatchFilter, options: WatchOptions, mailbox: Mailbox = Mailbox(),
    deliver: @escaping @Sendable (DirtyPaths) -> Void
  ) throws(WatchError) {
    self.mailbox = mailbox
    control = try WatchControl(root: root)
    let loop = try WatchLoop(root: RootPath(root), filter: filter, options: options, control: control, deliver: deliver)
    initialListing = Mutex(loop.takeListing())
    try WatchThread.start(loop, root: root)
  }

  deinit {
    stop()
  }

  /// What was there when the watches were set, from the same walk: what changed since is in the first batches. Given once and then forgotten, since it is large;
  /// empty afterwards.
  public func takeInitialListing() -> DirectoryScan.Listing {
    initialListing.withLock { listing in
      defer { listing = DirectoryScan.Listing() }
      return listing
    }
  }

  /// The next settled batch: at once if one waits, merged of all that became due since the last call; `nil` after ``stop()``, or when the calling
  /// task is cancelled, which loses nothing.
  public func next() async -> DirtyPaths? {
    await mailbox.take()
  }

  /// Whether git has begun to change what a batch names since the batch was handed out. Who has just read that may have read some of it as it was before
  /// and some as it is after; what is to be looked at again is in a batch that is sure to come.
  ///
  /// ```swift
  /// while await watch.isOvertaken(batch), let more = await watch.next() {
  ///   batch.formUnion(more)    // and read all of it again
  /// }
  /// ```
  ///
  /// Costs a `stat` where git was quiet, otherwise a round of the watch's thread. False while polling.
  public func isOvertaken(_ batch: DirtyPaths) async -> Bool {
    if !control.gitQuiet.holds(for: batch), await control.isOvertaken(batch) { return true }
    return mailbox.isOvertaken(batch)
  }

  /// All batches until ``stop()``. Several loops share them: each batch goes to one.
  public var batches: Batches { Batches(watch: self) }

  public struct Batches: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
      let watch: DirectoryWatcher

      public mutating func next() async -> DirtyPaths? { await watch.next() }
    }

    let watch: DirectoryWatcher

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }
  }

  /// Has everything at and below a folder looked at again, and watches set that are missing there; for what no event tells (SIGHUP, a repaired mount).
  public func lookAgain(at folder: RelativePath = .root) {
    control.send(.lookAgain(folder))
  }

  /// Names a file again after a quiet gap (``WatchOptions/settle``), or as soon as it is whole; for who looked and found what may be half of something.
  public func lookLater(at file: RelativePath) {
    lookLater(at: DirtyPaths(files: [file]), after: .zero)
  }

  /// Names files and folders again after so long and a quiet gap; for who could not look for a reason that may pass. A place has one such time: the one asked for last.
  public func lookLater(at places: DirtyPaths, after delay: Duration) {
    control.send(.lookLater(places, after: delay))
  }

  /// Asks for one batch with ``DirtyPaths/isReminder``: after so long, and as soon as nothing waits to be whole. There is one such time: the one asked for last.
  public func remind(after delay: Duration) {
    control.send(.remind(after: delay))
  }

  /// Takes another filter from here on. The next batch has the whole root in it.
  public func setFilter(_ filter: WatchFilter) {
    control.send(.setFilter(filter))
  }

  /// As of the thread's last round.
  public var counters: WatchCounters { control.counters }

  /// Ends the thread and every `next()`. Idempotent; also done when the last reference goes.
  public func stop() {
    control.stop()
    mailbox.close()
  }
}
