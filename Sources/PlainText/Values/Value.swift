import Glibc

/// One value of an item: what YAML, JSON and front matter have in common.
///
/// Two values are equal if they are written the same way: strings byte for byte (`café` in NFC and in NFD differ), numbers by their text (`1`, `1.0` and `1.00`
/// differ). Maps are equal whatever the order of their keys. `.nan` equals itself. This equality decides what counts as a change. Order, predicates, ids and
/// sets compare numbers by their value instead: `ValueOrder`, `ValueKey`.
///
/// ```swift
/// let value: Value = ["name": "Ada", "born": 1815]
/// print(value["name"]?.text ?? "nobody")  // Ada
/// ```
public enum Value: Sendable {
  case null
  case bool(Bool)
  case number(Number)
  /// A string that is wholly an ISO 8601 date or time, in whatever format it was written.
  case date(Timestamp)
  case string(String)
  case list([Value])
  case map(Fields)

  /// The value of a key, or nil where this is no map or has no such key. Linear in the number of keys.
  public subscript(key: String) -> Value? {
    guard case .map(let fields) = self else { return nil }
    return fields[key]
  }

  /// What a person reads: the text of a scalar as written (`null` is empty), and the JSON of a list or a map.
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

  /// Whether this is null, a boolean, a number, a date or a string.
  public var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  /// A string, or a date where all of the text is one.
  public init(text: String) {
    self = Timestamp(text).map(Value.date) ?? .string(text)
  }
}

extension Value: Hashable {
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
  /// Equality by UTF-8 bytes; `==` would take canonically equivalent strings for the same.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.hasSameBytes(as: $0) }
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

extension UnsafeBufferPointer<UInt8> {
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count, let own = baseAddress, let other = other.baseAddress else { return isEmpty && other.isEmpty }
    return memcmp(own, other, count) == 0
  }
}
