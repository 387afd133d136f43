public import PlainText

/// The settings of a data set: `.notes-watch.yaml` in its root, versioned with it. They came with a clone, so nothing in them can run a command.
///
/// ```yaml
/// views:
///   friends: {sort: [lastName], section: group, section-titles: {friends: Friends}, empty: No friends yet.}
/// id-field: uuid
/// ignore: [README.md, drafts/]
/// defaults: {createdAt: "@now"}
/// merge: {fields: {rating: max, tags: set, contacts: {by: name}}}
/// ```
public struct Settings: Sendable, Hashable {
  public var views: [String: ViewDefinition]
  /// What is wrong with views that cannot be read, in the order of the file. It concerns no other view.
  package private(set) var viewErrors: [SettingsError] = []
  /// What makes an item's id; empty: its path.
  public var idFields: [FieldPath]
  /// Globs of what is left out, as in `.gitignore`.
  public var ignore: [String]
  /// What a new item has from the start.
  public var defaults: ItemDefaults
  /// What a merge does with fields that both sides changed.
  public var mergeRules: MergeRules

  public init(
    views: [String: ViewDefinition] = [:], idFields: [FieldPath] = [], ignore: [String] = [], defaults: ItemDefaults = ItemDefaults(),
    mergeRules: MergeRules = MergeRules()
  ) {
    self.views = views
    self.idFields = idFields
    self.ignore = ignore
    self.defaults = defaults
    self.mergeRules = mergeRules
  }

  private static let keys = ["views", "id-field", "ignore", "defaults", "merge"]

  package init(_ written: Value) throws(SettingsError) {
    self.init()
    // A file of comments says nothing, which is fine.
    if written == .null { return }
    for (key, value) in try SettingReader(written, []).map() {
      let reader = SettingReader(value, [key])
      switch key {
      case "views":
        for (name, view) in try reader.map() {
          do throws(SettingsError) {
            views[name] = try ViewDefinition(SettingReader(view, [key, name]).map(), at: [key, name])
          } catch {
            viewErrors.append(error)
          }
        }
      case "id-field": idFields = try reader.idFields()
      case "ignore":
        ignore = try reader.texts()
        try Settings.check(wildcards: IgnoreList(ignore).wildcardCount, [key])
      case "defaults": defaults = try ItemDefaults(reader.map(), at: [key])
      case "merge": mergeRules = try reader.mergeRules()
      default: throw SettingsError([key], SettingReader.unknownKey(key, among: Settings.keys))
      }
    }
  }

  /// Each pattern with wildcards is tried on each path, so their number is bounded.
  static func check(wildcards count: Int, _ place: [String]) throws(SettingsError) {
    let most = IgnoreList.maxWildcards
    guard count > most else { return }
    throw SettingsError(
      place,
      "\(count) patterns have wildcards other than a leading `*`, and at most \(most) are allowed. Use names, paths, `*.ext` or fewer patterns."
    )
  }

  static func check(folders count: Int, _ place: [String]) throws(SettingsError) {
    let most = IgnoreList.maxWildcards
    guard count > most else { return }
    throw SettingsError(place, "\(count) keys name folders, and at most \(most) may. Use patterns that match several folders.")
  }

  private static func viewName(of error: SettingsError) -> String { error.keys.count > 1 ? error.keys[1] : "" }

  /// These settings, in which a view that cannot be read is as it was in older ones.
  func keepingViews(of old: Settings) -> Settings {
    viewErrors.reduce(into: self) { settings, error in
      let name = Settings.viewName(of: error)
      settings.views[name] = old.views[name]
    }
  }

  /// A view by its name, or the sentence that says which there are.
  public func view(named name: String) throws(SettingsError) -> ViewDefinition {
    if let view = views[name] { return view }
    if let error = viewErrors.first(where: { Settings.viewName(of: $0).hasSameBytes(as: name) }) { throw error }
    let known = views.keys.sorted()
    if known.isEmpty { throw SettingsError(["views"], "There is no view `\(name)`: the data set's .notes-watch.yaml names none.") }
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(["views"], "There is no view `\(name)`.\(nearest) Known are: \(Settings.list(known)).")
  }

  /// No more names than a person reads.
  private static func list(_ names: [String]) -> String {
    let most = 50
    return names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
  }
}
