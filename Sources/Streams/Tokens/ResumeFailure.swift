/// The reason why a consumer gets the complete list instead of what changed, in a sentence.
package struct ResumeFailure: Sendable, Hashable, CustomStringConvertible {
  package let reason: GoneReason
  /// The token that was asked for. Nil if the state was asked for its own position.
  private let token: String?
  private let state: String?

  package init(_ reason: GoneReason, token: String? = nil, state: String? = nil) {
    self.reason = reason
    self.token = token
    self.state = state
  }

  /// One sentence: what cannot be used and why, and what happens instead.
  package var description: String {
    let why: String? =
      switch reason {
      case .viewMismatch: "it belongs to a view with other options"
      case .damaged: "the record is damaged or incomplete"
      case .newerVersion: "a newer version of notes-watch wrote it"
      case .unknownToken: nil
      }
    let source =
      token.map { $0.isEmpty ? "an empty token" : "token \($0)" }
      ?? "the state\(state.map { " `\($0)`" } ?? "")"
    return "Cannot resume from \(source)\(why.map { ": \($0)" } ?? ""); sending the complete list."
  }
}

/// The reason why a consumer cannot resume from its position. Its raw value is in the stream.
package enum GoneReason: String, Sendable {
  case unknownToken = "unknown-token"
  case viewMismatch = "view-mismatch"
  case damaged
  case newerVersion = "newer-version"
}
