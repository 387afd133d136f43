/// Changes the items of a folder, with or without a running store: byte-exact, atomic, and never
/// over a version that another program saved in the meantime.
///
/// ```swift
/// let editor = try ItemEditor(root: "contacts")
/// var scope = EditScope()
/// scope.update("friends/ada", [.set("rating", 9)])
/// try editor.save(scope)
/// ```
///
/// Each file is replaced as a unit: a reader, or a crash at any moment, finds the old text or the
/// new one. Editors of one folder wait for each other, in this process and across processes. Other
/// programs do not take part in this. A version that one of them saves at the same moment is
/// detected and kept, and the change is made to that version or fails with a conflict.
///
/// Every call blocks in system calls. A save returns when its changes are on the disk: one `fsync`
/// per file and folder for a few changes, one `syncfs` per batch for many.
package final class ItemEditor: Sendable {
  /// The path of the folder, as it was given.
  package var root: String { path.given }
  private let path: RootPath
  private let options: StoreOptions
  private let abilities: FileSaver.Abilities
  private let knownFolders = KnownFolders()

  /// Opens a folder for editing. Its settings say how a merge by property treats lists and single fields.
  ///
  /// - Parameters:
  ///   - root: The path of the folder, absolute or relative to the working directory.
  ///   - options: The limits, and the fields that make ids if the settings should not decide that. Options
  ///     for watching are not used.
  /// - Throws: `StoreError` if the folder does not exist or cannot be opened.
  package convenience init(root: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    self.init(root: root, options: options, abilities: FileSaver.Abilities())
    _ = try OpenFolder(path.absolute, named: root)
  }

  init(root: String, options: StoreOptions, abilities: FileSaver.Abilities) {
    path = RootPath(root)
    self.options = options
    self.abilities = abilities
  }

  /// Reads an item from disk, with its text. Where ids are fields this reads every file.
  ///
  /// - Throws: `EditError`, or `StoreError` if the folder or its settings cannot be read.
  package func read(_ id: Item.ID) throws -> ItemFile { try readAll([id])[0].get() }

  /// Reads several items from disk, in the order of the ids.
  ///
  /// - Throws: `StoreError` if the folder or its settings cannot be read.
  package func readAll(_ ids: [Item.ID]) throws(StoreError) -> [Result<ItemFile, EditError>] {
    var session = try session()
    return session.readAll(ids)
  }

  /// Makes the changes of a scope, in order, each completely or not at all, independent of the others.
  ///
  /// - Parameters:
  ///   - policy: Decides about items that other programs changed since they were read; nil for
  ///     `StoreOptions.mergePolicy`.
  ///   - atomically: True to make all changes or none.
  /// - Throws: `SaveError` with the report if a change was not made; the other changes were made, unless the
  ///   save is atomic. `StoreError` if the folder or its settings cannot be read; then no change was made.
  @discardableResult
  package func save(_ scope: EditScope, policy: MergePolicy? = nil, atomically: Bool = false) throws
    -> SaveReport
  {
    let report = try saveEach(scope, policy: policy, atomically: atomically)
    try report.check()
    return report
  }

  /// Makes the changes of a scope as `save` does, and returns the errors of single changes in the report.
  ///
  /// - Parameter policy: As in ``save(_:policy:)``.
  /// - Throws: `StoreError` if the folder or its settings cannot be read. Then no change was made.
  package func saveEach(_ scope: EditScope, policy: MergePolicy? = nil, atomically: Bool = false)
    throws(StoreError) -> SaveReport
  {
    var session = try session(policy)
    session.begin(scope)
    if atomically { return SaveReport(of: session.makeAllOrNone()) }
    var outcomes: [SaveOutcome] = []
    while let outcome = session.next() { outcomes.append(outcome) }
    return SaveReport(of: outcomes)
  }

  /// Works out some of the changes of a save to come, without a lock.
  func prepare(_ changes: [PendingChange], _ numbers: Set<Int>, _ policy: MergePolicy?) throws(StoreError)
    -> [Int: EditTarget]
  {
    var session = try session(policy)
    session.selectLocator(for: changes)
    return numbers.reduce(into: [:]) { $0[$1] = session.prepared(changes[$1]) }
  }

  /// Returns the effect that a save would have on each file now, in the order of the changes. Writes
  /// nothing and waits for no lock.
  ///
  /// - Parameter policy: As in ``save(_:policy:)``.
  /// - Throws: `StoreError` if the folder or its settings cannot be read.
  package func preview(_ scope: EditScope, policy: MergePolicy? = nil) throws(StoreError) -> [EditPreview] {
    var session = try session(policy)
    return session.preview(scope)
  }

  package func session(_ policy: MergePolicy? = nil) throws(StoreError) -> EditSession {
    try EditSession(path, options, policy, abilities, knownFolders)
  }
}

/// An item with the text of its file, as it was read from disk.
package struct ItemFile: Sendable, CustomStringConvertible {
  /// The item.
  package let item: Item
  /// The format of the file.
  package let format: TextFormat
  /// The complete content of the file.
  package let bytes: [UInt8]

  /// The id of the item.
  package var id: Item.ID { item.id }
  /// The path of the file.
  package var path: RelativePath { item.path }
  /// The id, the path and the size, such as `ada: ada.yaml, 120 bytes`.
  package var description: String { "\(id): \(path), \(bytes.count) bytes" }
  package var fields: Fields { item.fields.value.fields ?? [:] }
  /// The state of the item at this reading, for a change that is based on it.
  package var revision: ItemRevision {
    ItemRevision(path: path, stamp: item.stamp, fields: item.fields, bytes: bytes)
  }
}
