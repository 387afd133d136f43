import Store
import Streams

/// Writes the value of a line of `list` back into its item and changes only the edited parts.
///
/// A view prints a field at its path: `releases.cycle` as `{"releases":{"cycle":[…]}}`, `tags.@count` as
/// `{"tags":{"@count":3}}`. The line does not say which fields it shows, so each part is compared with
/// everything that the item's own projection could have printed at that place. Equal parts are left alone;
/// maps are merged field by field, and nothing is removed. The file has no separate place for values below a
/// list and for computed values, so edits of them are refused.
///
/// The line marks the parts that are not fields (`ItemLine.computed`). A part without a mark that could be
/// either is refused, except that the result of an `@` operator is left alone if the file has no such field:
/// programs drop unknown keys such as `computed`.
extension Item {
  /// - Parameter computed: The places of the parts that the line marks as computed (see `projection(_:)`).
  func fields(writingBack listed: Fields, computed: Fields? = nil) throws(Failure) -> Fields {
    let own = fields.value.fields ?? [:]
    return try merge(listed, into: own, below: [], [Projection(root: own)], computed) ?? own
  }

  private func merge(
    _ listed: Fields, into own: Fields, below keys: [String], _ projections: [Projection], _ computed: Fields?
  ) throws(Failure) -> Fields? {
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
    if let part = operators.first { throw mayBeComputed(part) }
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
    let isAloneInMap: Bool

    /// True if an `@` operator prints at this place, and the line does not say if it did.
    var isOfOperator: Bool {
      computed == nil && keys.count > 1 && keys.last.flatMap(ListOperator.init(rawValue:)) != nil
    }

    var isShownAsComputed: Bool { Projection.show(projections.filter(\.isComputed), listed) }
  }

  private func value(of part: Part) throws(Failure) -> Value? {
    guard part.keys.count == 1, let pseudo = PseudoField(rawValue: part.keys[0]) else {
      return try edit(part)
    }
    // A pseudo-field hides a field of the same name, so that field cannot be set from a line.
    guard part.own != nil, !pseudo.value(of: self).isListed(as: part.listed), try edit(part) != nil else {
      return nil
    }
    throw Failure(
      listed: part.keys,
      "is a field of the item with the name of a pseudo-field, so it cannot be set from a line.")
  }

  private func edit(_ part: Part) throws(Failure) -> Value? {
    if part.computed == .bool(true) {
      guard part.isShownAsComputed else { throw isComputed(part.keys) }
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
        throw isComputed(part.keys)
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

  /// For a map of the line where the file has none. Parts of it may be computed.
  private func mapInsteadOfScalar(_ listed: Fields, _ part: Part) throws(Failure) -> Value? {
    let isOperator = part.keys.last.map { ListOperator(rawValue: $0) != nil } ?? false
    if isOperator, part.computed == nil { try checkIsField(part) }
    let new = try merge(listed, into: [:], below: part.keys, part.projections, part.computed?.fields)
    switch part.own {
    case nil, .null?: break
    // It replaces the complete value, so no part of it may be computed.
    case _?:
      if let new, new != listed || part.computed != nil { throw isComputed(part.keys) }
    }
    return new.map(Value.map)
  }

  private func written(_ listed: Value, in own: Value, at keys: [String]) throws(Failure) -> Value {
    do throws(TextEditError) {
      return try listed.asWritten(in: own)
    } catch {
      let element = JSONWriter.text(of: error.element ?? listed)
      throw Failure(
        listed: keys,
        "has elements that are printed alike but differ in the file, and the line does not say which one its "
          + "\(element) is.",
        value: listed)
    }
  }

  /// Checks that an edited or new value is a field of the file: the line's map shows the file's map itself if
  /// it has all its keys, and more than the one in question.
  private func checkIsField(_ part: Part) throws(Failure) {
    guard part.own == nil || !part.isInCompleteMap || part.isAloneInMap, let key = part.keys.last else {
      return
    }
    if part.isShownAsComputed { throw mayBeComputed(part) }
    guard part.own == nil || !part.isInCompleteMap else { return }
    let isMap = if case .map = part.listed { true } else { false }
    if ListOperator(rawValue: key) != nil, part.keys.count > 1 || isMap && part.own == nil {
      throw isComputed(part.keys)
    }
    guard key == "SIZE", part.keys.count > 1, part.own == nil, case .number = part.listed else { return }
    throw mayBeComputed(part)
  }

  private func error(_ listed: Fields, _ projections: [Projection], insteadOfListAt place: [String])
    -> Failure
  {
    let edited = listed.first { key, value in
      let projections = Projection.step(projections, to: key)
      return projections.contains { $0.isOfAnything } && !Projection.show(projections, value)
    }
    let isProjection =
      edited != nil || listed.contains { Projection.show(Projection.step(projections, to: $0.key), $0.value) }
    guard isProjection else {
      return Failure(
        listed: place, "is a list in the file and a map in the line, so it was not replaced.",
        value: .map(listed))
    }
    let key =
      edited?.key
      ?? listed.first { !Projection.show(Projection.step(projections, to: $0.key), $0.value) }?.key
    let isOfList = key.map { ListOperator(rawValue: $0) != nil || $0 == "SIZE" } ?? false
    let keys = place + (key.map { [$0] } ?? [])
    if isOfList { return isComputed(keys) }
    let list = FieldPath(keys: place)
    return Failure(
      listed: keys,
      "comes from the elements of the list `\(list)`, so it cannot be set. Print the list itself (--fields \(list)) and edit that."
    )
  }

  private func isComputed(_ keys: [String]) -> Failure {
    Failure(
      listed: keys,
      "is computed from the item's fields, so it cannot be set. Leave it as `list` prints it, or leave it out."
    )
  }

  private func mayBeComputed(_ part: Part) -> Failure {
    Failure(
      listed: part.keys,
      "may be a field or a value that `list` computes; the line does not say which. Leave it out, or set the "
        + "field by name.",
      value: part.listed)
  }
}

extension Failure {
  /// - Parameter value: The value to set by name instead; nil if that is not possible, either.
  fileprivate init(listed keys: [String], _ reason: String, value: Value? = nil) {
    let path = FieldPath(listed: keys)
    self.init(
      .badData, "`\(path)` \(reason)",
      assignment: value.map { "\(Assignment.name(of: path)):=\(JSONWriter.text(of: $0))" })
  }
}

extension FieldPath {
  /// Creates the path of a part of a line: the first operator is an operator, not a quoted key.
  init(listed keys: [String]) {
    let place = keys.indices.dropFirst().first { ListOperator(rawValue: keys[$0]) != nil }
    self.init(
      steps: keys.enumerated().map { index, key in
        index == place ? ListOperator(rawValue: key).map(FieldPath.Step.listOperator) ?? .key(key) : .key(key)
      })
  }
}

extension Assignment {
  /// A key is in backquotes unless it has only letters, digits and `_`.
  fileprivate static func name(of path: FieldPath) -> String {
    path.keys.map { key in
      let isPlain =
        !key.isEmpty
        && key.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
      return isPlain ? key : "`\(key.replacing("`", with: "``"))`"
    }.joined(separator: ".")
  }
}

extension Fields {
  var withoutPseudoFields: Fields { Fields(unique: filter { PseudoField(rawValue: $0.key) == nil }) }
}
