/// A decoded item whose type is known to those who asked for it: what is between the store and them need only tell whether it is another.
package struct Model: Sendable, Equatable {
  let value: any Equatable & Sendable

  package static func == (a: Model, b: Model) -> Bool { a.value.isEqual(to: b.value) }
}

extension Equatable {
  fileprivate func isEqual(to other: any Equatable) -> Bool { (other as? Self).map { $0 == self } ?? false }
}
