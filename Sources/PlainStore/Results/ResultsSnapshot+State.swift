extension ResultsSnapshot {
  /// What a request shows of a store at one moment, for who need not follow it. O(n log n).
  package init(of state: StoreState, request: FetchRequest, context: PredicateContext = .now) {
    let index = ResultsIndex(state, request: request, context: context)
    self.init(request: request, list: index.shown, items: state.items, problems: state.problems)
  }
}
