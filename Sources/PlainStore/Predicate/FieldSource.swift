public import PlainText

/// What a predicate can be asked about: something that has fields, and pseudo-fields (`@modified`) if it is an item of a store.
package protocol FieldSource: Sendable {
  func value(at path: FieldPath) -> Value?
}

extension Value: FieldSource {}
extension PackedValue: FieldSource {}
extension Item: FieldSource {}
