package import PlainStore

/// A folder that clients may ask for.
package struct ServedFolder: Sendable {
  /// The absolute path, without symbolic links.
  package let path: String
  /// The open folder.
  package let store: ItemStore
  /// The fields that make an item's id, as the configuration has them; nil for the default. A
  /// client that names others gets an error.
  package let idField: String?
  /// The largest size of a file in bytes. A client that names another one gets an error.
  package let maxSize: Int

  /// Makes a folder that clients may ask for.
  package init(path: String, store: ItemStore, idField: String?, maxSize: Int) {
    self.path = path
    self.store = store
    self.idField = idField
    self.maxSize = maxSize
  }
}
