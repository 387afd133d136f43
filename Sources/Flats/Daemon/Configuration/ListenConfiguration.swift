import Store
import Values

/// The address on which the daemon serves its folders to browsers, and what `serve` has as options
/// with it.
package struct ListenConfiguration: Sendable, Hashable {
  /// The address and the port, as they are written.
  package var address = ""
  /// The addresses of pages that are accepted besides the server's own.
  package var origins: [String] = []
  /// The absolute path of the file with the token for programs; nil for one of the server.
  package var tokenFile: String?
  /// True to refuse every change of a file.
  package var isReadOnly = false
}

extension ConfigurationReader {
  private static let listenKeys = ["address", "origin", "token-file", "read-only"]

  /// Reads `listen`: an address, or a map.
  mutating func listen(_ fields: Fields) -> ListenConfiguration? {
    guard let written = fields["listen"], written != .null else { return nil }
    var listen = ListenConfiguration()
    if written.isScalar {
      listen.address = written.text
    } else {
      guard let fields = map(written, at: ["listen"]) else { return nil }
      for (key, _) in fields where !ConfigurationReader.listenKeys.contains(key) {
        reportUnknown(key, among: ConfigurationReader.listenKeys, at: ["listen"])
      }
      guard let address = fields["address"] else {
        report("`address` is missing. Write `address: 127.0.0.1:7747`.", at: ["listen"])
        return nil
      }
      listen.address = string(address, at: ["listen", "address"]) ?? ""
      listen.origins = strings(fields["origin"], at: ["listen", "origin"])
      listen.tokenFile = fields["token-file"].flatMap { path($0, at: ["listen", "token-file"]) }
      switch fields["read-only"] {
      case nil: break
      case .bool(let flag)?: listen.isReadOnly = flag
      case let value?:
        report("Expected true or false, found \(value.kindName).", at: ["listen", "read-only"])
      }
    }
    if let (key, message) = checks.listen(listen) {
      report(message, at: written.isScalar ? ["listen"] : ["listen"] + (key.map { [$0] } ?? []))
    }
    return listen
  }

  /// Returns a string, or the strings of a list.
  private mutating func strings(_ value: Value?, at keys: [String]) -> [String] {
    guard let value else { return [] }
    if value.isScalar { return string(value, at: keys).map { [$0] } ?? [] }
    var strings: [String] = []
    for (index, element) in (list(value, at: keys) ?? []).enumerated() {
      if let string = string(element, at: keys + ["\(index)"]) { strings.append(string) }
    }
    return strings
  }
}
