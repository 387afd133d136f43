import PlainText

/// A function of a user over items. Two are equal if they are the same instance, because closures
/// cannot be compared.
///
/// Lists call it outside of all locks (`ListContents`).
package final class ItemFunction<Result: Sendable>: Sendable, Hashable {
  /// Computes the result of an item. The model is that of a list of models; otherwise nil.
  package let call: @Sendable (Item, Model?) -> Result

  package init(_ call: @escaping @Sendable (Item, Model?) -> Result) {
    self.call = call
  }

  package static func == (a: ItemFunction, b: ItemFunction) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The functions that a request sorts and makes sections by.
struct ItemFunctions: Equatable, Sendable {
  let sort: [ItemFunction<Value?>]
  let section: ItemFunction<String?>?

  init(_ request: FetchRequest) {
    sort = request.decidingSort.compactMap(\.function)
    section = request.section?.function
  }

  var isEmpty: Bool { sort.isEmpty && section == nil }

  /// Calls each function for an item.
  func values(of item: Item, _ model: Model?) -> DerivedValues {
    DerivedValues(sort: sort.map { $0.call(item, model) }, section: section?.call(item, model))
  }
}

/// The results of a request's functions for one item.
package struct DerivedValues: Sendable {
  /// The values to sort by, in the order of the sort descriptors that have functions.
  let sort: [Value?]
  /// The name of the section; nil if the function returned nil, or if there is none.
  let section: String?
}
