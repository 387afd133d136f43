import PlainText

/// Writes the value of a line of `list` back into its item, changing only what was edited.
///
/// A view prints a field at its path: `releases.cycle` as `{"releases":{"cycle":[…]}}`, `tags.@count` as `{"tags":{"@count":3}}`. The line does not say
/// which fields it shows, so each part of it is compared with everything that the item's own projection could have printed at that place.
/// Equal parts are left alone. Maps are merged field by field; nothing is removed. What lies below a list, and what is computed, has no place of
/// its own in the file, so an edit of it is refused.
struct WriteBack {
  let item: Item

  /// The fields of the item with the edits of the line in them.
  func fields(from listed: Fields) throws(WriteBackError) -> Fields {
    let own = item.fields.value.fields ?? [:]
    return try merge(listed, into: own, below: [], [Projection(value: .map(own))]) ?? own
  }

  /// Merges a map of the line into a map of the file. Returns nil if nothing was edited.
  ///
  /// - Parameters:
  ///   - keys: The way to the map; empty for the item itself.
  ///   - projections: What a path that leads further from here may print.
  private func merge(
    _ listed: Fields, into own: Fields, below keys: [String], _ projections: [Projection]
  ) throws(WriteBackError) -> Fields? {
    var places = FieldIndex(own)
    var listedPlaces = FieldIndex(listed)
    let isComplete = own.enumerated().allSatisfy { listedPlaces.place(of: $1.key, near: $0) != nil }
    var changes: [(place: Int?, key: String, value: Value)] = []
    for (hint, (key, value)) in listed.enumerated() {
      let place = places.place(of: key, near: hint)
      let part = Part(
        listed: value, own: place.map { own[$0].value }, keys: keys + [key],
        projections: Projection.step(projections, to: key),
        isInCompleteMap: isComplete)
      if let new = try self.value(of: part) { changes.append((place, key, new)) }
    }
    if changes.isEmpty { return nil }
    var pairs = own.pairs
    for change in changes {
      if let place = change.place { pairs[place].value = change.value } else { pairs.append((change.key, change.value)) }
    }
    return Fields(unique: pairs)
  }

  /// One value of the line and the place that it belongs to.
  private struct Part {
    let listed: Value
    /// The file's value at this place, reached through maps alone.
    let own: Value?
    let keys: [String]
    let projections: [Projection]
    /// True if the line's map has every key of the file's map, so that it shows the map itself.
    let isInCompleteMap: Bool
  }

  /// The value to write at a place; nil to leave it alone.
  private func value(of part: Part) throws(WriteBackError) -> Value? {
    guard part.keys.count == 1, let pseudo = PseudoField(rawValue: part.keys[0]) else { return try edit(part) }
    // Pseudo-fields are properties of the file. A field of the item's own with such a name is hidden by it, and so cannot be set from a line.
    guard part.own != nil, !pseudo.value(of: item).isListed(as: part.listed), try edit(part) != nil else { return nil }
    throw WriteBackError(part.keys, .isPseudoField)
  }

  private func edit(_ part: Part) throws(WriteBackError) -> Value? {
    if case .map(let own)? = part.own, case .map(let listed) = part.listed {
      // The file's map may have the key of an operator, and the line shows what the operator prints.
      if part.projections.contains(where: { $0.listOperator != nil }), Projection.show(part.projections, part.listed) { return nil }
      return try merge(listed, into: own, below: part.keys, part.projections).map(Value.map)
    }
    if part.own?.isListed(as: part.listed) ?? false || Projection.show(part.projections, part.listed) { return nil }
    if isComputed(part) { throw WriteBackError(part.keys, .isComputed) }
    switch (part.own, part.listed) {
    case (.list, .map(let listed)): throw error(listed, insteadOfListAt: part)
    case (nil, .map(let listed)), (.null?, .map(let listed)):
      // Parts of it may be computed of nothing, such as a count of 0.
      return listed.isEmpty ? part.listed : try merge(listed, into: [:], below: part.keys, part.projections).map(Value.map)
    case (_?, .map(let listed)):
      // A map that takes the place of a single value is written as a whole, so no part of it may be computed.
      let new = listed.isEmpty ? listed : try merge(listed, into: [:], below: part.keys, part.projections)
      guard new == listed else { throw WriteBackError(part.keys, .isComputed) }
      return part.listed
    case (let own?, _): return part.listed.asWritten(in: own)
    case (nil, _): return part.listed
    }
  }

  /// Returns true for the place of an operator or of a size, unless the file's own map has a key of this name, and the line shows that map.
  private func isComputed(_ part: Part) -> Bool {
    guard let key = part.keys.last, part.own == nil || !part.isInCompleteMap else { return false }
    let isMap = if case .map = part.listed { true } else { false }
    if ListOperator(rawValue: key) != nil { return part.keys.count > 1 || isMap && part.own == nil }
    guard key == "SIZE", part.keys.count > 1, part.own == nil, case .number = part.listed else { return false }
    return true
  }

  private func error(_ listed: Fields, insteadOfListAt part: Part) -> WriteBackError {
    let edited = listed.first { key, value in
      let projections = Projection.step(part.projections, to: key)
      return projections.contains { $0.isOfAnything } && !Projection.show(projections, value)
    }
    let isProjection = edited != nil || listed.contains { Projection.show(Projection.step(part.projections, to: $0.key), $0.value) }
    guard isProjection else { return WriteBackError(part.keys, .isMapInsteadOfList(.map(listed))) }
    let key = edited?.key ?? listed.first { !Projection.show(Projection.step(part.projections, to: $0.key), $0.value) }?.key
    let keys = part.keys + (key.map { [$0] } ?? [])
    let isOfList = key.map { ListOperator(rawValue: $0) != nil || $0 == "SIZE" } ?? false
    return WriteBackError(keys, isOfList ? .isComputed : .isBelowList(FieldPath(keys: part.keys)))
  }
}

/// Something that a path of a view may print: a value, or what an operator makes of it.
private struct Projection {
  var listOperator: ListOperator?
  var value: Value?

  private static let maxCount = 16

  var shown: Value? { listOperator.map { $0.apply(to: value) } ?? value }

  /// True if the path leads to something: an operator, or values that are there.
  var isOfAnything: Bool {
    if listOperator != nil { return true }
    if case .list(let elements)? = value { return !elements.isEmpty }
    return value != nil
  }

  /// Everything that paths may print one step further on: a key of a map or of each element of a list, an element, the size, an operator.
  static func step(_ projections: [Projection], to key: String) -> [Projection] {
    var next: [Projection] = []
    for projection in projections {
      let values = [projection.value?.value(at: [key])] + places(in: projection.value, key)
      var found = values.map { Projection(listOperator: projection.listOperator, value: $0) }
      if projection.listOperator == nil, let listOperator = ListOperator(rawValue: key) {
        found.append(Projection(listOperator: listOperator, value: projection.value))
      }
      for projection in found where next.count < maxCount {
        let isKnown = next.contains { $0.listOperator == projection.listOperator && $0.value == projection.value }
        if !isKnown { next.append(projection) }
      }
    }
    return next
  }

  /// What a key means as a place: a missing element is nil, and an operator counts it as 0.
  private static func places(in value: Value?, _ key: String) -> [Value?] {
    if key == "SIZE" { return [.number(.integer(ListOperator.count(value)))] }
    let elements = if case .list(let elements)? = value { elements } else { [Value]() }
    switch (key, ElementNumber.parse(key)) {
    case ("FIRST", _): return [elements.first]
    case ("LAST", _): return [elements.last]
    case (_, let number?): return [elements.indices.contains(number) ? elements[number] : nil]
    case (_, nil): return []
    }
  }

  /// Returns true if one of them, or several paths of one view together, print a value of the line.
  static func show(_ projections: [Projection], _ listed: Value) -> Bool {
    if projections.contains(where: { $0.shown?.isListed(as: listed) ?? false }) { return true }
    guard case .map(let fields) = listed, !fields.isEmpty else { return false }
    return fields.allSatisfy { show(step(projections, to: $0.key), $0.value) }
  }
}

extension Value {
  /// Returns true if `list` prints both the same way, whatever the order of keys: a string that is a date and the date, `.inf` and the string ".inf".
  func isListed(as other: Value) -> Bool {
    switch (self, other) {
    case (.list(let own), .list(let others)):
      return own.count == others.count && zip(own, others).allSatisfy { $0.isListed(as: $1) }
    case (.map(let own), .map(let others)):
      guard own.count == others.count else { return false }
      var places = FieldIndex(others)
      return own.enumerated().allSatisfy { place, pair in
        places.place(of: pair.key, near: place).map { pair.value.isListed(as: others[$0].value) } ?? false
      }
    case (.list, _), (.map, _), (_, .list), (_, .map): return false
    case (.string(let own), .string(let other)): return own.hasSameBytes(as: other)
    // A line says where such a number is one.
    case (.string, .number(let number)) where !number.isFinite: return false
    default: return JSONWriter.text(of: self).hasSameBytes(as: JSONWriter.text(of: other))
    }
  }

  /// This value of a line, with the file's own value wherever both print the same: in a list whose first element was edited, a `.nan` stays a number.
  fileprivate func asWritten(in own: Value) -> Value {
    if own.isListed(as: self) { return own }
    switch (own, self) {
    case (.list(let own), .list(let listed)):
      let known = Dictionary(own.map { (ListedText($0), $0) }) { first, _ in first }
      return .list(
        listed.enumerated().map { index, element in
          known[ListedText(element)].flatMap { $0.isListed(as: element) ? $0 : nil }
            ?? (own.indices.contains(index) ? element.asWritten(in: own[index]) : element)
        })
    case (.map(let own), .map(let listed)):
      var places = FieldIndex(own)
      return .map(
        Fields(
          unique: listed.enumerated().map { hint, pair in
            (pair.key, places.place(of: pair.key, near: hint).map { pair.value.asWritten(in: own[$0].value) } ?? pair.value)
          }))
    default: return self
    }
  }
}

/// How a value is printed, as a key.
private struct ListedText: Hashable {
  let bytes: [UInt8]

  init(_ value: Value) {
    var writer = JSONWriter()
    writer.write(value)
    bytes = writer.bytes
  }
}

extension Item {
  /// The fields of this item with what was edited in the value of a line of `list`.
  ///
  /// - Throws: `WriteBackError` if something was edited that has no place of its own in the file.
  package func fields(writingBack listed: Fields) throws(WriteBackError) -> Fields { try WriteBack(item: self).fields(from: listed) }
}

extension Fields {
  /// These fields without those that a line shows of the file itself, such as `@size`.
  package var withoutPseudoFields: Fields { Fields(unique: filter { PseudoField(rawValue: $0.key) == nil }) }
}
