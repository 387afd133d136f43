/// The folders and sinks of the daemon, as its configuration file defines them.
package struct DaemonConfiguration: Sendable, Hashable {
  /// The absolute path of the file.
  package let file: String
  /// The folders, in the order of the file. No two of them are the same folder.
  package let folders: [FolderConfiguration]
  /// The address for browsers; nil for none.
  package let listen: ListenConfiguration?

  package init(file: String, folders: [FolderConfiguration], listen: ListenConfiguration? = nil) {
    self.listen = listen
    self.file = file
    self.folders = folders
  }
}
