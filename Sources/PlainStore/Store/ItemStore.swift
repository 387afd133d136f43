import DirectoryWatch
import Glibc
import HashTreeCollections
import PlainText
import Synchronization

/// A folder of plain-text items: what Core Data's persistent container is to a database.
///
/// Opening it reads the whole folder; from then on, if it watches, it looks again at every path that an event names and hands what changed to its results.
/// Events are hints and the disk is the truth: nothing is taken from an event but where to look.
///
/// ```swift
/// let store = try ItemStore(at: "contacts", watching: true)
/// let results = try store.results { settings in try settings.view(named: "friends").request }
/// for await event in results.events { print(event) }
/// ```
public final class ItemStore: Sendable {
  /// As it was given.
  public let root: String
  /// The same from `/`: the folder of that name is meant, also when the working directory is moved or removed.
  let location: String
  let options: StoreOptions
  let reader: ParallelReader
  let watch: DirectoryWatcher?
  let state: Mutex<State>
  let editor: ItemEditor
  /// Whoever looks at files and hands on what changed: the task that follows the watch, and those who save.
  let turns = Turns()
  /// They read files.
  let executor = QueueExecutor("store")
  private let tasks = Mutex<[Task<Void, Never>]>([])

  struct State {
    var contents: StoreContents
    var results: [WeakResults] = []
    /// Files that were found broken once and will be looked at again before anybody is told.
    var doubted: Set<RelativePath> = []
    /// Files and folders that the system could not look at.
    var retries = RetryDelays()
    var audits = 0
    var missedChanges = 0
  }

  struct WeakResults {
    weak var results: FetchedResults?
  }

  /// Opens a folder and reads all of it.
  ///
  /// - Throws: `StoreError` where the folder is missing, is none or cannot be read, where its settings are bad, or where it cannot be watched.
  public init(at root: String, watching: Bool = false, options: StoreOptions = StoreOptions()) throws(StoreError) {
    self.root = root
    location = RootPath(root).absolute
    self.options = options
    reader = ParallelReader(limits: options.limits, threads: options.readers)
    editor = ItemEditor(root: root, options: options, abilities: FileSaver.Abilities())
    var contents = try ItemStore.contents(of: root, options)
    let filter = contents.rules.watchFilter
    do throws(WatchError) {
      watch = watching ? try DirectoryWatcher(root: root, filter: filter, options: options.watch) : nil
      let listing = if let watch { watch.consumeInitialListing() } else { try DirectoryScan.scan(root: root, filter: filter) }
      contents.load(contents.plan(listing), with: reader, root: location)
    } catch {
      throw StoreError(error)
    }
    state = Mutex(State(contents: contents))
    follow()
  }

  /// What the settings alone make of a store: nothing is read yet.
  private static func contents(of root: String, _ options: StoreOptions) throws(StoreError) -> StoreContents {
    guard let folder = OpenFolder(root) else { throw StoreError(opening: root, errno) }
    do throws(Problem) {
      let file = try SettingsFile.read(in: folder, limits: options.limits)
      var contents = StoreContents(settings: file.settings, options: options)
      if let problem = file.viewProblem { _ = contents.apply([(PathRules.settingsPath, .problem(problem))]) }
      return contents
    } catch {
      guard options.badSettingsAreAProblem else {
        throw StoreError(error.isTransient ? .system : .badSettings, FolderName(root).description(of: error))
      }
      var contents = StoreContents(settings: Settings(), options: options)
      _ = contents.apply([(PathRules.settingsPath, .problem(error))])
      return contents
    }
  }

  deinit {
    watch?.stop()
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  private func follow() {
    guard let watch else { return }
    let task = Task(executorPreference: executor) { [weak self] in
      await self?.begin()
      var audit: Audit?
      while let event = await watch.next() { await self?.take(event, of: watch, &audit) }
    }
    tasks.withLock { $0.append(task) }
  }

  /// The data set's settings as they are now.
  public var settings: Settings { state.withLock { $0.contents.settings } }

  /// All that it knows, as it is now.
  package var currentState: StoreState { state.withLock { $0.contents.state } }

  /// What is wrong with files now, in the order of their paths.
  public var problems: [Problem] { state.withLock { $0.contents.model.problems }.values.sorted { $0.path < $1.path } }

  /// An item by its id, whether a view shows it or not.
  public func item(_ id: Item.ID) -> Item? { state.withLock { $0.contents.model.items[id] } }

  /// The bytes of an item's file as they are on disk now.
  package func fileBytes(of item: Item) throws(Problem) -> [UInt8] {
    guard let folder = OpenFolder(location), let file = try folder.openFile(item.path) else {
      throw Problem(path: item.path, message: "The file is gone.")
    }
    var bytes: [UInt8] = []
    let count = try file.read(into: &bytes, within: options.limits)
    return Array(bytes[..<count])
  }

  /// How many items there are.
  public var count: Int { state.withLock { $0.contents.model.items.count } }

  /// Looks again at everything, as after an event that nobody saw.
  public func lookAgain() { watch?.rescan() }
}
