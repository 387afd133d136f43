import Store
import TextEdits
import Values

/// Writes the value of a line of `list` back into its item and changes only the edited parts.
///
/// A view prints a field at its path: `releases.cycle` as `{"releases":{"cycle":[…]}}`,
/// `tags.@count` as `{"tags":{"@count":3}}`. The line does not say which fields it shows. So each
/// part is compared with everything that the item's own projection could have printed at that
/// place. Equal parts are left alone. Maps are merged field by field, and nothing is removed. The
/// file has no separate place for values below a list and for computed values, so edits of them are
/// refused.
///
/// The line marks the parts that are not fields (`ItemLine.computed`). A part without a mark that
/// could be either is refused. One exception: the
/// result of an `@` operator is left alone if the file has no such field, since programs drop
/// unknown keys such as `computed` from a line.
struct WriteBack {
  let item: Item

  /// Returns the fields of the item with the edits of the line.
  func fields(from listed: Fields, computed: Fields?) throws(WriteBackError) -> Fields {
    let own = item.fields.value.fields ?? [:]
    return try merge(listed, into: own, below: [], [Projection(root: own)], computed) ?? own
  }

  /// Merges a map of the line into a map of the file. Returns nil if nothing was edited.
  ///
  /// - Parameters:
  ///   - keys: The keys that lead to the map; empty for the item itself.
  ///   - projections: The values that paths through this map may print.
  ///   - computed: The places of computed parts in the line's map.
  private func merge(
    _ listed: Fields, into own: Fields, below keys: [String], _ projections: [Projection], _ computed: Fields?
  ) throws(WriteBackError) -> Fields? {
    var places = FieldIndex(own)
    var listedPlaces = FieldIndex(listed)
    var steps = Projection.Steps(projections)
    let isComplete = own.enumerated().allSatisfy { listedPlaces.place(of: $1.key, near: $0) != nil }
    var changes: [(place: Int?, key: String, value: Value)] = []
    var operators: [Part] = []
    for (hint, (key, value)) in listed.enumerated() {
      let place = places.place(of: key, near: hint)
      let part = Part(
        listed: value, own: place.map { own[$0].value }, keys: keys + [key],
        projections: steps.step(to: key, near: hint),
        computed: computed?[key],
        isInCompleteMap: isComplete, isAloneInMap: own.count == 1)
      if let new = try self.value(of: part) {
        changes.append((place, key, new))
      } else if place == nil, part.isOfOperator {
        operators.append(part)
      }
    }
    if changes.isEmpty { return nil }
    // A map with new fields may be completely new.
    if let part = operators.first { throw WriteBackError(part.keys, .mayBeComputed(part.listed)) }
    var pairs = own.pairs
    for change in changes {
      if let place = change.place {
        pairs[place].value = change.value
      } else {
        pairs.append((change.key, change.value))
      }
    }
    return Fields(unique: pairs)
  }

  /// One value of the line and its place.
  private struct Part {
    let listed: Value
    /// The file's value at this place, reached through maps alone.
    let own: Value?
    let keys: [String]
    let projections: [Projection]
    /// `true` if the line says that it is computed, or a map of such places in it.
    let computed: Value?
    /// True if the line's map has every key of the file's map, so that it shows the map itself.
    let isInCompleteMap: Bool
    /// True if the file's map has only this key.
    let isAloneInMap: Bool

    /// True if an `@` operator prints at this place, and the line does not say if it did.
    var isOfOperator: Bool {
      computed == nil && keys.count > 1 && keys.last.flatMap(ListOperator.init(rawValue:)) != nil
    }

    /// True if a computed value is printed like this at this place.
    var isShownAsComputed: Bool { Projection.show(projections.filter(\.isComputed), listed) }
  }

  /// Returns the value to write at a place; nil to leave it alone.
  private func value(of part: Part) throws(WriteBackError) -> Value? {
    guard part.keys.count == 1, let pseudo = PseudoField(rawValue: part.keys[0]) else {
      return try edit(part)
    }
    // A pseudo-field hides a field of the item with the same name, so that field cannot be set from
    // a line.
    guard part.own != nil, !pseudo.value(of: item).isListed(as: part.listed), try edit(part) != nil else {
      return nil
    }
    throw WriteBackError(part.keys, .isPseudoField)
  }

  private func edit(_ part: Part) throws(WriteBackError) -> Value? {
    if part.computed == .bool(true) {
      guard part.isShownAsComputed else { throw WriteBackError(part.keys, .isComputed) }
      return nil
    }
    switch (part.own, part.listed) {
    case (let own?, let listed) where own.isListed(as: listed): return nil
    case (.map(let own)?, .map(let listed)):
      return try merge(listed, into: own, below: part.keys, part.projections, part.computed?.fields).map(
        Value.map)
    case (.list?, .map(let listed)):
      let projections = part.projections.filter { part.computed != nil || !$0.isComputed }
      if Projection.show(projections, part.listed) { return nil }
      throw error(listed, projections, insteadOfListAt: part.keys)
    case (_, .map(let listed)):
      // An operator may print an empty map; that does not create a field with its name.
      if listed.isEmpty, part.isOfOperator, part.own == nil {
        if part.isShownAsComputed { return nil }
        throw WriteBackError(part.keys, .isComputed)
      }
      // A map that was shown only for its computed parts is empty without them.
      if listed.isEmpty { return part.computed == nil ? part.listed : nil }
      return try mapInsteadOfScalar(listed, part)
    case (let own?, let listed):
      try checkIsField(part)
      return try written(listed, in: own, at: part.keys)
    case (nil, let listed):
      if part.isOfOperator, part.isShownAsComputed { return nil }
      try checkIsField(part)
      return listed
    }
  }

  /// Returns the value for a map of the line where the file has no map. Parts of it may be
  /// computed.
  private func mapInsteadOfScalar(_ listed: Fields, _ part: Part) throws(WriteBackError) -> Value? {
    let isOperator = part.keys.last.map { ListOperator(rawValue: $0) != nil } ?? false
    if isOperator, part.computed == nil { try checkIsField(part) }
    let new = try merge(listed, into: [:], below: part.keys, part.projections, part.computed?.fields)
    switch part.own {
    case nil, .null?: break
    // It replaces the complete value, so no part of it may be computed.
    case _?:
      if let new, new != listed || part.computed != nil { throw WriteBackError(part.keys, .isComputed) }
    }
    return new.map(Value.map)
  }

  private func written(_ listed: Value, in own: Value, at keys: [String]) throws(WriteBackError) -> Value {
    do throws(TextEditError) {
      return try listed.asWritten(in: own)
    } catch {
      throw WriteBackError(keys, .isAmbiguousList(listed, element: error.element ?? listed))
    }
  }

  /// Checks that an edited or new value is a field of the file and not computed.
  ///
  /// The line's map shows the file's map itself if it has all its keys, and more than the one in
  /// question.
  private func checkIsField(_ part: Part) throws(WriteBackError) {
    guard part.own == nil || !part.isInCompleteMap || part.isAloneInMap, let key = part.keys.last else {
      return
    }
    if part.isShownAsComputed { throw WriteBackError(part.keys, .mayBeComputed(part.listed)) }
    guard part.own == nil || !part.isInCompleteMap else { return }
    let isMap = if case .map = part.listed { true } else { false }
    if ListOperator(rawValue: key) != nil, part.keys.count > 1 || isMap && part.own == nil {
      throw WriteBackError(part.keys, .isComputed)
    }
    guard key == "SIZE", part.keys.count > 1, part.own == nil, case .number = part.listed else { return }
    throw WriteBackError(part.keys, .mayBeComputed(part.listed))
  }

  private func error(_ listed: Fields, _ projections: [Projection], insteadOfListAt place: [String])
    -> WriteBackError
  {
    let edited = listed.first { key, value in
      let projections = Projection.step(projections, to: key)
      return projections.contains { $0.isOfAnything } && !Projection.show(projections, value)
    }
    let isProjection =
      edited != nil || listed.contains { Projection.show(Projection.step(projections, to: $0.key), $0.value) }
    guard isProjection else { return WriteBackError(place, .isMapInsteadOfList(.map(listed))) }
    let key =
      edited?.key
      ?? listed.first { !Projection.show(Projection.step(projections, to: $0.key), $0.value) }?.key
    let isOfList = key.map { ListOperator(rawValue: $0) != nil || $0 == "SIZE" } ?? false
    return WriteBackError(
      place + (key.map { [$0] } ?? []), isOfList ? .isComputed : .isBelowList(FieldPath(keys: place)))
  }
}

extension Item {
  /// Returns the fields of this item with the edits in the value of a line of `list`.
  ///
  /// - Parameters:
  ///   - listed: The value of the line.
  ///   - computed: The places of the parts that the line marks as computed, by the rules of
  ///     `projection(_:)`.
  /// - Throws: `WriteBackError` if the file has no separate place for an edited part.
  func fields(writingBack listed: Fields, computed: Fields? = nil) throws(WriteBackError) -> Fields {
    try WriteBack(item: self).fields(from: listed, computed: computed)
  }
}

extension Fields {
  /// The fields without pseudo-fields such as `@size`.
  var withoutPseudoFields: Fields { Fields(unique: filter { PseudoField(rawValue: $0.key) == nil }) }
}
