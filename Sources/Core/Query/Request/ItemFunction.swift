package import Values

/// A function that a user passes in a request and that lists apply to items.
///
/// Two functions are equal if they are the same instance, because closures cannot be compared.
/// Lists call them outside of all locks (`ListContents`).
package final class ItemFunction<Result: Sendable>: Sendable, Hashable {
  /// Computes the result for an item. The model is nil unless the list is a list of models.
  package let call: @Sendable (Item, Model?) -> Result

  package init(_ call: @escaping @Sendable (Item, Model?) -> Result) {
    self.call = call
  }

  package static func == (a: ItemFunction, b: ItemFunction) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FetchRequest {
  private var sortFunctions: [ItemFunction<Value?>] { sort.compactMap(\.function) }

  package var hasFunctions: Bool { section?.function != nil || !sortFunctions.isEmpty }

  package func hasSameFunctions(as other: FetchRequest) -> Bool {
    section?.function == other.section?.function && sortFunctions == other.sortFunctions
  }

  package func derivedValues(of item: Item, _ model: Model?) -> DerivedValues {
    DerivedValues(
      sort: sortFunctions.map { $0.call(item, model) }, section: section?.function?.call(item, model))
  }
}

package struct DerivedValues {
  /// The values to sort by, in the order of the sort descriptors that have functions.
  package let sort: [Value?]
  /// The name of the section; nil if the function returned nil, or if there is none.
  let section: String?

  package init(sort: [Value?], section: String?) {
    self.sort = sort
    self.section = section
  }
}

/// A decoded item of any type. The code between the store and the caller only compares models.
package struct Model: Equatable {
  package let value: any Equatable & Sendable
  /// The ids of the items that the value has links to. A change of one of these items is an
  /// update of this one.
  package var links: Set<Item.ID> = []

  package init(value: any Equatable & Sendable, links: Set<Item.ID> = []) {
    self.value = value
    self.links = links
  }

  package static func == (a: Model, b: Model) -> Bool { a.value.isEqual(to: b.value) }
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
