package import Store

/// A folder that the daemon serves.
package struct OpenedFolder: Sendable {
  package let store: ItemStore
  /// The absolute path, as the configuration has it.
  let path: String
  /// The absolute path without links.
  package let root: String
  let settings: FolderSettings

  /// The largest size of a file in bytes.
  package var maxSize: Int { settings.maxSize ?? StoreOptions().limits.maxSize }
  /// The fields that make an item's id, as the configuration has them; nil for the default.
  package var idField: String? { settings.idField }
}
