import Values

/// Reads `browse`: the keys of the full-screen list.
extension ConfigurationReader {
  private static let browseKeys = ["keys"]

  /// Reads the value of `browse` in the fields of the file. Records the mistakes in it.
  mutating func browse(_ fields: Fields) -> BrowseConfiguration {
    guard let written = fields["browse"], let parts = map(written, at: ["browse"]) else {
      return BrowseConfiguration()
    }
    for (key, _) in parts where !ConfigurationReader.browseKeys.contains(key) {
      reportUnknown(key, among: ConfigurationReader.browseKeys, at: ["browse"])
    }
    guard let keys = parts["keys"], let actions = map(keys, at: ["browse", "keys"]) else {
      return BrowseConfiguration()
    }
    var bindings: [BrowseConfiguration.Binding] = []
    for (action, value) in actions {
      if let names = keyNames(value, at: ["browse", "keys", action]) {
        bindings.append(.init(action, names))
      }
    }
    let configuration = BrowseConfiguration(bindings)
    for mistake in checks.keys(configuration) { report(mistake, in: actions) }
    return configuration
  }

  /// Returns the names of keys: one scalar, or a list of them.
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

  private mutating func report(_ mistake: KeyMistake, in actions: Fields) {
    let keys = ["browse", "keys", mistake.action]
    // A single key needs no list.
    if let key = mistake.key, case .list? = actions[mistake.action] {
      report(mistake.message, at: keys + ["\(key)"])
    } else {
      report(mistake.message, at: keys, isKey: mistake.key == nil)
    }
  }
}
