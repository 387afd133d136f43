import Files
import SystemPackage

/// The reason why a terminal cannot be used.
public struct TerminalFailure: Error, Hashable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Kind: Hashable, Sendable {
    /// The terminal cannot draw (`TERM=dumb`).
    case cannotDraw
    case missing
    case system
  }

  /// The sentence that names what needs no full screen.
  public static let withoutScreen =
    "Screen readers get the list from `notes-watch serve`, as a web page, and as lines from `watch`, `list` and `set`."

  /// The kind of the reason.
  public let kind: Kind
  /// The reason, and what to do, as sentences.
  public let description: String

  static func cannotDraw(_ term: String) -> TerminalFailure {
    let variable = term.isEmpty ? "TERM is not set" : "TERM=\(term)"
    return TerminalFailure(
      kind: .cannotDraw,
      description:
        "This terminal cannot show a full screen (\(variable)). Set TERM to its type. \(withoutScreen)")
  }

  static func missing(_ error: Errno) -> TerminalFailure {
    TerminalFailure(
      kind: .missing,
      description:
        "There is no terminal: /dev/tty cannot be opened (\(reason(error))). Use `notes-watch list`.")
  }

  static func system(_ verb: String, _ error: Errno) -> TerminalFailure {
    TerminalFailure(kind: .system, description: "The terminal cannot be \(verb): \(reason(error)).")
  }

  private static func reason(_ error: Errno) -> String {
    error == .noSuchAddressOrDevice
      ? "this process has none" : error == .ioError ? "it is gone" : error.reason
  }
}
