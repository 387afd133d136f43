#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Files
public import Folder
import Glibc
import SystemPackage
import Watch

extension ItemStore {
  /// Opens a folder for an app: creates it if it does not exist, and reads all of its items without
  /// blocking the caller.
  ///
  /// ```swift
  /// let store = try await ItemStore.open("contacts")
  /// print(try store.count())
  /// ```
  ///
  /// - Parameters:
  ///   - folder: Absolute or relative to the working directory. Missing folders above it are created, too.
  ///   - watching: True (the default) to follow changes by other programs; false to read the folder once.
  /// - Throws: `StoreError` if the folder cannot be created, read or watched, or if its settings are wrong.
  public static func open(
    _ folder: String, watching: Bool = true, options: StoreOptions = StoreOptions()
  ) async throws(StoreError) -> ItemStore {
    let executor = StoreWorker.makeExecutor()
    return try await executor.run { () throws(StoreError) in
      try createFolder(folder)
      return try ItemStore(StoreWorker(at: folder, watching: watching, options: options, on: executor))
    }
  }

  /// Opens a store in a new folder of its own, for tests and previews. The folder is removed with the store.
  ///
  /// ```swift
  /// let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\n"])
  /// print(try store.count())  // 1
  /// ```
  ///
  /// - Parameters:
  ///   - files: The texts of the first files, by their paths. `.notes-watch.yaml` is the settings file.
  ///   - watching: True (the default) to follow the changes of the folder.
  /// - Throws: `StoreError` if the files cannot be written or read, or if a path is not below the folder.
  public static func temporary(
    _ files: [String: String] = [:], watching: Bool = true, options: StoreOptions = StoreOptions()
  ) async throws(StoreError) -> ItemStore {
    let executor = StoreWorker.makeExecutor()
    return try await executor.run { () throws(StoreError) in
      let folder = try OwnFolder()
      for (path, text) in files { _ = try seed(path, text, in: folder.path) }
      let worker = try StoreWorker(at: folder.path, watching: watching, options: options, on: executor)
      return ItemStore(worker, in: folder)
    }
  }

  /// Writes files for a test or a preview, and returns when every list shows them. An existing file
  /// is replaced, whatever it contains, and text that isn't an item is written as it is.
  ///
  /// ```swift
  /// try await store.seed(["ada.yaml": "name: Ada\n", "bob.md": "Bob is here.\n"])
  /// ```
  ///
  /// - Parameter files: The texts of the files, by their paths below the root.
  /// - Throws: `StoreError` if a file cannot be written, or if a path is not below the root. Some
  ///   of the other files may be written then.
  public func seed(_ files: [String: String]) async throws(StoreError) {
    let folder = location
    let paths = try await slowEdits.run { () throws(StoreError) in
      var paths: Set<RelativePath> = []
      for (path, text) in files { paths.insert(try ItemStore.seed(path, text, in: folder)) }
      return paths
    }
    await withCheckedContinuation {
      messages.send(.dirty(DirtyPaths(files: paths), following: nil, isCertain: true, reply: $0))
    }
  }

  private static func seed(_ name: String, _ text: String, in folder: String) throws(StoreError)
    -> RelativePath
  {
    guard let path = RelativePath(printed: name), path != .root else {
      throw StoreError(
        .system, "`\(name)` is not the path of a file below the folder.",
        advice: "Write a path such as `friends/ada.yaml`.")
    }
    func place(_ path: RelativePath) -> String {
      path == .root ? folder : "\(folder)/\(String(decoding: path.bytes, as: UTF8.self))"
    }
    try createFolder(place(path.parent ?? .root))
    do throws(Errno) {
      // A link could lead out of the folder.
      let file = try Descriptor.open(place(path), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o666)
      try file.write(all: Array(text.utf8))
    } catch {
      throw .writing(name, error)
    }
    return path
  }

  private static func createFolder(_ path: String) throws(StoreError) {
    // The system would see only the part before it.
    if path.utf8.contains(0) { throw StoreError(.opening(path, ENOENT)) }
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    let error = errno
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    guard error == ENOENT, !parts.isEmpty else { throw StoreError(.opening(path, error)) }
    try createFolder((path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/"))
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw StoreError(.opening(path, errno)) }
  }
}

extension StoreError {
  fileprivate static func writing(_ name: String, _ error: Errno) -> StoreError {
    StoreError(.system, "The file `\(name)` cannot be written: \(error.reason).")
  }
}

/// A new folder in the system's temporary folder, which is removed with the last reference.
final class OwnFolder: Sendable {
  let path: String

  init() throws(StoreError) {
    let folder = FileManager.default.temporaryDirectory.path
    var template = Array("\(folder)/plain-store-XXXXXX".utf8CString)  // mkdtemp(3) replaces the six letters.
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .system, "A temporary folder cannot be created in \(folder): \(Errno(rawValue: errno).reason).")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
