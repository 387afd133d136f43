import Files
import Glibc
import Logging
import StateStore
package import Store

/// A folder that the daemon serves.
package struct OpenedFolder: Sendable {
  /// The store of its items.
  package let store: ItemStore
  /// The absolute path, as the configuration has it.
  let path: String
  /// The absolute path without links.
  package let root: String
  /// The options with which it is read.
  let settings: FolderSettings

  /// The largest size of a file in bytes.
  package var maxSize: Int { settings.maxSize ?? StoreOptions().limits.maxSize }
  /// The fields that make an item's id, as the configuration has them; nil for the default.
  package var idField: String? { settings.idField }

  /// Tries to open a folder. Blocks until all of its items are read.
  static func open(_ configuration: FolderConfiguration, of daemon: DaemonService) -> FolderService.Phase {
    let path = configuration.path
    guard let root = realPath(path) else {
      return .waiting("The folder \(path) does not exist. It will be served as soon as it does.")
    }
    if let owner = daemon.claim(root, for: path) {
      return .failed("It is the same folder as \(owner), which is served already. Remove one of them.")
    }
    let (settings, environment) = (configuration.settings, daemon.environment)
    do {
      var options = try settings.storeOptions { environment.log.warning("\($0.description)") }
      if settings.usesCache { options.openCache = environment.openCache }
      let store = try ItemStore(at: path, watching: true, options: options)
      _ = CacheRecording(of: store)
      return .open(OpenedFolder(store: store, path: path, root: root, settings: settings))
    } catch {
      daemon.release(root, of: path)
      return access(path, F_OK) == 0 ? .failed("\(error)") : .waiting("\(error)")
    }
  }
}
