/// The scheme, host and port of a web site, as browsers write them: `https://notes.example`.
package struct WebOrigin: Hashable, CustomStringConvertible {
  package let isSecure: Bool
  /// The host and the port, as in the field `Host`. The usual port is left out.
  package let authority: String

  package var isLoopback: Bool {
    ["localhost", "[::1]"].contains(host)
      || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
  }

  private var host: Substring {
    let end = authority.last == "]" ? nil : authority.lastIndex(of: ":")
    return authority[..<(end ?? authority.endIndex)]
  }

  package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

  package init(host: String, port: Int) {
    isSecure = false
    authority = port == 80 ? host : "\(host):\(port)"
  }

  /// Reads an origin; nil if the text has a path, a user, or anything else that an origin does not have.
  package init?(parsing text: String) {
    let text = text.lowercased()
    let schemes = [("https://", true, 443), ("http://", false, 80)]
    guard let (prefix, isSecure, usual) = schemes.first(where: { text.hasPrefix($0.0) }) else { return nil }
    var rest = text.dropFirst(prefix.count)
    if rest.last == "/" { rest.removeLast() }
    let host: Substring
    var port: Substring = ""
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[...end]
      port = rest[end...].dropFirst()
      guard host.count > 3,
        host.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { return nil }
    } else {
      host = rest.prefix { $0 != ":" }
      port = rest.dropFirst(host.count)
      guard !host.isEmpty, host.last != ".", host.allSatisfy(WebOrigin.isNameCharacter) else { return nil }
    }
    guard let number = WebOrigin.port(port, usual) else { return nil }
    self.isSecure = isSecure
    authority = number == usual ? String(host) : "\(host):\(number)"
  }

  /// True if a `Host` field, in small letters, names the origin. It may have the usual port of the scheme.
  func hasHost(_ host: String) -> Bool {
    host == authority
      || (authority.utf8.count == self.host.utf8.count && host == "\(authority):\(isSecure ? 443 : 80)")
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
  }

  /// Returns the number after a colon; the usual one for an empty text, and nil for anything else.
  private static func port(_ text: Substring, _ usual: Int) -> Int? {
    if text.isEmpty { return usual }
    let digits = text.dropFirst()
    guard text.first == ":", digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits),
      port > 0
    else { return nil }
    return Int(port)
  }
}
