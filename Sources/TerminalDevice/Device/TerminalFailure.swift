/// The reason why a terminal cannot be used.
public struct TerminalFailure: Error, Hashable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Kind: Hashable, Sendable {
    /// The terminal cannot draw (`TERM=dumb`).
    case cannotDraw
    /// The program has no terminal.
    case missing
    /// A call of the system failed.
    case system
  }

  /// The kind of the reason.
  public let kind: Kind
  /// The reason, and what to do, as sentences.
  public let description: String
}
