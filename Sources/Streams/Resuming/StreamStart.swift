package import Store

/// The start of a reader's stream.
package enum StreamStart: Sendable {
  /// The reader has no list yet.
  case new
  /// The reader has a list, at a position.
  case resumed(ResultsSnapshot, StreamPosition)
  /// The reader's list cannot be found.
  case gone(ResumeFailure)

  /// Finds the list of a client's token: among those that this server has sent, then among the
  /// commits of the folder.
  ///
  /// - Parameters:
  ///   - token: The token; nil for a client without a list.
  ///   - positions: The lists that this server has sent.
  ///   - search: Finds the list among the commits.
  ///   - queue: Runs the search, which blocks. If too many searches wait, or if this one waits too
  ///     long, the list counts as gone: the client then gets the complete one.
  ///   - maxWait: The longest time to wait for other searches.
  package static func find(
    _ token: String?, among positions: RecentPositions, orBy search: TokenResume, on queue: BoundedQueue,
    waitingAtMost maxWait: Duration = .seconds(5)
  ) async -> StreamStart {
    guard let token else { return .new }
    if let known = positions.find(token, in: search.folder, view: search.view.hash) {
      return .resumed(known.list, known.position)
    }
    if let reason = search.goneReason(for: token) { return .gone(ResumeFailure(reason, token: token)) }
    let start = ContinuousClock.now
    let unknown = StreamStart.gone(ResumeFailure(.unknownToken, token: token))
    return await queue.run { hasWaited in
      hasWaited && ContinuousClock.now - start > maxWait ? unknown : await search.find(token)
    } ?? unknown
  }

  /// The position from which the stream continues; nil if it begins with the list.
  package var position: StreamPosition? {
    guard case .resumed(_, let position) = self else { return nil }
    return position
  }

  /// Returns a subscription that begins with the list, or with what changed since the position.
  package func subscription(to results: FetchedResults) -> ResultsSubscription {
    guard case .resumed(let list, _) = self else { return results.subscribe() }
    return results.subscribe(resumingAfter: list)
  }
}
