/// Records which strings of a JSON text are numbers that JSON does not have: `.inf`, `-.inf` and
/// `.nan`.
///
/// The places of these numbers are a value with the shape of the fields, reduced to the numbers:
/// `true` for each number, a map for each map or list that contains one. Elements of lists are
/// named by their index.
///
/// ```json
/// {"value":{"max":".inf","steps":[1,".nan"],"name":".inf"},"numbers":{"max":true,"steps":{"1":true}}}
/// ```
package enum NonFiniteNumbers {
  /// Returns the places of the non-finite numbers; nil if there are none. Linear.
  package static func places(in fields: Fields) -> Value? { places(in: .map(fields)) }

  private static func places(in value: Value) -> Value? {
    switch value {
    case .number(let number): return number.isFinite ? nil : .bool(true)
    case .map(let fields): return places(fields.lazy.map { ($0.key, $0.value) })
    case .list(let elements):
      return places(elements.enumerated().lazy.map { (String($0.offset), $0.element) })
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

  /// Replaces the strings at `places` by numbers again. Ignores places that do not match the
  /// fields. Linear.
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
            (
              field.key,
              index.place(of: field.key, near: place).map { restored(field.value, places[$0].value) }
                ?? field.value
            )
          }))
    case (.list(var elements), .map(let places)):
      for (key, place) in places {
        if let index = ElementNumber.parse(key), elements.indices.contains(index) {
          elements[index] = restored(elements[index], place)
        }
      }
      return .list(elements)
    default: return value
    }
  }

  private static let numbers: [String: Double] = [".inf": .infinity, "-.inf": -.infinity, ".nan": .nan]
}
