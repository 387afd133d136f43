/// A decoded item of any type. The code between the store and the caller only compares models.
package struct Model: Sendable, Equatable {
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
