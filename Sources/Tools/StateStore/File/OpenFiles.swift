import Synchronization

/// The files that this process has open as states.
///
/// Closing any descriptor of a file releases all locks that the process has on it. So no other
/// descriptor of such a file may be opened here.
enum OpenFiles {
  /// Lock: guards the files that are open as states in this process.
  private static let paths = Mutex<Set<String>>([])

  /// Adds a file.
  ///
  /// - Returns: False if the process has it open already.
  static func claim(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }

  static func release(_ path: String) { _ = paths.withLock { $0.remove(path) } }
}
