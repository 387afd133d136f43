public import Observation

/// A live, ordered, sectioned, searchable list of a store's items that reports exactly what changed.
///
/// Promises:
/// - **The list first.** Each sequence begins with the list as it is then. Everything that follows
///   is a step from the reader's snapshot to the newest one.
/// - **Order.** Steps come in the order in which they happened. Each step is consistent and not
///   empty: applying its diff to the old snapshot gives the new one.
/// - **Coalescing.** A slow reader gets fewer and larger steps. Nothing is queued and nothing is
///   lost. Changes that cancel out in between are never seen.
/// - **Isolation.** There may be any number of readers, on any task or actor. None waits for
///   another. Setting a part of the request takes effect before the setter returns.
/// - **Lifetime.** A sequence ends with its task, and when nobody holds the list any more. A
///   loop over a sequence holds the list, and the list holds its store.
/// - **Cost.** O(k log n) for k changed items. O(n) for another search or predicate; a longer search tests
///   only the shown items, a shorter one only the hidden ones. O(n log n) for another order.
///
/// Limits: this is not a log. If you need every state that a file ever had, use git. Two quick
/// edits of one file may be one step.
///
/// ```swift
/// let best = try store.list(of: Contact.self, sort: "-rating")
/// Task {
///   for await update in best.updates { print(update.new.count, update.changes) }
/// }
/// best.search = "re"  // the next update, whose cause is `view`
/// ```
///
/// An element is an `Item`, a model of your own type, or what ``mapped(_:)`` makes of either.
///
/// In a list of models:
///
/// - Only items that the request's folder and predicate let through are decoded. Other files are not
///   problems of the list.
/// - An item that does not decode is a problem with the coding path and the file's line. It keeps its
///   last good value as long as that matches; without one it isn't listed.
/// - An edit that leaves the decoded value equal is not an update. It may still move the item if it
///   changed the value that the list is sorted by.
/// - The list identifies an item by its `Item.ID`, not by the type's own `id`. If both should agree,
///   name the field in the settings' `id-field`, or decode `@id`.
/// - `init(from:)` runs once each time a file is read: on the store's worker, or in the task that makes
///   the list or changes its request. It runs outside of all locks and may ask the store and its lists
///   anything, but must not wait for a save.
///
/// A live list is not a collection, because two reads may see two lists. Its `snapshot` is one. Views can
/// observe it: a read of `snapshot` in `withObservationTracking` or in a view is followed.
@dynamicMemberLookup
public final class LiveList<Element: Sendable>: Sendable, Observable {
  package let shared: SharedList
  /// The mapping that makes the elements; nil if the list shows its items or models.
  package let mapping: ItemMapping?

  package init(_ shared: SharedList, mapping: ItemMapping? = nil) {
    self.shared = shared
    self.mapping = mapping
  }

  /// The list as it is now. All values of one snapshot are consistent; two reads may see two lists. O(1).
  public var snapshot: ListSnapshot<Element> { ListSnapshot(shared.snapshot, mapping: mapping) }

  /// Returns a new subscription. It gets events for as long as you hold it.
  package func subscribe() -> ListSubscription { shared.follow { ListSubscription(newest: $0) } }

  /// Returns a subscription that begins after a snapshot of this list: its first step has every change since
  /// then. Without a snapshot it begins after the list as it is now.
  package func subscribe(after snapshot: ListSnapshot<Element>?) -> ListSubscription {
    shared.follow { newest in
      guard let snapshot, snapshot.revision != newest.revision || snapshot.revision == 0 else {
        return ListSubscription(after: newest, newest: newest)
      }
      let known = ListSnapshot<Item>(snapshot.mapped(by: nil))
      return ListSubscription(after: known, newest: newest, .unknown(from: known, to: newest))
    }
  }

  /// Returns a subscription for a consumer that has a list from an earlier run. Its first step has
  /// everything that changed since then, with the cause `resumed`, and all current problems.
  package func subscribe(resumingAfter list: ListSnapshot<Element>) -> ListSubscription {
    shared.follow { ListSubscription(after: ListSnapshot(list), newest: $0, .resumed($0)) }
  }
}

extension LiveList: CustomStringConvertible {
  /// The list as it is now.
  public var description: String { snapshot.description }
}
