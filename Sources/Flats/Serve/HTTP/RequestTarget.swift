import HTTPTypes

/// The target of a request: its path and its parameters, each decoded once.
package struct RequestTarget: Hashable {
  /// The path, decoded, with its leading `/`. A decoded `/` can't be distinguished from a literal
  /// one, so ids are parameters and never parts of a path.
  package let path: String
  /// The parameters in the order in which they are written.
  package let parameters: [Parameter]

  package struct Parameter: Hashable {
    package let name: String
    /// The decoded value; empty if there is no `=`.
    package let value: String
  }
}

extension RequestTarget {
  /// Reads a target, such as `/items?sort=-rating&where=rating%20%3E%207`: 400 if an escape is malformed, is
  /// not UTF-8, or is a NUL. In parameters, `+` is a space.
  package init(_ text: String) throws(ProblemDocument) {
    let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = try RequestTarget.decoded(parts[0], plusIsSpace: false)
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw ProblemDocument(.badRequest, "The target `\(path)` does not begin with `/`.")
    }
    var parameters: [Parameter] = []
    for piece in parts.count > 1 ? parts[1].split(separator: UInt8(ascii: "&")) : [] {
      let sides = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      parameters.append(
        Parameter(
          name: try RequestTarget.decoded(sides[0], plusIsSpace: true),
          value: try sides.count > 1 ? RequestTarget.decoded(sides[1], plusIsSpace: true) : ""))
    }
    self.parameters = parameters
  }

  /// The name and the rest of a path such as `/notes/items`: `notes` and `/items`; nil for a path
  /// without a second `/`.
  package var folder: (name: String, path: String)? {
    let rest = path.utf8.dropFirst()
    guard let end = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return (String(decoding: rest[..<end], as: UTF8.self), String(decoding: rest[end...], as: UTF8.self))
  }

  /// Refuses parameters that the route does not have (400).
  package func allowOnly(_ names: [String]) throws(ProblemDocument) {
    for parameter in parameters where !names.contains(parameter.name) {
      let known = names.isEmpty ? "It has no parameters." : "Those are \(names.joined(separator: ", "))."
      throw .parameter(
        parameter.name, "`\(parameter.name)` is not a parameter of \(path). \(known)")
    }
  }

  package func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

  /// The value of a parameter: nil if it is not there, 400 if it occurs twice.
  package func value(_ name: String) throws(ProblemDocument) -> String? {
    let values = values(name)
    if values.count > 1 {
      throw ProblemDocument(
        .badRequest, "The parameter `\(name)` is given \(values.count) times. Give it once.")
    }
    return values.first
  }

  private static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool) throws(ProblemDocument) -> String
  {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw ProblemDocument(
            .badRequest,
            "The target has a `%` that two hexadecimal digits do not follow. Write `%25` for a percent sign.")
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw ProblemDocument(
        .badRequest,
        "The target has escapes of bytes that are not UTF-8 text, or of a zero byte. Encode UTF-8, once.")
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

extension String {
  /// The string as the value of a parameter: everything but unreserved characters is escaped.
  package var queryEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
