import Files
import Glibc
package import Watch

/// An error of opening or saving to a store.
public struct StoreError: Error, CustomStringConvertible {
  /// The kind of an error. Later versions may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it is not a folder.
    public static let noDirectory = Code(description: "noDirectory")
    /// The permissions of the folder, or of one above it, do not allow it.
    public static let permissionDenied = Code(description: "permissionDenied")
    /// The settings file cannot be read or understood.
    public static let badSettings = Code(description: "badSettings")
    /// Any other error of the system.
    public static let system = Code(description: "system")

    /// The name of the code, such as `noDirectory`.
    public let description: String
  }

  /// The kind of this error.
  public let code: Code
  /// A sentence that says what happened, where, and what to do.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = DisplayText.safe(description)
  }

  package init(_ error: WatchError) {
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
