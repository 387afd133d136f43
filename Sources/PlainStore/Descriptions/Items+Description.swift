// The lines that items, files and edits print as.

extension Item: CustomStringConvertible {
  /// The id, the path and the fields as JSON: `ada (ada.yaml): {"name":"Ada"}`.
  public var description: String { "\(id) (\(path)): \(fields)" }
}

extension ItemFile: CustomStringConvertible {
  /// The item with its format: `ada (ada.yaml): {"name":"Ada"} as yaml`.
  public var description: String { "\(item) as \(format)" }
}

extension ItemRevision: CustomStringConvertible {
  /// The path and the fields as JSON: `ada.yaml: {"name":"Ada"}`.
  public var description: String { "\(path): \(fields)" }
}

extension EditPreview: CustomStringConvertible {
  /// The outcome and the sizes of the file before and after: `ada: updated, 12 → 14 bytes`.
  public var description: String {
    let sizes = [old, new].map { $0.map { "\($0.count)" } ?? "no" }
    return "\(outcome), \(sizes[0]) → \(sizes[1]) bytes"
  }
}

extension UnsavedChanges: CustomStringConvertible {
  /// The changes that were not saved, or `nothing unsaved`.
  public var description: String { isEmpty ? "nothing unsaved" : summary }
}

extension EditScope: CustomStringConvertible {
  /// The changes in their order: `update ada: set rating; delete bob`.
  public var description: String {
    hasChanges ? changes.map(\.description).joined(separator: "; ") : "no changes"
  }
}

extension PendingChange: CustomStringConvertible {
  var description: String {
    let verb =
      switch act {
      case .insert: "insert"
      case .update: "update"
      case .replace: "replace"
      case .delete: "delete"
      }
    return edits.isEmpty ? "\(verb) \(id)" : "\(verb) \(id): \(edits.map(\.description).joined(separator: ", "))"
  }
}
