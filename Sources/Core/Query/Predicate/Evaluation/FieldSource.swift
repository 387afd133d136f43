public import Values

/// A source of fields for predicates. An item of a store also has pseudo-fields such as
/// `@modified`.
package protocol FieldSource: Sendable {
  func value(at path: FieldPath) -> Value?
}

extension Value: FieldSource {}
extension PackedValue: FieldSource {}
extension Item: FieldSource {}
