import HashTreeCollections
import Query

extension ResultsSnapshot {
  /// Returns the model that a link leads to, as it was at the moment of the snapshot. It need not
  /// be in the list. O(log n) and the decoding of the item.
  ///
  /// - Parameter link: The link; nil leads nowhere.
  /// - Returns: The model; nil if there is no such item, or if it does not decode. A list of the
  ///   target's type reports that as a problem.
  public func resolve<Target>(_ link: Link<Target>?) -> Target? {
    link.flatMap { storeItems[$0.id.item] }.flatMap { try? $0.decode(Target.self) }
  }
}

extension TypedSnapshot {
  /// Returns the model that a link leads to, as it was at the moment of the snapshot. It need not
  /// be in the list. O(log n) and the decoding of the item.
  ///
  /// - Parameter link: The link; nil leads nowhere.
  /// - Returns: The model; nil if there is no such item, or if it does not decode. A list of the
  ///   target's type reports that as a problem.
  public func resolve<Target>(_ link: Link<Target>?) -> Target? { items.resolve(link) }
}

extension ItemStore {
  /// Returns the model that a link leads to, as it is now. O(log n) and the decoding of the item.
  ///
  /// - Parameter link: The link; nil leads nowhere.
  /// - Returns: The model; nil if there is no such item.
  /// - Throws: A `Problem` at the line of the value that cannot be read as the target's type.
  public func resolve<Target>(_ link: Link<Target>?) throws -> Target? {
    try link.flatMap { item($0.id) }.map { item throws(Problem) in try decode(item, as: Target.self) }
  }
}

/// Resolves links at the moment of one snapshot. It is called like a function:
/// `resolve(book.author)`.
public struct LinkResolver: Sendable {
  let snapshot: ResultsSnapshot

  /// Returns the model that a link leads to; nil if there is no such item, or if it does not
  /// decode. O(log n) and the decoding of the item.
  ///
  /// - Parameter link: The link; nil leads nowhere.
  public func callAsFunction<Target>(_ link: Link<Target>?) -> Target? { snapshot.resolve(link) }
}
