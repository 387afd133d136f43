package import Store

package enum StreamStart: Sendable {
  case new
  case resumed(ListSnapshot<Item>, StreamPosition)
  case gone(ResumeFailure)

  /// Finds the list of a token without a recorded state: a list as it was committed.
  package static func find(
    _ text: String, view: String, committedList: @Sendable (String) async -> ListSnapshot<Item>?
  ) async -> StreamStart {
    if let reason = goneReason(for: text, view: view) { return .gone(ResumeFailure(reason, token: text)) }
    guard let token = StreamToken(parsing: text), let commit = token.commit,
      let list = await committedList(commit), token.recognizes(list)
    else { return .gone(ResumeFailure(.unknownToken, token: text)) }
    return .resumed(list, StreamPosition(seq: token.seq, token: text))
  }

  private static func goneReason(for text: String, view: String) -> GoneReason? {
    guard let token = StreamToken(parsing: text) else { return StreamToken.goneReason(for: text) }
    if let hash = token.view, hash != view { return .viewMismatch }
    return token.commit == nil || token.digest == nil ? .unknownToken : nil
  }

  /// Finds the list of a client's token: among those that this server has sent, then, on a queue, among
  /// the commits of the folder. If too many searches wait there, or if this one waits too long, the
  /// list counts as gone: the client then gets the complete one.
  package static func find(
    _ token: String?, among positions: RecentPositions, in folder: String, view: String,
    on queue: BoundedQueue, waitingAtMost limit: Duration,
    committedList: @escaping @Sendable (String) async -> ListSnapshot<Item>?
  ) async -> StreamStart {
    guard let token else { return .new }
    if let known = positions.find(token, in: folder, view: view) {
      return .resumed(known.list, known.position)
    }
    if let reason = goneReason(for: token, view: view) { return .gone(ResumeFailure(reason, token: token)) }
    let start = ContinuousClock.now
    let unknown = StreamStart.gone(ResumeFailure(.unknownToken, token: token))
    return await queue.run { hasWaited in
      if hasWaited, ContinuousClock.now - start > limit { return unknown }
      return await find(token, view: view, committedList: committedList)
    } ?? unknown
  }

  package var position: StreamPosition? {
    guard case .resumed(_, let position) = self else { return nil }
    return position
  }

  package func subscription(to results: LiveList<Item>) -> ListSubscription {
    guard case .resumed(let list, _) = self else { return results.subscribe() }
    return results.subscribe(resumingAfter: list)
  }
}
