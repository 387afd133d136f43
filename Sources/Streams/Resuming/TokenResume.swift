package import Store

/// Finds the list of a token without a recorded state: a list as it was committed.
package struct TokenResume: Sendable {
  let folder: String
  let view: ViewIdentity
  private let committedList: @Sendable (String) async -> ResultsSnapshot?

  /// - Parameters:
  ///   - folder: The folder of the items.
  ///   - view: The identity of the consumer's view.
  ///   - committedList: Returns the list at a commit; nil if there is none. It may block.
  package init(
    in folder: String, _ view: ViewIdentity,
    committedList: @escaping @Sendable (String) async -> ResultsSnapshot?
  ) {
    self.folder = folder
    self.view = view
    self.committedList = committedList
  }

  /// Returns the reason why no commit of the folder can have the list of a token; nil if one may
  /// have it.
  ///
  /// - Parameter text: The token as the consumer gives it.
  func goneReason(for text: String) -> GoneReason? {
    guard let token = StreamToken(parsing: text) else { return StreamToken.goneReason(for: text) }
    if let hash = token.view, hash != view.hash { return .viewMismatch }
    return token.commit == nil || token.digest == nil ? .unknownToken : nil
  }

  /// Returns the list of a token, or the reason why it is gone. It may block.
  ///
  /// - Parameter text: The token as the consumer gives it.
  package func find(_ text: String) async -> StreamStart {
    if let reason = goneReason(for: text) { return .gone(ResumeFailure(reason, token: text)) }
    guard let token = StreamToken(parsing: text), let commit = token.commit,
      let list = await committedList(commit), token.recognizes(list)
    else { return .gone(ResumeFailure(.unknownToken, token: text)) }
    return .resumed(list, StreamPosition(seq: token.seq, token: text))
  }
}
