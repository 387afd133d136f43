import DirectoryWatch
import Glibc
package import PlainText
import Synchronization

/// Changes the items of a folder, whether a store runs on it or not: byte-exact, atomic, and never over what somebody else saved meanwhile.
///
/// ```swift
/// let editor = try ItemEditor(root: "contacts")
/// var scope = EditScope()
/// scope.update("friends/ada", [.set("rating", 9)])
/// for failure in try editor.save(scope).failures { print(failure) }
/// ```
///
/// Each file is replaced as a whole, so that a reader, or a crash at any moment, finds the old text or the new one. Editors of one folder wait for each
/// other, in this process and between processes. Other programs know nothing of that: what they save in the same moment is found and stays, and the
/// change is made to it, or is a conflict.
///
/// Every call blocks in system calls, an `fsync` for each file among them.
public final class ItemEditor: Sendable {
  /// As it was given.
  public let root: String
  /// The same from `/`: the folder of that name is meant, also when the working directory is moved or removed.
  private let location: String
  private let options: StoreOptions
  private let abilities: FileSaver.Abilities
  /// The folders that were swept already.
  private let swept = Mutex<Set<RelativePath>>([])

  /// What a merge by property does with lists and with single fields is in the data set's settings.
  ///
  /// - Parameter options: limits, and the fields that make ids where the settings are not to say it. What is about watching is not used.
  /// - Throws: where there is no such folder, or it cannot be opened.
  public convenience init(root: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    self.init(root: root, options: options, abilities: FileSaver.Abilities())
    _ = try OpenFolder(location, named: root)
  }

  init(root: String, options: StoreOptions, abilities: FileSaver.Abilities) {
    self.root = root
    location = RootPath(root).absolute
    self.options = options
    self.abilities = abilities
  }

  /// An item as it is on disk now, with its text. Where ids are fields this reads every file.
  ///
  /// - Throws: `EditError`, or `StoreError` where the folder or its settings cannot be read.
  public func read(_ id: Item.ID) throws -> ItemFile { try readAll([id])[0].get() }

  /// Several at once, in their order.
  public func readAll(_ ids: [Item.ID]) throws(StoreError) -> [Result<ItemFile, EditError>] {
    try readAll(ids, waits: true)
  }

  /// - Parameter waits: whether items that are missing may turn up in a moment; false if an id may well be the id of nothing.
  package func readAll(_ ids: [Item.ID], waits: Bool) throws(StoreError) -> [Result<ItemFile, EditError>] {
    var session = try session(.error)
    if waits { session.await(ids) } else { session.absent = Set(ids) }
    return ids.map { id in Result { () throws(EditError) in try session.read(id) } }
  }

  /// Makes the changes of a scope, one after the other, whatever becomes of those before. Each is made as a whole or not at all.
  ///
  /// - Throws: where the folder or its settings cannot be read: then nothing was done. What is wrong with one change is in the report.
  public func save(_ scope: EditScope, policy: MergePolicy = .error) throws(StoreError) -> SaveReport {
    let changes = scope.changes
    var session = try session(policy)
    session.await(changes)
    var outcomes = [SaveOutcome?](repeating: nil, count: changes.count)
    for (number, change) in changes.enumerated() {
      outcomes[number] = session.save(change, as: number)
      if session.isFull { for (number, outcome) in session.confirm() { outcomes[number] = outcome } }
    }
    session.finish { outcomes[$0] = $1 }
    return SaveReport(outcomes: outcomes.compactMap { $0 })
  }

  /// The same, reporting each change as soon as its outcome is known. What `tell` throws leaves the rest undone.
  package func save(_ scope: EditScope, policy: MergePolicy, telling tell: (SaveOutcome) throws -> Void) throws {
    var session = try session(policy)
    session.await(scope.changes)
    do {
      for (number, change) in scope.changes.enumerated() {
        if let outcome = session.save(change, as: number) { try tell(outcome) }
        if session.isFull { for (_, outcome) in session.confirm() { try tell(outcome) } }
      }
      try session.finish { try tell($1) }
    } catch {
      session.finish { _, _ in }
      throw error
    }
  }

  /// What a save would do now. Nothing is written, and no lock is waited for.
  public func preview(_ scope: EditScope, policy: MergePolicy = .error) throws(StoreError) -> [EditPreview] {
    var session = try session(policy)
    session.await(scope.changes)
    return scope.changes.map { session.preview($0) }
  }

  /// What a file may ask for.
  package var limits: ReadLimits { options.limits }

  /// The folder and its settings as they are now.
  func session(_ policy: MergePolicy) throws(StoreError) -> EditSession {
    let folder = try OpenFolder(location, named: root)
    var settings = Settings()
    do throws(Problem) {
      settings = try SettingsFile.read(in: folder, limits: options.limits).settings
    } catch {
      guard options.badSettingsAreAProblem else {
        throw StoreError(error.isTransient ? .system : .badSettings, FolderName(root).description(of: error))
      }
    }
    return EditSession(
      locator: ItemLocator(location, folder, settings, options),
      resolver: EditResolver(policy: policy, rules: settings.mergeRules, limits: options.limits),
      abilities: abilities, sweeps: { path in self.swept.withLock { $0.insert(path).inserted } })
  }
}
