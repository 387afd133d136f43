import Values

/// A JSON Pointer (RFC 6901).
struct JSONPointer: Sendable, CustomStringConvertible {
  /// The unescaped parts; empty for the complete value.
  let keys: [String]

  /// The pointer as it is written.
  var description: String { FieldPath.pointer(to: keys) }

  /// Parses a pointer; nil if it is malformed.
  init?(_ text: String) {
    if text.isEmpty {
      keys = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    var keys: [String] = []
    for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let key = JSONPointer.unescaped(part) else { return nil }
      keys.append(key)
    }
    self.keys = keys
  }

  private static func unescaped(_ part: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the number of an element that a part names: digits without a leading zero.
  private static func index(_ key: String) -> Int? {
    guard !key.isEmpty, key.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return key.utf8.count > 1 && key.utf8.first == UInt8(ascii: "0") ? nil : Int(key)
  }

  /// Returns the value that the pointer names; nil if there is none.
  func value(in root: Value) -> Value? {
    var value = root
    for key in keys {
      switch value {
      case .map(let fields):
        guard let child = fields[key] else { return nil }
        value = child
      case .list(let elements):
        guard let index = JSONPointer.index(key), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
