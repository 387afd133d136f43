import Store

/// A folder that the daemon serves.
struct OpenedFolder: Sendable {
  let store: ItemStore
  /// The absolute path, as the configuration has it.
  let path: String
  /// The absolute path without links.
  let root: String
  let settings: FolderSettings
}
