/// The reason why a consumer cannot resume from its position.
package struct GoneReason: Sendable, Hashable, CustomStringConvertible {
  /// The token is unknown.
  package static let unknownToken = GoneReason(.unknownToken)
  /// The token or the state belongs to another view.
  package static let viewMismatch = GoneReason(.viewMismatch)
  /// The recorded state is lost or damaged.
  package static let damaged = GoneReason(.damaged)
  /// A newer version of this program wrote the token or the state.
  package static let newerVersion = GoneReason(.newerVersion)

  private enum Name: String {
    case unknownToken = "unknown-token"
    case viewMismatch = "view-mismatch"
    case damaged
    case newerVersion = "newer-version"
  }

  private let name: Name

  private init(_ name: Name) {
    self.name = name
  }

  /// The word for the reason in the stream, such as `unknown-token`.
  package var description: String { name.rawValue }
}
