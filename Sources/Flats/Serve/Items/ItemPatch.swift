import HTTPTypes
import TextEdits
import Values

/// A change of an item's fields that a client asks for.
enum ItemPatch: Sendable {
  /// JSON Merge Patch (RFC 7396).
  case merge(Fields)
  /// All fields of the item.
  case fields(Fields)

  /// The media type of a `PATCH`.
  static let mediaType = "application/merge-patch+json"

  /// Returns the members of a body.
  ///
  /// - Throws: `ProblemDocument` (422) if it is not an object.
  static func fields(of body: Value) throws(ProblemDocument) -> Fields {
    if case .map(let fields) = body { return fields }
    throw ProblemDocument(
      .unprocessableContent, "An item is a map. Send an object with its fields.", code: "wrong-type")
  }

  /// Returns the fields after the change. Values that stay the same keep the text of the file:
  /// `9.50` does not become `9.5`.
  ///
  /// - Throws: `ProblemDocument` (422) if the change cannot be made.
  func applied(to fields: Fields) throws(ProblemDocument) -> Fields {
    do throws(TextEditError) {
      switch self {
      case .merge(let patch): return try ItemPatch.merge(patch, into: fields)
      case .fields(let wanted): return try Value.map(wanted).asWritten(in: .map(fields)).fields ?? wanted
      }
    } catch {
      throw ProblemDocument(.unprocessableContent, error.sentence, code: "ambiguous")
    }
  }

  /// The JSON Pointers of the values that a patch sets or removes. None for all fields of an item: a
  /// client that sends all does not mean each of them.
  var namedPointers: [String] {
    switch self {
    case .merge(let patch): ItemPatch.pointers(of: patch, below: [])
    case .fields: []
    }
  }

  private static func pointers(of patch: Fields, below keys: [String]) -> [String] {
    patch.flatMap { key, value -> [String] in
      if case .map(let inner) = value, !inner.isEmpty { return pointers(of: inner, below: keys + [key]) }
      return [FieldPath.pointer(to: keys + [key])]
    }
  }

  private static func merge(_ patch: Fields, into fields: Fields) throws(TextEditError) -> Fields {
    var places = FieldIndex(fields)
    var pairs: [(key: String, value: Value)?] = fields.pairs
    for (hint, (key, value)) in patch.enumerated() {
      let place = places.place(of: key, near: hint)
      if value == .null {
        if let place { pairs[place] = nil }
        continue
      }
      let old = place.map { fields[$0].value }
      let new: Value =
        if case .map(let inner) = value { .map(try merge(inner, into: old?.fields ?? [:])) } else {
          try value.asPatched(over: old)
        }
      if let place { pairs[place] = (key, new) } else { pairs.append((key, new)) }
    }
    return Fields(unique: pairs.compactMap { $0 })
  }
}

extension Value {
  /// Returns this value of a patch instead of an old one. If both are the same, the old one is kept
  /// as it is written.
  ///
  /// A list or a map may come from a program that does not keep the text of numbers, so each part
  /// that such a program would print like this is kept. A single value is what the client means.
  ///
  /// - Parameter old: The value that is there; nil if there is none.
  /// - Throws: `TextEditError` if it is not clear which elements of a list stay.
  fileprivate func asPatched(over old: Value?) throws(TextEditError) -> Value {
    guard let old else { return self }
    if old.hasSameValue(as: self) { return old }
    switch (self, old) {
    case (.list, .list), (.map, .map): return try asWritten(in: old)
    case (.string(let text), .number(let number)) where !number.isFinite && number.description == text:
      return old
    default: return self
    }
  }
}

extension TextEditError {
  /// The reason for a client.
  fileprivate var sentence: String {
    let element = String(JSONWriter.text(of: element ?? .null).prefix(200))
    return "Several elements of a list look like \(element), and it is not clear which of them stay."
      + " PUT the text with the change to /item/source."
  }
}
