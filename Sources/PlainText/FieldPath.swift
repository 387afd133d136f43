/// The way to a field: `rating`, `address.city`, or as a JSON Pointer `/address/city` (for keys with a dot in them).
///
/// Below a list a key stands for that key of each of its elements, as in key-value coding: `releases.cycle` is the list of all cycles.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  /// At least one key.
  public let keys: [String]
  /// As it was written.
  public let description: String

  /// Nil where a component is empty (`a..b`, `.`, the empty text) or a JSON Pointer has a stray `~`.
  public init?(_ text: String) {
    let keys: [String]?
    if text.utf8.first == UInt8(ascii: "/") {
      keys = FieldPath.pointerKeys(text)
    } else {
      // By scalars: a dot that an accent follows is one character with it, and yet a dot.
      let parts = text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
      keys = parts.contains(where: \.isEmpty) ? nil : parts
    }
    guard let keys else { return nil }
    self.keys = keys
    description = text
  }

  /// A path of these keys, as they are.
  public init(keys: [String]) {
    precondition(!keys.isEmpty, "a field path has at least one key")
    self.keys = keys
    description =
      keys.contains { $0.isEmpty || $0.utf8.contains(UInt8(ascii: ".")) || $0.utf8.first == UInt8(ascii: "/") }
      ? FieldPath.pointer(to: keys) : keys.joined(separator: ".")
  }

  /// A path of these keys, of which there is at least one, that was written another way.
  init(keys: [String], writtenAs description: String) {
    self.keys = keys
    self.description = description
  }

  /// Equal when the keys are, byte for byte, however they were written.
  public static func == (a: FieldPath, b: FieldPath) -> Bool {
    a.keys.count == b.keys.count && zip(a.keys, b.keys).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  public func hash(into hasher: inout Hasher) {
    for key in keys { key.hashBytes(into: &hasher) }
  }

  /// The JSON Pointer (RFC 6901) of these keys: `/a~1b/c` for `a/b` and `c`.
  public static func pointer(to keys: some Sequence<String>) -> String {
    keys.reduce(into: "") { text, key in
      text += "/"
      for scalar in key.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }

  private static func pointerKeys(_ text: String) -> [String]? {
    var keys: [String] = []
    for part in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      var key = String.UnicodeScalarView()
      var isEscaped = false
      for scalar in part {
        switch (isEscaped, scalar) {
        case (true, "0"): key.append("~")
        case (true, "1"): key.append("/")
        case (true, _): return nil
        case (false, "~"): break
        case (false, _): key.append(scalar)
        }
        isEscaped = !isEscaped && scalar == "~"
      }
      if isEscaped { return nil }
      keys.append(String(key))
    }
    return keys
  }
}

extension Value {
  /// The value at a path; nil where a key is missing. Below a list: the list of what its elements have there (those without are left out).
  public func value(at path: FieldPath) -> Value? { value(at: path.keys[...]) }

  package func value(at keys: ArraySlice<String>) -> Value? {
    guard let key = keys.first else { return self }
    switch self {
    case .map(let fields): return fields[key]?.value(at: keys.dropFirst())
    case .list(let elements): return .list(elements.compactMap { $0.value(at: keys) })
    default: return nil
    }
  }
}
