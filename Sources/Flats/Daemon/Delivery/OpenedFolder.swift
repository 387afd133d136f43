package import Store

/// A folder that the daemon serves.
package struct OpenedFolder {
  package let store: ItemStore
  /// The absolute path, as the configuration has it.
  let path: String
  /// The absolute path without links.
  package let root: String
  let settings: FolderSettings

  package var maxSize: Int { settings.maxSize ?? StoreOptions().limits.maxSize }
  package var idField: String? { settings.idField }
}
