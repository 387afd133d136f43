extension FetchedResults {
  /// Returns a subscription for a consumer that has a list from an earlier run. Its first step has
  /// everything that changed since then, with the cause `resumed`, and all current problems.
  package func subscribe(resumingAfter list: ResultsSnapshot) -> ResultsSubscription {
    follow { ResultsSubscription(after: list, newest: $0, .resumed($0)) }
  }
}
