import Files
public import SystemPackage

/// The reason why a terminal cannot be used.
public enum TerminalFailure: Error, Hashable, CustomStringConvertible {
  /// The terminal of this type (`TERM`) cannot place the cursor.
  case cannotDraw(String)
  /// The program has no terminal.
  case missing(Errno)
  /// The system does not let the terminal be changed.
  case system(Errno)

  /// The sentence that names what needs no full screen.
  public static let withoutScreen =
    "Screen readers get the list from `notes-watch serve`, as a web page, and as lines from `watch`, `list` and `set`."

  /// The reason, and what to do, as sentences.
  public var description: String {
    switch self {
    case .cannotDraw(let term):
      let variable = term.isEmpty ? "TERM is not set" : "TERM=\(term)"
      return
        "This terminal cannot show a full screen (\(variable)). Set TERM to its type. \(TerminalFailure.withoutScreen)"
    case .missing(let error):
      return
        "There is no terminal: /dev/tty cannot be opened (\(TerminalFailure.reason(error))). Use `notes-watch list`."
    case .system(let error): return "The terminal cannot be changed: \(TerminalFailure.reason(error))."
    }
  }

  private static func reason(_ error: Errno) -> String {
    error == .noSuchAddressOrDevice
      ? "this process has none" : error == .ioError ? "it is gone" : error.reason
  }
}
