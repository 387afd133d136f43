import Files
package import Folder
import HashTreeCollections
public import Query
import Synchronization
import SystemPackage
import Values
import Watch

/// A folder of plain-text items: what Core Data's persistent container is to a database.
///
/// Opening it reads the complete folder. If it watches, it reads again each path that an event
/// names and gives what changed to its lists. Events are hints and the disk is the truth: an event
/// says only where to read.
///
/// ```swift
/// let store = try await ItemStore.open("contacts")
/// let friends = try store.list(in: "friends/", sort: "name")
/// for await update in friends.updates { print(update) }
/// ```
///
/// Everything that changes the store's contents runs on one serial worker (`StoreWorker`): the batches of the
/// watch, saves, and audits. Other threads read its state from `PublishedStore`, which one lock guards. The
/// store lives as long as you or one of its lists holds it, and its worker ends with it.
public final class ItemStore: Sendable {
  /// The folder's path, as it was given to `init`.
  public let root: String
  /// The folder's absolute path: it stays the same folder if the working directory changes.
  let location: String
  package let options: StoreOptions
  let watch: DirectoryWatcher?
  let published: PublishedStore
  let messages: AsyncStream<StoreMessage>.Continuation
  /// Works out slow changes, see `EditSession.maxPreparations`.
  let editor: ItemEditor
  /// The queue for that: one change at a time, so that the memory for it is bounded.
  /// Queue: makes the texts of changes that may take long, before the store's queue writes them;
  /// writes the files of `seed`. Blocks in file calls.
  let slowEdits = QueueExecutor("slow edits")
  package let models = KnownModels()
  /// The folder, if it is removed with the store.
  private let ownFolder: OwnFolder?

  /// Opens a folder and reads all of its items. Blocks until they are read; see `open(_:watching:options:)`.
  ///
  /// - Parameters:
  ///   - root: The folder's path, absolute or relative to the working directory.
  ///   - watching: True to follow the changes of the folder; false (the default) to read it once.
  /// - Throws: `StoreError` if the folder does not exist, cannot be read or watched, or has wrong settings.
  package convenience init(at root: String, watching: Bool = false, options: StoreOptions = StoreOptions())
    throws(StoreError)
  {
    try self.init(at: root, watching: watching, options: options, on: nil)
  }

  /// Opens a folder whose changes are read on `queue`, or on a queue of its own. A reader on the same queue
  /// gets each change without another thread; while it is busy, the watch collects the changes.
  package convenience init(at root: String, watching: Bool, options: StoreOptions, on queue: QueueExecutor?)
    throws(StoreError)
  {
    try self.init(
      StoreWorker(
        at: root, watching: watching, options: options, on: queue ?? StoreWorker.makeExecutor()))
  }

  init(_ worker: sending StoreWorker, in ownFolder: OwnFolder? = nil) {
    self.ownFolder = ownFolder
    root = worker.root
    options = worker.options
    (location, watch, published, messages) = (
      worker.location, worker.watch, worker.published, worker.messages
    )
    editor = worker.editor
    StoreWorker.start(worker)
  }

  deinit {
    watch?.stop()
    messages.finish()
  }

  /// The data set's settings as they are now.
  package var settings: Settings { published.state.settings }

  package var currentState: StoreState { published.state }

  /// The problems that files have now, in the order of their paths.
  public var problems: [Problem] { published.state.problems.values.sorted { $0.path < $1.path } }

  /// Returns the problem of the settings file that an error is; nil if the error is elsewhere. Unlike
  /// the error, the problem has a place in the file.
  package func problem(of error: SettingsError) -> Problem? { problems.first { $0.settingsError == error } }

  /// Returns an item by its id, or by that of an occurrence in a list, even if no view shows it.
  public func item(_ id: some ItemIDConvertible) -> Item? { published.state.items[id.itemID.item] }

  /// Returns the bytes of a file as they are on disk now. No link on the way is followed. Blocks while it
  /// reads.
  ///
  /// - Throws: The `Problem` of the file if it cannot be read, is gone, or is too large.
  package func fileBytes(at path: RelativePath) throws(Problem) -> [UInt8] {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(location)
    } catch {
      throw Problem(path: path, action: "read", error)
    }
    guard let file = try folder.openFile(path) else {
      throw Problem(path: path, message: "The file is gone.")
    }
    return try file.bytes(within: options.limits)
  }

  /// Hands what the first reading found to the cache, once. Call it after the list was shown: the
  /// cache may write a file. Without a cache it does nothing.
  package func recordFirstReading() { published.recordFirstReading() }

  /// The number of items.
  package var count: Int { published.state.items.count }
}

extension ItemStore {
  /// Calls a closure for everything that the store does from now on: each reading, each step of its lists and
  /// each save, with its duration. There is one closure; nil ends the trace.
  ///
  /// ```swift
  /// store.trace { print($0) }
  /// ```
  ///
  /// - Parameter observe: Runs on the store's worker, or for a save on the task that saves, under no lock. It
  ///   must return quickly, and must not wait for a save.
  public func trace(_ observe: (@Sendable (StoreTrace) -> Void)?) { published.trace = observe }
}

extension ItemStore: CustomStringConvertible {
  /// The folder and the number of its items: `contacts, 3 items`.
  public var description: String { "\(root), \(count) \(count == 1 ? "item" : "items")" }
}

extension ItemStore {
  /// The counters as they are now.
  package var counters: StoreCounters {
    var counters = published.counters
    counters.watch = watch?.counters
    return counters
  }
}

extension ItemStore {
  /// Returns a problem for each file that an interrupted save left in the folder, at any depth, in
  /// the order of the paths. Waits up to 5 seconds per folder for running saves.
  package func leftoverProblems() -> [Problem] {
    let rules = PathRules(ignore: settings.ignore)
    let filter = WatchFilter(
      includesDirectory: { rules.includesFolder($0) },
      includesFile: { TemporaryName(Substring($0.name)) != nil })
    guard let root = try? OpenFolder(location),
      let found = try? DirectoryScan.scan(root: location, filter: filter).entries
    else {
      return []
    }
    let journal = Journal.problem(in: root)
    let directories = Set(found.map { $0.path.parent ?? .root })
    let leftovers = directories.flatMap { directory -> [Problem] in
      guard let folder = try? SaveFolder.open(directory, below: root) else { return [] }
      // A running save has such files too. If it takes longer, they are reported.
      _ = try? folder.lock(patience: .seconds(5))
      return Leftover.all(in: folder).map { $0.problem(in: directory) }
    }
    return ([journal].compactMap { $0 } + leftovers).sorted { $0.path < $1.path }
  }
}
