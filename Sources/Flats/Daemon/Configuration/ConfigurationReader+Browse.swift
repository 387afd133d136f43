import Store

/// Reads `browse`, the keys of the full-screen list, and `listen`, the address for browsers.
extension ConfigurationReader {
  mutating func browse(_ fields: Fields) -> [(action: String, keys: [String])] {
    guard let written = fields["browse"], let parts = map(written, at: ["browse"]) else { return [] }
    checkKeys(parts, ["keys"], at: ["browse"])
    guard let keys = parts["keys"], let actions = map(keys, at: ["browse", "keys"]) else { return [] }
    var bindings: [(action: String, keys: [String])] = []
    for (action, value) in actions {
      if let names = keyNames(value, at: ["browse", "keys", action]) { bindings.append((action, names)) }
    }
    for (action, key, message) in checks.keys(bindings) {
      let keys = ["browse", "keys", action]
      // A single key needs no list.
      if let key, case .list? = actions[action] {
        report(message, at: keys + ["\(key)"])
      } else {
        report(message, at: keys, isKey: key == nil)
      }
    }
    return bindings
  }

  private mutating func keyNames(_ value: Value, at keys: [String]) -> [String]? {
    if value == .null {
      report(
        "Expected a key or a list of keys, found null. Write the key in quotes, or [] for none.", at: keys)
      return nil
    }
    if value.isScalar { return [value.text] }
    guard let elements = list(value, at: keys) else { return nil }
    var names: [String] = []
    for (index, element) in elements.enumerated() {
      guard let name = string(element, at: keys + ["\(index)"]) else { return nil }
      names.append(name)
    }
    return names
  }

  /// Reads `listen`: an address, or a map.
  mutating func listen(_ fields: Fields) -> ListenConfiguration? {
    guard let written = fields["listen"], written != .null else { return nil }
    var listen = ListenConfiguration()
    if written.isScalar {
      listen.address = written.text
    } else {
      guard let fields = map(written, at: ["listen"]) else { return nil }
      checkKeys(fields, ["address", "origin", "token-file", "read-only"], at: ["listen"])
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
