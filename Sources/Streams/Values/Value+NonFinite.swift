package import Store

/// Which strings of a JSON text are numbers that JSON does not have: `.inf`, `-.inf` and `.nan`.
///
/// The places of these numbers are a value with the shape of the fields, reduced to the numbers: `true` for
/// each number, a map for each map or list that contains one. Elements of lists are named by their index.
///
/// ```json
/// {"value":{"max":".inf","steps":[1,".nan"],"name":".inf"},"numbers":{"max":true,"steps":{"1":true}}}
/// ```
extension Value {
  /// The places of the non-finite numbers; nil if there are none. Linear.
  package var nonFinitePlaces: Value? {
    switch self {
    case .number(let number): number.isFinite ? nil : .bool(true)
    case .map(let fields): Value.places(fields.lazy.map { ($0.key, $0.value) })
    case .list(let elements):
      Value.places(elements.enumerated().lazy.map { (String($0.offset), $0.element) })
    default: nil
    }
  }

  private static func places(_ children: some Sequence<(String, Value)>) -> Value? {
    var found = Fields()
    for (key, child) in children {
      if let place = child.nonFinitePlaces { found.append(place, unique: key) }
    }
    return found.isEmpty ? nil : .map(found)
  }

  /// Returns the value with numbers instead of the strings at those places that match. Linear.
  package func restoringNonFinite(at places: Value) -> Value {
    switch (self, places) {
    case (.string(let text), .bool(true)): return Value.nonFinite[text].map { .number(.double($0)) } ?? self
    case (.map(let fields), .map(let places)):
      var index = FieldIndex(places)
      let pairs = fields.enumerated().map { place, field in
        let found = index.value(of: field.key, near: place)
        return (field.key, found.map(field.value.restoringNonFinite) ?? field.value)
      }
      return .map(Fields(unique: pairs))
    case (.list(var elements), .map(let places)):
      for (key, place) in places {
        if let index = Int(elementNumber: key), elements.indices.contains(index) {
          elements[index] = elements[index].restoringNonFinite(at: place)
        }
      }
      return .list(elements)
    default: return self
    }
  }

  private static let nonFinite: [String: Double] = [".inf": .infinity, "-.inf": -.infinity, ".nan": .nan]
}
