import Git
package import PlainStore
import Sinks

/// Finds the list of a token without a recorded state: a list as it was committed.
package struct TokenResume: Sendable {
  let folder: String
  private let options: StoreOptions
  let view: ViewIdentity
  private let resolve: RequestResolver

  /// The result of a search.
  package enum Outcome: Sendable {
    /// The list of the token, and its position.
    case found(ResultsSnapshot, StreamPosition)
    /// The token cannot be used.
    case gone(GoneReason)
  }

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - folder: The folder of the items.
  ///   - options: The limits and the id fields.
  ///   - view: The identity of the consumer's view.
  ///   - resolve: Makes the request from the settings.
  package init(in folder: String, _ options: StoreOptions, _ view: ViewIdentity, resolving resolve: @escaping RequestResolver) {
    self.folder = folder
    self.options = options
    self.view = view
    self.resolve = resolve
  }

  /// Returns the reason why no commit of the folder can have the list of a token; nil if one may
  /// have it. It runs nothing.
  ///
  /// - Parameter text: The token as the consumer gives it.
  func goneReason(for text: String) -> GoneReason? {
    guard let token = StreamToken(parsing: text) else { return StreamToken.goneReason(for: text) }
    if let hash = token.view, hash != view.hash { return .viewMismatch }
    return token.commit == nil || token.digest == nil || HeadReader(above: folder) == nil ? .unknownToken : nil
  }

  /// Returns the list of a token. It runs git, and blocks meanwhile.
  ///
  /// - Parameter text: The token as the consumer gives it.
  package func find(_ text: String) async -> Outcome {
    if let reason = goneReason(for: text) { return .gone(reason) }
    guard let token = StreamToken(parsing: text), let commit = token.commit,
      let list = try? await RevisionList.list(of: folder, at: commit, options: options, resolve: resolve), token.recognizes(list)
    else { return .gone(.unknownToken) }
    return .found(list, StreamPosition(seq: token.seq, token: text))
  }
}
