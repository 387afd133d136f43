package import Store
package import Watch

/// One folder of the configuration: how it is read and watched, and its sinks.
package struct FolderConfiguration: Sendable, Hashable {
  /// The absolute path, as the configuration has it.
  package let path: String
  /// The options with which the folder is read and watched.
  package let settings: FolderSettings
  /// The sinks, in the order of the file. Their names differ.
  package let sinks: [SinkConfiguration]

  package init(path: String, settings: FolderSettings = FolderSettings(), sinks: [SinkConfiguration] = []) {
    self.path = path
    self.settings = settings
    self.sinks = sinks
  }
}

/// The options with which a folder is read and watched: those of `notes-watch DIR` that have this
/// effect.
package struct FolderSettings: Sendable, Hashable {
  /// The fields that make an item's id, as they are written; nil for the default.
  package var idField: String?
  /// The largest size of a file in bytes; nil for the default.
  package var maxSize: Int?
  /// The time without changes after which a save counts as complete.
  package var settle = WatchOptions.defaultSettle
  /// The longest time that a change waits.
  package var maxWait = WatchOptions.defaultMaxWait
  /// True to scan the folder regularly instead of waiting for events.
  package var polls = false
  /// The time between two audits; nil for none.
  package var audit: Duration? = StoreOptions.defaultAuditInterval
  /// False to read every file at the start.
  package var usesCache = true

  /// Makes the settings of a folder without options.
  package init() {}

  /// Returns the options of the folder's store. Wrong settings in the folder are a problem: the
  /// daemon serves the folder without them.
  package func storeOptions(onNotice: @escaping @Sendable (WatchNotice) -> Void) throws(SettingsError)
    -> StoreOptions
  {
    var options = StoreOptions()
    if let maxSize { options.limits.maxSize = maxSize }
    options.idFields = try idField.map { text throws(SettingsError) in try ViewDefinition.idFields(text) }
    options.watch = WatchOptions(
      settle: settle, maxWait: maxWait, polling: polls ? .always : .automatic, onNotice: onNotice)
    options.auditInterval = audit
    options.badSettingsAreAProblem = true
    return options
  }
}
