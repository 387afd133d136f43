/// The numbers of some fields that JSON does not have: `.inf`, `-.inf` and `.nan`, which it writes as strings.
///
/// Their places are a value of the same shape as the fields, reduced to these numbers: `true` for each of them, a map for each map and list on the way to one. The
/// elements of lists go by their index.
///
/// ```json
/// {"value":{"max":".inf","steps":[1,".nan"],"name":".inf"},"numbers":{"max":true,"steps":{"1":true}}}
/// ```
package enum NonFiniteNumbers {
  /// The places of these numbers; nil if there are none. Linear.
  package static func places(in fields: Fields) -> Value? { places(in: .map(fields)) }

  private static func places(in value: Value) -> Value? {
    switch value {
    case .number(let number): return number.isFinite ? nil : .bool(true)
    case .map(let fields): return places(fields.lazy.map { ($0.key, $0.value) })
    case .list(let elements): return places(elements.enumerated().lazy.map { (String($0.offset), $0.element) })
    default: return nil
    }
  }

  private static func places(_ children: some Sequence<(String, Value)>) -> Value? {
    var found = Fields()
    for (key, child) in children {
      if let place = places(in: child) { found.append(place, unique: key) }
    }
    return found.isEmpty ? nil : .map(found)
  }

  /// The fields with numbers again where `places` says that a string is one. A place that does not fit the fields is ignored. Linear.
  package static func restore(_ places: Value?, in fields: Fields) -> Fields {
    guard let places else { return fields }
    return restored(.map(fields), places).fields ?? fields
  }

  private static func restored(_ value: Value, _ places: Value) -> Value {
    switch (value, places) {
    case (.string(let text), .bool(true)): return numbers[text].map { .number(.double($0)) } ?? value
    case (.map(let fields), .map(let places)):
      var index = FieldIndex(places)
      return .map(
        Fields(
          unique: fields.enumerated().map { place, field in
            (field.key, index.place(of: field.key, near: place).map { restored(field.value, places[$0].value) } ?? field.value)
          }))
    case (.list(var elements), .map(let places)):
      for (key, place) in places {
        if let index = ElementNumber.parse(key), elements.indices.contains(index) { elements[index] = restored(elements[index], place) }
      }
      return .list(elements)
    default: return value
    }
  }

  private static let numbers: [String: Double] = [".inf": .infinity, "-.inf": -.infinity, ".nan": .nan]
}
