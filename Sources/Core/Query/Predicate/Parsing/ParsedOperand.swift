import Values

/// A side of a comparison whose other side isn't known yet: beside `@id`, interpolated values are ids.
struct ParsedOperand {
  let value: PredicateOperand
  /// The operand in a comparison with `@id`.
  let id: PredicateOperand
  /// True if it has a value such as a UUID, which is in upper case, while its id is in lower case. Files
  /// have both, so a comparison with anything but `@id` ignores case.
  let ignoresCase: Bool

  init(_ value: PredicateOperand) {
    self.value = value
    id = value
    ignoresCase = false
  }

  init(_ value: PredicateOperand, id: PredicateOperand) {
    self.value = value
    self.id = id
    ignoresCase = value != id && value.written.lowercased() == id.written.lowercased()
  }

  init(elements: [ParsedOperand]) {
    value = PredicateOperand(elements: elements.map(\.value))
    id = PredicateOperand(elements: elements.map(\.id))
    ignoresCase = elements.contains(where: \.ignoresCase)
  }

  /// True if this is `@id`, or has it in braces.
  var hasID: Bool {
    value.fields.contains { if case .path(let path) = $0 { PseudoField(path) == .id } else { false } }
  }
}
