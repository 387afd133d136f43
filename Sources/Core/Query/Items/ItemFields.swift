package import Values

/// Reads the fields of items at one moment, and of the items that they have links to.
package struct FieldReader: Sendable {
  package let modelFields: ModelFields
  /// Returns an item of that moment by its id; nil if no links are read through.
  private let item: (@Sendable (Item.ID) -> Item?)?

  /// Without arguments, reads what the files have.
  package init(_ modelFields: ModelFields = ModelFields(), item: (@Sendable (Item.ID) -> Item?)? = nil) {
    self.modelFields = modelFields
    self.item = item
  }

  package func fields(of item: Item) -> ItemFields { ItemFields(item, reader: self) }

  /// Returns the fields of the item that a value is a link to.
  fileprivate func linkedFields(_ link: Value, _ target: ModelFields) -> ItemFields? {
    Item.ID(linkedBy: link).flatMap { item?($0) }.map {
      ItemFields($0, reader: FieldReader(target, item: item))
    }
  }

  /// Returns the values at some keys of the items that a value has links to, as a map or a list of maps
  /// would give them.
  fileprivate func value(at keys: ArraySlice<String>, through links: Value?, _ target: ModelFields) -> Value?
  {
    switch links {
    case .list(let elements): .list(elements.compactMap { value(at: keys, through: $0, target) })
    case .map: links?.value(at: keys)
    case let link?: linkedFields(link, target)?.value(at: keys)
    case nil: nil
    }
  }
}

/// The fields of an item as a list reads them. So the predicate, the order, the sections and the search of a
/// list of models agree with its objects.
package struct ItemFields: FieldSource {
  package let item: Item
  private let reader: FieldReader

  package init(_ item: Item, reader: FieldReader = FieldReader()) {
    self.item = reader.modelFields.current(item)
    self.reader = reader
  }

  private var modelFields: ModelFields { reader.modelFields }

  fileprivate var defaults: Fields { modelFields.defaults }

  package func value(at path: FieldPath) -> Value? {
    if modelFields.isPlain { return item.value(at: path) }
    let keys = path.leadingKeys[...]
    guard let key = keys.first, modelFields.links[key] != nil else { return ownValue(at: path) }
    var value = value(at: keys)
    var target = modelFields.target(at: keys)
    var steps = path.laterSteps[...]
    while let step = steps.popFirst() {
      guard let links = target, case .key = step else {
        value = step.apply(to: value)
        continue
      }
      let rest = steps.prefix { if case .key = $0 { true } else { false } }
      let keys = [step.token] + rest.map(\.token)
      steps = steps.dropFirst(rest.count)
      value = reader.value(at: keys[...], through: value, links)
      target = links.target(at: keys)
    }
    return path.listOperator.map { $0.apply(to: value) } ?? value
  }

  private func ownValue(at path: FieldPath) -> Value? {
    guard !modelFields.defaults.isEmpty, !item.hasField(at: path) else { return item.value(at: path) }
    return modelFields.defaultValue(at: path) ?? item.value(at: path)
  }

  fileprivate func value(at keys: ArraySlice<String>) -> Value? {
    guard keys.count > 1, let key = keys.first, let target = modelFields.links[key] else {
      return ownValue(at: FieldPath(keys: Array(keys)))
    }
    return reader.value(at: keys.dropFirst(), through: ownValue(at: FieldPath(keys: [key])), target)
  }

  package func linkedFields(of element: Value, at path: FieldPath) -> ItemFields? {
    if modelFields.links.isEmpty { return nil }
    return modelFields.target(at: path.field.keys).flatMap { reader.linkedFields(element, $0) }
  }

  /// Adds the ids of the items that the list reads through links of this one, whether they exist or not.
  package func addLinkedIDs(to ids: inout Set<Item.ID>) {
    for (key, target) in modelFields.links {
      if let value = ownValue(at: FieldPath(keys: [key])) { addIDs(linkedBy: value, target, to: &ids) }
    }
  }

  private func addIDs(linkedBy value: Value, _ target: ModelFields, to ids: inout Set<Item.ID>) {
    if case .list(let elements) = value {
      for element in elements { addIDs(linkedBy: element, target, to: &ids) }
    }
    guard let id = Item.ID(linkedBy: value) else { return }
    ids.insert(id)
    if !target.links.isEmpty { reader.linkedFields(value, target)?.addLinkedIDs(to: &ids) }
  }
}

/// The texts of an item that a search looks into.
extension ItemFields {
  /// Appends the id and all scalars, those of defaults among them, in three parts: the names, which are the id
  /// and the title, the other fields, and the body. A ranking tells them apart (`SearchRanking`). The other
  /// fields begin with those that could be a title, too (`TextPredicate.names`).
  package func appendTexts(to text: inout FoldedText) {
    var id = item.id.description
    id.withUTF8 { text.append(UnsafeRawBufferPointer($0)) }
    item.fields.bytes.withUnsafeBytes { raw in
      let (title, others, body) = ItemFields.titlesAndBody(in: raw)
      let missing = defaults.filter { !item.hasField(at: FieldPath(keys: [$0.key])) }
      let isTitle = { (field: Fields.Element) in Item.titleKeys.contains(field.key) && field.value.isScalar }
      if let title { ItemFields.append(title, to: &text) }
      text.endPart()
      for other in others { ItemFields.append(other, to: &text) }
      for field in missing where isTitle(field) { field.value.appendTexts(to: &text) }
      text.endNames()
      ItemFields.forEachField(in: raw) { _, value in
        let start = value.baseAddress
        if start == title?.baseAddress || start == body?.baseAddress { return }
        if !others.contains(where: { $0.baseAddress == start }) { ItemFields.append(value, to: &text) }
      }
      for field in missing where !isTitle(field) { field.value.appendTexts(to: &text) }
      text.endPart()
      if let body { ItemFields.append(body, to: &text) }
    }
  }

  private static let titleKeys = Item.titleKeys.map { Array($0.utf8) }
  private static let bodyKey = Array(Item.bodyKey.utf8)

  /// Returns the packed values of the title of an item, of its other fields that could be one, and of its body.
  private static func titlesAndBody(in raw: UnsafeRawBufferPointer) -> (
    title: UnsafeRawBufferPointer?, others: [UnsafeRawBufferPointer], body: UnsafeRawBufferPointer?
  ) {
    var title: (number: Int, value: UnsafeRawBufferPointer)?
    var others: [UnsafeRawBufferPointer] = []
    var body: UnsafeRawBufferPointer?
    forEachField(in: raw) { key, value in
      if key.elementsEqual(bodyKey) { body = value }
      guard let number = titleKeys.firstIndex(where: key.elementsEqual), PackedValue.isFilledScalar(value)
      else { return }
      let isFirst = number < title?.number ?? .max
      if let other = isFirst ? title?.value : value { others.append(other) }
      if isFirst { title = (number, value) }
    }
    return (title?.value, others, body)
  }

  private static func forEachField(
    in raw: UnsafeRawBufferPointer,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    var reader = PackedReader(raw)
    guard case .map(var fields) = reader.part() else { return }
    while !fields.isAtEnd {
      let key = fields.textBytes()
      body(key, fields.valueBytes())
    }
  }

  private static func append(_ value: UnsafeRawBufferPointer, to text: inout FoldedText) {
    var reader = PackedReader(value)
    _ = reader.visitScalarTexts {
      text.append($0)
      return true
    }
  }
}
