/// A live list of a store: of items (`FetchedResults`) or of your own type (`TypedResults`).
///
/// Use it to observe several lists as one (`ItemStore.updates(of:)`). No other type conforms to it.
public protocol ResultsList: Sendable {
  /// The updates of the list.
  associatedtype Update: Sendable

  /// The source of the list's updates.
  var source: ResultsSource<Update> { get }
}

/// The source of the updates of a list.
public struct ResultsSource<Update: Sendable>: Sendable {
  let items: FetchedResults
  /// Returns the update of a step; nil if the list did not change.
  let update: @Sendable (ResultsStep) -> Update?
}

extension ResultsSource: CustomStringConvertible {
  /// The list as it is now.
  public var description: String { items.snapshot.description }
}

extension FetchedResults: ResultsList {
  /// The source of the list's updates, for `ItemStore.updates(of:)`.
  public var source: ResultsSource<ResultsUpdate> { ResultsSource(items: self, update: \.updateFromNothing) }
}

extension TypedResults: ResultsList {
  /// The source of the list's updates, for `ItemStore.updates(of:)`.
  public var source: ResultsSource<TypedUpdate<Object>> {
    ResultsSource(items: items) { [mapping] step in
      step.mapped(by: mapping).updateFromNothing.map { TypedUpdate($0) }
    }
  }
}
