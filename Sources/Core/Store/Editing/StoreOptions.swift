/// Options for reading and watching a store's folder.
public struct StoreOptions: Sendable {
  /// The limits for each file, such as its size in bytes and its depth.
  package var limits = ReadLimits()
  /// The fields that make an item's id; nil (the default) for those that the settings name.
  public var idFields: [FieldPath]?
  /// The number of threads that read files if there are many; 2 by default.
  package var readers = 2
  /// True if wrong settings are reported as a problem, with default settings in their place. By
  /// default they end the opening with an error.
  package var badSettingsAreAProblem = false
  /// Options for watching, such as how long changes wait.
  package var watch = WatchOptions()
  /// The time from the end of one audit to the next; nil for no audits. An audit finds changes that
  /// no event reported.
  package var auditInterval: Duration? = StoreOptions.defaultAuditInterval
  /// The treatment of changes to items that another program changed since they were read, for saves
  /// that name no policy. By default such a change fails.
  public var mergePolicy: MergePolicy
  /// Receives the number of files that were read so far, while the folder is opened; by default nothing.
  ///
  /// It is called after a few hundred files each, on the threads that read them, under no lock. It
  /// must return quickly. Calls may overlap, so a number may be smaller than one before it.
  public var onProgress: @Sendable (_ filesRead: Int) -> Void
  /// Receives the ids of the items whose files were read again because they changed; by default nothing. It
  /// also reports files whose values are the same, as after an edit of a comment, which no list shows.
  ///
  /// It is called on the store's worker after the lists were updated, under no lock. It must return
  /// quickly, and must not wait for a save.
  package var onItemsRead: @Sendable (_ ids: Set<Item.ID>) -> Void = { _ in }
  /// Opens the cache of a data set; nil to read everything. Called once per store, after its settings were
  /// read and before its folder is walked. It returns nil if there is nothing to use and nothing to record.
  package var openCache: (@Sendable (ReadCacheContext) -> (any ReadCache)?)?

  /// Ten minutes: often enough for what should never be needed, and rare enough that an idle machine sleeps.
  package static let defaultAuditInterval = Duration.seconds(600)

  /// Creates options. Without arguments the settings of the folder name the id fields, and a save over the
  /// changes of another program fails with `conflict`.
  public init(
    idFields: [FieldPath]? = nil, mergePolicy: MergePolicy = .error,
    onProgress: @escaping @Sendable (_ filesRead: Int) -> Void = { _ in }
  ) {
    self.idFields = idFields
    self.mergePolicy = mergePolicy
    self.onProgress = onProgress
  }

  package var reading: ReadOptions {
    ReadOptions(limits: limits, idFields: idFields, readers: readers, onProgress: onProgress)
  }

  /// Reads the settings of a folder, which the caller named `root`, and the problem of a view that is left
  /// out. If `badSettingsAreAProblem`, wrong settings are that problem, and defaults take their place.
  func readSettings(in folder: borrowing OpenFolder, named root: String) throws(StoreError)
    -> (settings: Settings, problem: Problem?)
  {
    do throws(Problem) {
      let file = try SettingsFile.read(in: folder, limits: limits)
      return (file.settings, file.viewProblem)
    } catch {
      guard badSettingsAreAProblem else {
        throw StoreError(
          error.isTransient ? .system : .badSettings, FolderName(root).description(of: error),
          containing: error.advice)
      }
      return (Settings(), error)
    }
  }
}

extension StoreOptions: CustomStringConvertible {
  /// The options with their names.
  public var description: String {
    var parts = ["limits \(limits)", "readers \(readers)", "watch \(watch)", "merge policy \(mergePolicy)"]
    if let idFields { parts.append("id-field \(idFields.map(\.description).joined(separator: " "))") }
    if badSettingsAreAProblem { parts.append("bad settings are a problem") }
    if let auditInterval { parts.append("audit every \(auditInterval)") }
    return parts.joined(separator: ", ")
  }
}

/// The treatment of a change to an item whose file was changed since it was read, as in Core Data's
/// `NSMergePolicy`.
///
/// "The store" is the file as it is now, "the object" is the change to save. If both sides made the
/// same change, a merge by property has no conflict. Under `error` that is a conflict too: two
/// programs that increment one counter must not count as one. Comments are not fields: if two texts
/// cannot be merged with the comments of both, those of the side that wins are kept.
///
/// `TextEdit.append` and `TextEdit.removeValue` never conflict: under every policy they are applied to the
/// newest list, unless the same change also sets that list or their path leads through an element of a list.
///
/// The policies are those of Core Data; there will be no others.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written, and the save fails with `conflict`. The default: no change is undone unnoticed.
  case error
  /// Merges field by field. If both sides changed a field, the file's value wins. A deleted item
  /// stays deleted.
  case mergeByPropertyStoreTrump
  /// Merges field by field. If both sides changed a field, our value wins. A deleted item is created again.
  case mergeByPropertyObjectTrump
  /// Writes the item as it was read, with our changes. Changes by other programs since then are lost.
  case overwrite
  /// Leaves the file as it is. Our changes to this item are lost.
  case rollback
}
