// The lines that options, counters and stores print as.

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
