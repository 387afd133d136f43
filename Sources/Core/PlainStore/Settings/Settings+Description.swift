import TextEdits

// The lines that settings, options and counters print as.

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

extension StoreOptions: CustomStringConvertible {
  /// The options with their names.
  public var description: String {
    var parts = ["limits \(limits)", "readers \(readers)", "watch \(watch)", "merge policy \(mergePolicy)"]
    if let idFields { parts.append("id-field \(idFields.map(\.description).joined(separator: " "))") }
    if badSettingsAreAProblem { parts.append("bad settings are a problem") }
    if let auditInterval { parts.append("audit every \(auditInterval)") }
    return parts.joined(separator: ", ")
  }
}

extension StoreCounters: CustomStringConvertible {
  /// The counters by their names: `items 3, problems 0, …`.
  public var description: String {
    let own = "items \(items), problems \(problems), audits \(audits), missed changes \(missedChanges)"
    return watch.map { "\(own), \($0)" } ?? own
  }
}

extension ItemStore: CustomStringConvertible {
  /// The folder and the number of its items: `contacts, 3 items`.
  public var description: String { "\(root), \(count) \(count == 1 ? "item" : "items")" }
}
