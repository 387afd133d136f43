import PlainStore
import Sinks

/// The start of a client's stream.
enum StreamStart {
  /// The client has no list yet.
  case new
  /// The client has a list, at a position.
  case resumed(ResultsSnapshot, StreamPosition)
  /// The client's list cannot be found.
  case gone(ResumeFailure)

  /// Finds the list of the client's token: among those that this server has sent, then among the
  /// commits of the folder.
  static func find(_ list: RequestedList, _ results: FetchedResults, _ context: ServerContext) async -> StreamStart {
    guard let token = list.request.since else { return .new }
    if let known = context.positions.find(token, in: list.folder.path, view: list.identity.hash) {
      return .resumed(known.list, known.position)
    }
    let search = TokenResume(in: list.folder.path, list.storeOptions, list.identity, resolving: list.fetchRequest)
    let outcome = await Task(executorPreference: context.resuming) { await search.find(token) }.value
    switch outcome {
    case .found(let list, let position): return .resumed(list, position)
    case .gone(let reason): return .gone(ResumeFailure(reason, token: token))
    }
  }

  /// The position from which the stream continues; nil if it begins with the list.
  var position: StreamPosition? {
    guard case .resumed(_, let position) = self else { return nil }
    return position
  }

  /// Returns a subscription that begins with the list, or with what changed since the position.
  func subscription(to results: FetchedResults) -> ResultsSubscription {
    guard case .resumed(let list, _) = self else { return results.subscribe() }
    return results.subscribe(resumingAfter: list)
  }
}
