import Files
import Glibc
import Logging
import StateStore
package import Store
import Synchronization

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
  package let maxSize: Int

  /// The fields that make an item's id, as the configuration has them; nil for the default.
  package var idField: String? { settings.idField }

  /// Opens a folder. Blocks until all of its items are read.
  init(_ configuration: FolderConfiguration, _ claims: FolderClaims, _ environment: DaemonEnvironment)
    throws(FolderFailure)
  {
    let path = configuration.path
    guard let root = realPath(path) else { throw FolderFailure(missing: path) }
    if let owner = claims.claim(root, for: path) {
      throw FolderFailure(
        isMissing: false,
        reason: "It is the same folder as \(owner), which is served already. Remove one of them.")
    }
    do {
      store = try OpenedFolder.open(configuration, environment)
    } catch {
      claims.release(root, of: path)
      throw error
    }
    self.path = path
    self.root = root
    settings = configuration.settings
    maxSize = configuration.settings.maxSize ?? StoreOptions().limits.maxSize
    _ = CacheRecording(of: store)
  }

  private static func open(_ configuration: FolderConfiguration, _ environment: DaemonEnvironment)
    throws(FolderFailure) -> ItemStore
  {
    let (path, log) = (configuration.path, environment.log)
    var options: StoreOptions
    do throws(SettingsError) {
      options = try configuration.settings.storeOptions { log.warning("\($0.description)") }
    } catch {
      throw FolderFailure(isMissing: false, reason: error.description)
    }
    if configuration.settings.usesCache { options.openCache = environment.openCache }
    do throws(StoreError) {
      return try ItemStore(at: path, watching: true, options: options)
    } catch {
      throw FolderFailure(isMissing: access(path, F_OK) != 0, reason: error.description)
    }
  }
}

/// The reason why a folder cannot be served yet.
struct FolderFailure: Error {
  /// True if the folder does not exist.
  let isMissing: Bool
  /// A sentence for people.
  let reason: String
}

extension FolderFailure {
  fileprivate init(missing path: String) {
    self.init(
      isMissing: true, reason: "The folder \(path) does not exist. It will be served as soon as it does.")
  }
}

/// The folders that the daemon has open, by their paths without links. One lock guards them.
final class FolderClaims: Sendable {
  /// Lock: guards the folders that are open, by their real paths.
  private let owners = Mutex<[String: String]>([:])

  /// Records that a configured folder is open.
  ///
  /// - Returns: The path of another configured folder that is the same one; nil if there is none.
  func claim(_ root: String, for path: String) -> String? {
    owners.withLock { owners in
      if let owner = owners[root], owner != path { return owner }
      owners[root] = path
      return nil
    }
  }

  /// Records that a configured folder is no longer open.
  func release(_ root: String, of path: String) {
    owners.withLock { if $0[root] == path { $0[root] = nil } }
  }
}
