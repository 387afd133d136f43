/// A value of an item: what YAML, JSON and front matter have in common.
///
/// Two values are equal if they are written the same way: strings by their bytes (`café` in NFC and
/// in NFD differ), numbers by their text (`1`, `1.0` and `1.00` differ). The order of a map's keys
/// does not matter. `.nan` equals itself. This equality decides what counts as a change. Sort order,
/// predicates, ids and sets compare the values of numbers instead: see `Number.hasSameValue(as:)`.
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

  /// The value of a key; nil if this is not a map or does not have the key. Linear.
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
  package var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  /// Creates a date if `text` is one, otherwise a string.
  public init(text: String) {
    self = Timestamp(text).map(Value.date) ?? .string(text)
  }

  package var fields: Fields? { if case .map(let fields) = self { fields } else { nil } }

  package var elements: [Value]? { if case .list(let elements) = self { elements } else { nil } }

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
  /// Compares the UTF-8 bytes; `==` also accepts canonically equivalent strings.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(own).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

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

extension Value {
  /// The size of a text with which work takes so few milliseconds that others may wait.
  package static let quickSize = 1 << 18

  /// True if the value takes more in a text than `quickSize`. Costs no more than that.
  package var isLarge: Bool {
    var rest = Value.quickSize
    subtractSize(from: &rest)
    return rest < 0
  }

  /// Subtracts about as many bytes as the value takes in a text, until nothing is left.
  package func subtractSize(from rest: inout Int) {
    rest -= 1
    switch self {
    case .string(let text): rest -= text.utf8.count
    case .list(let elements): for element in elements where rest >= 0 { element.subtractSize(from: &rest) }
    case .map(let fields):
      for (key, value) in fields where rest >= 0 {
        rest -= key.utf8.count
        value.subtractSize(from: &rest)
      }
    default: break
    }
  }

  /// Reads the complete text as a plain scalar of YAML's core schema: `8` is a number, `true` a
  /// boolean, `null` null, `2024-01-31` a date, `no` a string. The empty text is an empty string.
  package init(plain text: String) {
    var text = text
    self = text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return Value(bytes.isEmpty ? .string : YAMLScalar(plain: bytes), text: bytes)
    }
  }

  /// Reads a word that a person typed: like `init(plain:)`, but a number that would not print as
  /// typed becomes a string, such as `02110`, `+49301234`, `0x1F` and `.5`; `8`, `3.20`, `-0` and
  /// `1e3` keep their text. One exception: `5.` is the number `5.0`.
  package init(word text: String) {
    let plain = Value(plain: text)
    self = plain.keeps(word: text) ? plain : .string(text)
  }

  private func keeps(word text: String) -> Bool {
    guard case .number(let number) = self, number.isFinite else { return true }
    let printed = number.description
    return printed.hasSameBytes(as: text)
      || (text.utf8.last == "." && printed.hasSameBytes(as: text + "0"))
  }

  package func hasSameValue(as other: Value) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)): a.hasSameValue(as: b)
    case (.list, .list), (.map, .map): canonical == other.canonical
    default: self == other
    }
  }

  /// The text of this value in ids: like `text`, but the same for all numbers of one value.
  package var idText: String {
    switch self {
    case .number, .list, .map: canonical.text
    default: text
    }
  }

  /// The representative of all values that differ only in how numbers are written: where values are compared
  /// as data (`IN`, `-=`, unions, keys of list elements), `3.1`, `3.10` and `31e-1` are one.
  package var canonical: Value {
    switch self {
    case .number(let number): .number(number.canonical)
    case .list(let elements): .list(elements.map(\.canonical))
    case .map(let fields): .map(Fields(unique: fields.map { ($0.key, $0.value.canonical) }))
    default: self
    }
  }
}
