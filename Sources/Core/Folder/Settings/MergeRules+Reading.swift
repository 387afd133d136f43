import Query
import Files
import TextEdits

extension SettingReader {
  private static let rules: [(name: String, rule: MergeRules.Rule)] = [
    ("max", .max), ("min", .min), ("union", .union), ("set", .set), ("ordered", .ordered), ("ours", .ours),
    ("theirs", .theirs),
  ]

  /// Reads rules such as `{fields: {rating: max, tags: set, contacts: {by: name}, contacts.seen: max}}`.
  func mergeRules() throws(SettingsError) -> MergeRules {
    var rules = MergeRules()
    for (key, value) in try map() {
      guard key == "fields" else {
        throw SettingsError(place + [key], SettingReader.unknownKey(key, among: ["fields"]))
      }
      for (name, rule) in try SettingReader(value, place + [key]).map() {
        let reader = SettingReader(rule, place + [key, name])
        rules[try reader.mergePath(name)] = try reader.mergeRule()
      }
    }
    return rules
  }

  private func mergePath(_ name: String) throws(SettingsError) -> FieldPath {
    let path = try path(name)
    // A number in a JSON Pointer may be a key of a map.
    let namesElement = path.hasPlaces && name.utf8.first != UInt8(ascii: "/")
    if path.isComputed || namesElement {
      throw SettingsError(
        place,
        "A merge rule applies to a field, or to that field of each element of a list. Remove places such as [0] and operators."
      )
    }
    return path
  }

  private func mergeRule() throws(SettingsError) -> MergeRules.Rule {
    if case .map(let fields) = value {
      for (key, _) in fields where key != "by" {
        throw SettingsError(place + [key], SettingReader.unknownKey(key, among: ["by"]))
      }
      guard let key = fields["by"] else {
        throw SettingsError(
          place, "`by` is missing. Write the key that identifies the maps of this list, as in {by: name}.")
      }
      return .keyed(by: try SettingReader(key, place + ["by"]).text())
    }
    let name = try text()
    if let rule = SettingReader.rules.first(where: { $0.name == name })?.rule { return rule }
    let known = SettingReader.rules.map(\.name)
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(
      place,
      "There is no merge rule `\(name)`.\(nearest) The rules are \(known.joined(separator: ", ")) and "
        + "{by: KEY}."
    )
  }
}
