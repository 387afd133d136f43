/// The folders and sinks of the daemon, as its configuration file defines them.
package struct DaemonConfiguration: Sendable, Hashable {
  /// The absolute path of the file.
  package let file: String
  /// The folders, in the order of the file. No two of them are the same folder.
  package let folders: [FolderConfiguration]

  package init(file: String, folders: [FolderConfiguration]) {
    self.file = file
    self.folders = folders
  }
}
