import PlainText

extension SettingReader {
  private static let rules: [(name: String, rule: MergeRules.Rule)] = [
    ("max", .max), ("min", .min), ("union", .union), ("set", .set), ("ordered", .ordered), ("ours", .ours), ("theirs", .theirs),
  ]

  /// `{fields: {rating: max, tags: set, contacts: {by: name}, contacts.seen: max}}`
  func mergeRules() throws(SettingsError) -> MergeRules {
    var rules = MergeRules()
    for (key, value) in try map() {
      guard key == "fields" else { throw SettingsError(place + [key], SettingReader.unknownKey(key, among: ["fields"])) }
      for (name, rule) in try SettingReader(value, place + [key]).map() {
        let place = place + [key, name]
        guard let path = FieldPath(name) else { throw SettingsError(place, "`\(name)` is no field name.") }
        rules[path] = try SettingReader(rule, place).mergeRule()
      }
    }
    return rules
  }

  private func mergeRule() throws(SettingsError) -> MergeRules.Rule {
    if case .map(let fields) = value {
      for (key, _) in fields where key != "by" { throw SettingsError(place + [key], SettingReader.unknownKey(key, among: ["by"])) }
      guard let key = fields["by"] else { throw SettingsError(place, "`by` is missing: the key that tells the maps of this list apart.") }
      return .keyed(by: try SettingReader(key, place + ["by"]).text())
    }
    let name = try text()
    if let rule = SettingReader.rules.first(where: { $0.name == name })?.rule { return rule }
    let known = SettingReader.rules.map(\.name)
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(place, "There is no rule `\(name)`.\(nearest) Known are: \(known.joined(separator: ", ")), and {by: KEY}.")
  }
}
