/// A value of an item: what YAML, JSON and front matter have in common.
///
/// Two values are equal if they are written the same way: strings by their bytes (`café` in NFC and
/// in NFD differ), numbers by their text (`1`, `1.0` and `1.00` differ). The order of a map's keys
/// does not matter. `.nan` equals itself. This equality decides what counts as a change. Sort
/// order, predicates, ids and sets compare the values of numbers instead: see
/// `Number.hasSameValue(as:)`.
///
/// ```swift
/// let value: Value = ["name": "Ada", "born": 1815]
/// print(value["name"]?.text ?? "nobody")  // Ada
/// ```
///
/// The cases are the kinds of values that YAML and JSON share; there will be no others.
public enum Value: Sendable {
  /// Null, or no value after a key.
  case null
  /// True or false.
  case bool(Bool)
  /// A number, with the text it was written as.
  case number(Number)
  /// An ISO 8601 date or date and time. In every format a string that is one reads as a date.
  case date(Timestamp)
  /// A string that is not a date.
  case string(String)
  /// A list of values.
  case list([Value])
  /// A map from keys to values.
  case map(Fields)

  /// The value of a key; nil if this is not a map or does not have the key. Linear in the number of
  /// keys.
  public subscript(key: String) -> Value? {
    guard case .map(let fields) = self else { return nil }
    return fields[key]
  }

  /// The text that a person reads: a scalar as written (null is empty), a list or a map as JSON.
  public var text: String {
    switch self {
    case .null: ""
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.description
    case .date(let date): date.text
    case .string(let string): string
    case .list, .map: JSONWriter.text(of: self)
    }
  }

  /// True if this is null, a boolean, a number, a date or a string.
  public var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  /// Creates a date if `text` is one, otherwise a string.
  public init(text: String) {
    self = Timestamp(text).map(Value.date) ?? .string(text)
  }
}

extension Value {
  /// The fields of a map; nil for anything else.
  package var fields: Fields? { if case .map(let fields) = self { fields } else { nil } }

  /// The elements of a list; nil for anything else.
  package var elements: [Value]? { if case .list(let elements) = self { elements } else { nil } }

  /// True for a list or a map that is empty.
  package var isEmptyCollection: Bool {
    switch self {
    case .map(let fields): fields.isEmpty
    case .list(let elements): elements.isEmpty
    default: false
    }
  }
}

extension Value: Hashable {
  /// Returns true if both values are written in the same way: `3.1` is not `3.10`.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    default: false
    }
  }

  /// Hashes the value as it is written.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag)
    case .number(let number): hasher.combine(number)
    case .date(let date): hasher.combine(date)
    case .string(let string): string.hashBytes(into: &hasher)
    case .list(let values): hasher.combine(values)
    case .map(let fields): hasher.combine(fields)
    }
  }
}

extension String {
  /// Returns true if both strings have the same UTF-8 bytes. `==` also accepts canonically
  /// equivalent strings.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(own).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Hashes the UTF-8 bytes, consistently with `hasSameBytes(as:)`.
  package func hashBytes(into hasher: inout Hasher) {
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
    hasher.combine(0xFF as UInt8)
  }
}

extension Value: CustomStringConvertible {
  /// The value as JSON: a string is in quotes. ``text`` is the text without them.
  public var description: String { JSONWriter.text(of: self) }
}
