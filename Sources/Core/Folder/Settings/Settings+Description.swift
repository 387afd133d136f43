import TextEdits

// The lines that settings print as.

extension ViewDefinition: CustomStringConvertible {
  /// The parts that are set, as JSON with the keys of the settings.
  public var description: String { written.description }
}

extension ItemDefaults: CustomStringConvertible {
  /// The default fields as JSON, by their folders.
  public var description: String { written.description }
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
