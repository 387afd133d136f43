import Files
public import Values

/// A source of fields for predicates. An item of a store also has pseudo-fields such as `@modified`.
package protocol FieldSource: Sendable {
  func value(at path: FieldPath) -> Value?

  /// Returns the fields of the item that an element of a list is a link to; nil if the fields at the path are
  /// no links, or if there is no such item.
  func linkedFields(of element: Value, at path: FieldPath) -> ItemFields?

  /// Appends the texts that a search of the source looks into.
  func appendTexts(to text: inout FoldedText)
}

extension Value: FieldSource {
  package func appendTexts(to text: inout FoldedText) { PackedValue(self).appendTexts(to: &text) }
}

extension PackedValue: FieldSource {
  package func appendTexts(to text: inout FoldedText) {
    forEachScalarText {
      text.append($0)
      return true
    }
  }
}

extension Item: FieldSource {
  package func appendTexts(to text: inout FoldedText) { ItemFields(self).appendTexts(to: &text) }
}

extension FieldSource {
  package func linkedFields(of element: Value, at path: FieldPath) -> ItemFields? { nil }

  /// Returns true if there is a field or an element at a path. An operator has a result even
  /// without a list, so its list is what counts.
  package func hasField(at path: FieldPath) -> Bool {
    value(at: path.listOperator == nil ? path : path.field) != nil
  }
}

extension Sequence<Item> {
  /// Returns the field probably meant by a path that no item has: one with a similar key in the same map.
  package func nearestField(to path: FieldPath) -> FieldPath? {
    guard path.steps.allSatisfy({ if case .key = $0 { true } else { false } }) else { return nil }
    for depth in path.keys.indices {
      let holder = path.keys[..<depth]
      let known = keys(below: holder)
      if known.contains(where: { $0.hasSameBytes(as: path.keys[depth]) }) { continue }
      let key = path.keys[depth]
      return known.sorted().nearest(to: key).map {
        FieldPath(keys: holder + [$0] + path.keys[(depth + 1)...])
      }
    }
    return nil
  }

  /// Returns the keys that items have in the map at a path; at most about a thousand.
  private func keys(below holder: ArraySlice<String>) -> Set<String> {
    var keys: Set<String> = holder.isEmpty ? Set(PseudoField.allCases.map(\.rawValue)) : []
    var last: [UInt8] = []
    for item in self where keys.count < 1_000 {
      if holder.isEmpty {
        // Most items have the keys of the one before.
        let joined = item.fields.joinedKeys
        if joined == last { continue }
        last = joined
        let names = joined.split(separator: FoldedText.stringEnd, omittingEmptySubsequences: false).dropLast()
        keys.formUnion(names.map { String(decoding: $0, as: UTF8.self) })
        continue
      }
      switch item.value(at: FieldPath(keys: Array(holder))) {
      case .map(let fields): keys.formUnion(fields.keys)
      case .list(let elements): for case .map(let fields) in elements { keys.formUnion(fields.keys) }
      default: break
      }
    }
    return keys
  }
}
