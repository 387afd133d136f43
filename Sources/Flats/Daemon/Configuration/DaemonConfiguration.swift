import Store

/// The folders and sinks of the daemon, as its configuration file defines them.
package struct DaemonConfiguration: Hashable {
  package let file: String
  /// The folders, in the order of the file. No two of them are the same folder.
  let folders: [FolderConfiguration]
  package var listen: ListenConfiguration?
}

/// The address on which the daemon serves its folders to browsers, and what `serve` has as options with it.
package struct ListenConfiguration: Hashable {
  /// The address and the port, as they are written.
  package var address = ""
  /// The addresses of pages that are accepted besides the server's own.
  package var origins: [String] = []
  /// The absolute path of the file with the token for programs; nil for one of the server.
  package var tokenFile: String?
  package var isReadOnly = false
}

struct FolderConfiguration: Hashable {
  /// The absolute path, as the configuration has it.
  let path: String
  var settings = FolderSettings()
  /// The sinks, in the order of the file. Their names differ.
  var sinks: [SinkConfiguration] = []
}

/// The options with which a folder is read and watched: those of `notes-watch DIR` that have this effect.
struct FolderSettings: Hashable {
  /// The fields that make an item's id, as they are written; nil for the default.
  var idField: String?
  /// The largest size of a file in bytes; nil for the default.
  var maxSize: Int?
  /// The time without changes after which a save counts as complete.
  var settle = WatchOptions.defaultSettle
  var maxWait = WatchOptions.defaultMaxWait
  /// True to scan the folder regularly instead of waiting for events.
  var polls = false
  var audit: Duration? = StoreOptions.defaultAuditInterval
  /// False to read every file at the start.
  var usesCache = true

  /// Wrong settings in the folder are a problem: the daemon serves the folder without them.
  func storeOptions(onNotice: @escaping @Sendable (WatchNotice) -> Void) throws(SettingsError)
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
