#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import PlainText

// The lines that requests and their results print as.

extension FetchRequest: CustomStringConvertible {
  /// The parts that are set: `where rating > 3, sort -rating name, limit 10`.
  public var description: String {
    var parts: [String] = []
    if let predicate { parts.append("where \(predicate)") }
    if !sort.isEmpty { parts.append("sort \(sort.map(\.description).joined(separator: " "))") }
    if let section { parts.append("section \(section)") }
    if !search.isEmpty { parts.append("search \(Value.string(search))") }
    if !searchFields.isEmpty { parts.append("in \(searchFields.map(\.description).joined(separator: " "))") }
    if !fields.isEmpty { parts.append("fields \(fields.map(\.description).joined(separator: " "))") }
    if let limit { parts.append("limit \(limit)") }
    if offset != 0 { parts.append("offset \(offset)") }
    return parts.isEmpty ? "all items" : parts.joined(separator: ", ")
  }
}

extension SectionDescriptor: CustomStringConvertible {
  /// The field, with a `-` if it is descending, and the order of the named sections:
  /// `group (friends, family)`. A section that a closure derives has no field.
  public var description: String {
    let field = (isDescending ? "-" : "") + (path.map { "\($0)" } ?? "function") + (grouping == .value ? "" : " by \(grouping)")
    return order.isEmpty ? field : "\(field) (\(order.map(\.description).joined(separator: ", ")))"
  }
}

extension FieldChanges: CustomStringConvertible {
  /// The JSON Pointers of the changed values, separated by spaces.
  public var description: String { isEmpty ? "no changes" : pointers.joined(separator: " ") }
}

extension ResultsEvent: CustomStringConvertible {
  /// The list, or the changes to it and to the problems.
  public var description: String {
    switch self {
    case .snapshot(let snapshot): "\(snapshot)"
    case .step(let update, let problems):
      ((update.map { ["\($0)"] } ?? []) + problems.map(\.description)).joined(separator: ", ")
    }
  }
}

extension PredicateContext: CustomStringConvertible {
  /// The day and the time zone: `2026-11-22 in Europe/Berlin`.
  public var description: String {
    let midnight = Timestamp(seconds: Int64(today) * 86_400, nanoseconds: 0)
    return "\(midnight.text.prefix { $0 != "T" }) in \(timeZone.identifier)"
  }
}
