import Values

/// An element of a list as the source of a predicate in parentheses: paths begin at the element, or at the
/// item that it is a link to, and pseudo-fields are those of the item with the list.
struct ElementSource: FieldSource {
  let element: Value
  let item: any FieldSource
  private let linked: ItemFields?

  /// `list` is the path of the list in the source.
  init(_ element: Value, of source: any FieldSource, at list: PredicateOperand) {
    self.element = element
    item = (source as? ElementSource)?.item ?? source
    linked = if case .path(let path) = list { source.linkedFields(of: element, at: path) } else { nil }
  }

  func value(at path: FieldPath) -> Value? {
    if PseudoField(path) != nil { return item.value(at: path) }
    return linked.map { $0.value(at: path) } ?? element.value(at: path)
  }

  func appendTexts(to text: inout FoldedText) { element.appendTexts(to: &text) }

  func linkedFields(of element: Value, at path: FieldPath) -> ItemFields? {
    linked?.linkedFields(of: element, at: path)
  }
}
