public import Observation
public import Store

/// A list for the main actor that views observe: a collection of the objects of a `TypedResults`,
/// which changes as the list does.
///
/// ```swift
/// @MainActor final class ContactScreen {
///   let contacts: LiveResults<Contact>
///
///   init(_ store: ItemStore) {
///     contacts = store.results(of: Contact.self).live()
///   }
///
///   var rows: [String] { contacts.map(\.name) }
///
///   func search(_ text: String) { contacts.search = text }
/// }
/// ```
///
/// - It begins with the list as it is, so there is no empty first frame.
/// - Setting a part of the request takes effect before the setter returns.
/// - The differences are computed outside of the main actor. The main actor only replaces the
///   snapshot.
/// - It follows the list until it is released. There is nothing to cancel.
/// - Several quick changes may be observed as one, and `update` is only the last one. To apply each
///   update exactly once, use the `updates` of `results`.
///
/// Within the main actor nothing changes between two `await`s, so positions stay valid until then.
@MainActor @Observable
public final class LiveResults<Object: Equatable & Sendable> {
  /// The list that is followed.
  public let results: TypedResults<Object>
  /// The list as it is shown.
  public private(set) var snapshot: TypedSnapshot<Object>
  /// The last update that arrived; nil before the first one.
  public private(set) var update: TypedUpdate<Object>?
  @ObservationIgnored private var task: OwnedTask?

  /// Creates a list that follows another one. O(1).
  public init(_ results: TypedResults<Object>) {
    let (snapshot, steps) = results.items.snapshotAndSteps()
    let mapping = results.mapping
    self.results = results
    self.snapshot = TypedSnapshot(snapshot.mapped(by: mapping))
    task = OwnedTask { [weak self] in
      while let step = await steps.nextStep() {
        await self?.apply(step.mapped(by: mapping).update.map { TypedUpdate($0) })
      }
    }
  }

  private func apply(_ update: TypedUpdate<Object>?) {
    showNewest()
    if let update { self.update = update }
  }

  private func showNewest() {
    // A setter or `settled` may already have shown this list or a newer one.
    let newest = results.snapshot
    if newest.items.revision != snapshot.items.revision { snapshot = newest }
  }

  /// Returns when the list shows everything that was written before the call, by this program or by
  /// any other. In tests it replaces waiting for some time:
  ///
  /// ```swift
  /// @MainActor func test(_ store: ItemStore) async throws {
  ///   let contacts = store.results(of: Contact.self).live()
  ///   try await store.update("ada", as: Contact.self) { $0.rating = 9 }
  ///   await contacts.settled()
  ///   print(contacts[id: "ada"]?.rating ?? 0)  // 9
  /// }
  /// ```
  ///
  /// The `settled()` of the store waits for lists, but not for the main actor. `update` may follow
  /// later. Waits and costs as ``ItemStore/settled()``.
  public func settled() async {
    await results.items.store?.settled()
    showNewest()
  }

  /// The complete request. Setting it changes all parts as one step.
  public var request: FetchRequest {
    get { snapshot.request }
    set { change { $0 = newValue } }
  }

  /// The search text. A search field may set it at each key.
  public var search: String {
    get { request.search }
    set { change { $0.search = newValue } }
  }

  /// The sort descriptors, the most important one first.
  public var sort: [ItemSortDescriptor] {
    get { request.sort }
    set { change { $0.sort = newValue } }
  }

  /// The condition that an item must meet to be shown; nil for all items.
  public var predicate: ItemPredicate? {
    get { request.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// Changes parts of the request as one step, and shows the result. See `FetchedResults.change(_:)`.
  public func change(_ body: (inout FetchRequest) -> Void) {
    results.change(body)
    let newest = results.snapshot
    if newest.request != snapshot.request { snapshot = newest }
  }
}

/// A collection of the objects of the list. A loop goes over the list as it is when the loop begins.
extension LiveResults: @MainActor RandomAccessCollection {
  /// The position of the first object, 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { snapshot.endIndex }
  /// The object at a position, which must exist. O(log n).
  public subscript(position: Int) -> Object { snapshot[position] }
  /// Returns an iterator over the objects as they are now.
  public func makeIterator() -> ResultsIterator<Object> { snapshot.makeIterator() }

  /// The object of the item with an id; nil if the list does not show it. O(log n).
  public subscript(id id: Item.ID) -> Object? { snapshot[id: id] }
  /// The object at an index path; nil if there is none. O(log n).
  public subscript(path: ItemIndexPath) -> Object? { snapshot[path] }
  /// The sections in order, each as a collection of its objects.
  public var sections: [ResultsSection<Object>] { snapshot.sections }
}

extension TypedResults {
  /// Returns an observable list for the main actor that follows this one.
  @MainActor public func live() -> LiveResults<Object> { LiveResults(self) }
}
