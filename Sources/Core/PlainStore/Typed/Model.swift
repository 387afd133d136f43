/// A decoded item of any type. The code between the store and the caller only compares models.
package struct Model: Sendable, Equatable {
  let value: any Equatable & Sendable
  /// The ids of the items that the value has links to. A change of one of these items is an
  /// update of this one.
  var links: Set<Item.ID> = []

  package static func == (a: Model, b: Model) -> Bool { a.value.isEqual(to: b.value) }
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
