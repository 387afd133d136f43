import Values

/// A merge of the changes of a model into the complete fields of its file.
///
/// `base` is the encoding of the model that the file decodes to, and `new` that of the model to
/// save. Only their differences are applied to `full`, so that fields that the type does not know
/// stay, at any depth, and untouched values keep their text.
struct ModelMerge {
  /// The defaults of the type, which serve missing fields. A field with a default is set to null
  /// instead of removed, because a missing field would get the default again.
  let defaults: Fields
  /// True if a map that the file does not have is written with its changed keys only, because its
  /// other keys are defaults; false if it is written completely.
  var writesChangesOnly = true
  /// Returns what the type decodes and encodes if the list at a path has only this element; nil if
  /// that is unknown.
  var alone: (_ path: [String], _ element: Value) -> [Value]? = { _, _ in nil }

  /// Returns the fields of the file with the changes.
  func merged(_ full: Fields, _ base: Fields, _ new: Fields) -> Fields {
    merged(full, base, new, defaults, at: [])
  }

  /// Returns the fields of a new item.
  func inserted(_ new: Fields) -> Fields { ModelMerge.completed(new, defaults) }

  /// Returns fields with null instead of each field that is missing although it has a default.
  private static func completed(_ fields: Fields, _ defaults: Fields) -> Fields {
    defaults.reduce(into: fields) { fields, pair in
      switch (fields[pair.key], pair.value) {
      case (nil, _): fields.append(.null, unique: pair.key)
      case (.map(let own)?, .map(let other)): fields[pair.key] = .map(completed(own, other))
      default: break
      }
    }
  }

  /// - Parameter path: The path of the map; nil inside a list.
  private func merged(_ full: Fields, _ base: Fields, _ new: Fields, _ defaults: Fields, at path: [String]?)
    -> Fields
  {
    var (fullKeys, baseKeys, newKeys) = (FieldIndex(full), FieldIndex(base), FieldIndex(new))
    var result: [(key: String, value: Value)] = []
    for (place, field) in full.enumerated() {
      let old = baseKeys.place(of: field.key, near: place).map { base[$0].value }
      let wanted = newKeys.place(of: field.key, near: place).map { new[$0].value }
      let value = merged(field.value, old, wanted, defaults[field.key], at: path.map { $0 + [field.key] })
      if let value { result.append((field.key, value)) }
    }
    for (place, field) in new.enumerated() where fullKeys.place(of: field.key, near: place) == nil {
      let old = baseKeys.place(of: field.key, near: place).map { base[$0].value }
      if let value = merged(nil, old, field.value, defaults[field.key], at: nil) {
        result.append((field.key, value))
      }
    }
    // A missing field that has a default, and is nil now.
    for (place, field) in base.enumerated() where fullKeys.place(of: field.key, near: place) == nil {
      guard newKeys.place(of: field.key, near: place) == nil, defaults[field.key] != nil else { continue }
      result.append((field.key, .null))
    }
    return result.reduce(into: Fields()) { $0.append($1.value, unique: $1.key) }
  }

  /// Returns the new value of a field or an element; nil if it is missing then.
  private func merged(_ full: Value?, _ base: Value?, _ new: Value?, _ defaults: Value?, at path: [String]?)
    -> Value?
  {
    if base == new { return full }
    guard let new else { return defaults == nil ? nil : .null }
    switch (full, base, new) {
    case (.map(let full)?, .map(let base)?, .map(let new)):
      return .map(merged(full, base, new, defaults?.fields ?? [:], at: path))
    case (nil, .map(let base)?, .map(let new)) where writesChangesOnly:
      return .map(merged([:], base, new, defaults?.fields ?? [:], at: nil))
    case (.list(let full)?, .list(let base)?, .list(let new)): return .list(merged(full, base, new, at: path))
    case (.number(let full)?, _, .number(let new)): return .number(new.styled(like: full))
    case (.date(let full)?, _, .date(let new)): return .date(new.styled(like: full))
    case (_, _, .map(let new)): return .map(ModelMerge.completed(new, defaults?.fields ?? [:]))
    default: return new
    }
  }

  // MARK: Lists

  private func merged(_ full: [Value], _ base: [Value], _ new: [Value], at path: [String]?) -> [Value] {
    guard
      let places = ElementPlaces(
        of: base, in: full, alone: { element in path.flatMap { alone($0, element) } })
    else { return new }
    let origins = ElementOrigins(of: new, in: base).origins
    var result: [(value: Value, place: Int?)] = []
    for (index, value) in new.enumerated() {
      if let origin = origins[index] {
        let place = places.places[origin]
        result.append((merged(full[place], base[origin], value, nil, at: nil) ?? value, place))
      } else {
        result.append((value, nil))
      }
    }
    if places.isReordered {
      // The order of the model is its own. The file keeps its order, and new elements are last.
      result =
        result.filter { $0.place != nil }.sorted { $0.place ?? 0 < $1.place ?? 0 }
        + result.filter { $0.place == nil }
    }
    // Elements that the model does not have stay after the element before them.
    for place in places.others {
      let index = (0..<place).reversed().lazy.compactMap { before in result.firstIndex { $0.place == before }
      }.first
      result.insert((full[place], place), at: index.map { $0 + 1 } ?? 0)
    }
    return result.map(\.value)
  }
}

extension Number {
  /// Returns this number in the notation of another number, if its value stays the same:
  /// `2` for 2.0 over `1`, `3.0` for 3 over `1.0`, `3.20` for 3.2 over `3.10`.
  func styled(like other: Number) -> Number {
    let styled: Number?
    switch (self, other) {
    // The sign of -0.0 would be lost.
    case (.double(let value), _)
    where other.isWrittenAsInteger && value.magnitude < 0x1p53 && (value != 0 || value.sign == .plus):
      styled = Int(exactly: value).map(Number.integer)
    case (.integer(let value), .double(let old)) where old.isFinite && value.magnitude < 1 << 53:
      styled = .double(Double(value))
    default: styled = padded(like: other)
    }
    guard let styled, styled.hasSameValue(as: self) else { return self }
    return styled
  }

  /// Returns this number with zeros at its end, so that it has as many digits after the point as
  /// the other one, if that ends in a zero.
  private func padded(like other: Number) -> Number? {
    guard case .literal(let model) = other, model.utf8.last == UInt8(ascii: "0"),
      let count = Number.fractionCount(model), count > 0
    else {
      return nil
    }
    let text = description
    guard let own = Number.fractionCount(text), own < count else { return nil }
    return Number(
      json: text + (text.utf8.contains(UInt8(ascii: ".")) ? "" : ".")
        + String(repeating: "0", count: count - own))
  }

  /// Returns the number of digits after the point; nil for a number with an exponent and for an
  /// infinity.
  private static func fractionCount(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 }),
      Number(json: text) != nil
    else {
      return nil
    }
    return text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
      text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
    } ?? 0
  }
}
