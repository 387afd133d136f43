import TestSupport

/// A `.notes-watch.yaml` of the harness and its meaning. It is recognized by its text, because the
/// harness reads no YAML.
struct HarnessSettings: Sendable {
  static let path: ExactText = ".notes-watch.yaml"

  let text: String
  /// Returns true for a path below the root that the settings ignore.
  let isIgnored: @Sendable (ExactText) -> Bool
  let hasIDField: Bool
  let view: ListView

  static let none = HarnessSettings(
    text: "", isIgnored: { _ in false }, hasIDField: false, view: ListView([]))

  static let all: [HarnessSettings] = [
    HarnessSettings(
      text: "ignore: [sub/deep/]\nviews: {main: {sort: -rating}}\n",
      isIgnored: { $0.description.hasPrefix("sub/deep/") },
      hasIDField: false,
      view: .byRating),
    HarnessSettings(
      text: "# as it is\nviews:\n  main:\n    section: group\n    section-order: work\n",
      isIgnored: { _ in false }, hasIDField: false,
      view: .byGroup),
    HarnessSettings(
      text: "ignore: ['c*.json', 'moved/', '!moved/']\nviews: {main: {where: rating >= 5}}\n",
      isIgnored: { path in
        let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
        return name.first == UInt8(ascii: "c") && name.suffix(5).elementsEqual(".json".utf8)
      }, hasIDField: false, view: .highRatings),
    HarnessSettings(
      text: "id-field: uid\nviews: {main: {section: group}}\n", isIgnored: { _ in false }, hasIDField: true,
      view: .byGroup),
  ]

  static let broken = ["ignore: [\n", "no-such-key: 1\n", "views: {main: {sort: [}}\n"]

  static func of(_ text: [UInt8]?) -> HarnessSettings? {
    guard let text else { return none }
    return all.first { Array($0.text.utf8) == text }
  }
}
