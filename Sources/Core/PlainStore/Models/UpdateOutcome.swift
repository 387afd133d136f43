/// The outcome of an update of one model: the object as it is now, and everything from
/// ``SaveOutcome``.
///
/// ```swift
/// let outcome = try await store.update("ada", as: Contact.self) { $0.rating += 1 }
/// print(outcome.object.rating, outcome.result)
/// try await store.save(outcome.inverse)  // undo
/// ```
@dynamicMemberLookup
public struct UpdateOutcome<Object: Sendable>: Sendable, CustomStringConvertible {
  /// The object as it was saved.
  public let object: Object
  /// The outcome of its item.
  public let outcome: SaveOutcome

  /// The change that takes this one back, for undo; without changes if nothing was written.
  public var inverse: EditScope { outcome.inverse }

  /// Gives access to what the outcome says about the item: `result`, `path`, `warnings`.
  public subscript<Part>(dynamicMember part: KeyPath<SaveOutcome, Part>) -> Part { outcome[keyPath: part] }

  /// The id and the result, such as `ada: updated`.
  public var description: String { outcome.description }
}
