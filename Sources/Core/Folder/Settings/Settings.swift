import Files
package import Query
package import TextEdits
package import Values

/// The settings of a data set, from the file `.notes-watch.yaml` in its root.
///
/// The file may come with a `git clone`, so nothing in it can run a command.
///
/// ```yaml
/// views:
///   friends:
///     {sort: [lastName], section: group, section-titles: {friends: Friends}, empty: No friends yet.}
/// id-field: uuid
/// ignore: [README.md, drafts/]
/// defaults: {createdAt: "@now"}
/// merge: {fields: {rating: max, tags: set, contacts: {by: name}}}
/// ```
public struct Settings: Sendable, Hashable {
  /// The views by name.
  package var views: [String: ViewDefinition]
  /// The errors of views that cannot be read, in the order of the file. The other views are not affected.
  package private(set) var viewErrors: [SettingsError] = []
  /// The fields that form the id of an item. If empty, its path is the id.
  package var idFields: [FieldPath]
  /// The patterns of paths that are ignored, as in `.gitignore`.
  package var ignore: [String]
  /// The fields of new items.
  package var defaults: ItemDefaults
  /// The rules for fields that both sides of a merge changed.
  package var mergeRules: MergeRules

  /// Creates settings. Without arguments they are those of a folder without a settings file.
  package init(
    views: [String: ViewDefinition] = [:], idFields: [FieldPath] = [], ignore: [String] = [],
    defaults: ItemDefaults = ItemDefaults(),
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
    // A file that contains only comments has no settings.
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
        try Settings.check(
          IgnoreList(ignore).wildcardCount, "patterns have wildcards other than a leading `*`", [key],
          advice: "names, paths, `*.ext` or fewer patterns")
      case "defaults": defaults = try ItemDefaults(reader.map(), at: [key])
      case "merge": mergeRules = try reader.mergeRules()
      default: throw SettingsError([key], SettingReader.unknownKey(key, among: Settings.keys))
      }
    }
  }

  /// Throws if there are too many of some patterns, each of which is tried on each path.
  static func check(_ count: Int, _ patterns: String, _ place: [String], advice: String) throws(SettingsError)
  {
    let max = IgnoreList.maxWildcards
    guard count > max else { return }
    throw SettingsError(place, "\(count) \(patterns), but at most \(max) are allowed. Use \(advice).")
  }

  package static func viewName(of error: SettingsError) -> String {
    error.keys.count > 1 ? error.keys[1] : ""
  }

  /// Returns these settings with each view that cannot be read replaced by its version in `old`.
  package func keepingViews(of old: Settings) -> Settings {
    viewErrors.reduce(into: self) { settings, error in
      let name = Settings.viewName(of: error)
      settings.views[name] = old.views[name]
    }
  }
}

// The lines that settings print as.

extension ViewDefinition: CustomStringConvertible {
  /// The parts that are set, as JSON with the keys of the settings.
  package var description: String { written.description }
}

extension ItemDefaults: CustomStringConvertible {
  /// The default fields as JSON, by their folders.
  package var description: String { written.description }
}

extension Settings: CustomStringConvertible {
  /// The names of the views, and the other parts that are set.
  public var description: String {
    var parts: [String] = []
    if !views.isEmpty { parts.append("views \(views.keys.sorted().joined(separator: " "))") }
    if !idFields.isEmpty { parts.append("id-field \(idFields.map(\.description).joined(separator: " "))") }
    if !ignore.isEmpty { parts.append("ignore \(ignore.joined(separator: " "))") }
    if defaults != ItemDefaults() { parts.append("defaults \(defaults)") }
    if mergeRules != MergeRules() { parts.append("merge \(mergeRules)") }
    return parts.isEmpty ? "no settings" : parts.joined(separator: ", ")
  }
}
