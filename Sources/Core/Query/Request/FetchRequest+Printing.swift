import Files
import Values

extension FetchRequest: CustomStringConvertible {
  /// The parts of the request that are set, in one line: `in people where rating > 3, sorted by
  /// -rating, name, sections group`. `all items` if none is set.
  public var description: String {
    var parts = folder.map { ["in \($0)"] } ?? []
    if let predicate { parts.append("where \(predicate)") }
    if !search.isEmpty { parts.append("search \"\(search)\"") }
    if !searchFields.isEmpty { parts.append("searching \(FetchRequest.names(searchFields))") }
    if !sort.isEmpty { parts.append("sorted by \(FetchRequest.names(sort))") }
    if let section { parts.append("sections \(section)") }
    if !fields.isEmpty { parts.append("showing \(FetchRequest.names(fields))") }
    if hasWindow { parts.append(limit.map { "\($0) items" } ?? "all items") }
    if offset > 0 { parts.append("after \(offset)") }
    return parts.isEmpty ? "all items" : DisplayText.safe(parts.joined(separator: ", "))
  }

  private static func names(_ parts: [some CustomStringConvertible]) -> String {
    parts.map(\.description).joined(separator: ", ")
  }
}

extension SectionDescriptor: CustomStringConvertible {
  /// The field, the grouping if it is not by value, and the named sections: `group`, `-group`,
  /// `name by firstLetter`, `group (friends, work)`.
  public var description: String {
    let rule = path.map { grouping == .value ? $0.description : "\($0) by \(grouping)" } ?? "function"
    let names = order.isEmpty ? "" : " (\(order.map(\.description).joined(separator: ", ")))"
    return (isDescending ? "-" : "") + rule + names
  }
}
