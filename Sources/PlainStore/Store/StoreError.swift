import DirectoryWatch
import Glibc

/// An error of opening or saving to a store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public enum Code: Sendable, Hashable {
    /// There is no such folder, or it is not a folder.
    case noDirectory
    /// The folder may not be read.
    case permissionDenied
    /// The settings file cannot be read or understood.
    case badSettings
    /// Any other error of the system.
    case system
  }

  /// The kind of this error.
  public let code: Code
  /// A sentence that says what happened, where, and what to do.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: WatchError) {
    self.init(StoreError.code(error.errno), error.description)
  }

  private static func code(_ errno: CInt) -> Code {
    switch errno {
    case ENOENT, ENOTDIR: .noDirectory
    case EACCES, EPERM: .permissionDenied
    default: .system
    }
  }
}
