import Values

/// An element of a list as the source of a predicate in parentheses: paths begin at the element,
/// and pseudo-fields are those of the item.
struct ElementSource: FieldSource {
  let element: Value
  let item: any FieldSource

  init(_ element: Value, of source: any FieldSource) {
    self.element = element
    item = (source as? ElementSource)?.item ?? source
  }

  func value(at path: FieldPath) -> Value? {
    PseudoField(path) == nil ? element.value(at: path) : item.value(at: path)
  }
}
