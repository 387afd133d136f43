import PlainText

/// One key of an order: `rating`, `-rating` (descending), `name:exact` (strings by code point instead of the way people sort).
public struct ItemSortDescriptor: Sendable, Hashable, CustomStringConvertible {
  public let path: FieldPath
  public let isDescending: Bool
  public let isExact: Bool

  public init(_ path: FieldPath, descending: Bool = false, exact: Bool = false) {
    self.path = path
    isDescending = descending
    isExact = exact
  }

  /// As on the command line. Nil where there is no field name.
  public init?(_ text: String) {
    var rest = Substring(text)
    isDescending = rest.hasPrefix("-")
    if isDescending { rest = rest.dropFirst() }
    isExact = rest.hasSuffix(":exact")
    if isExact { rest = rest.dropLast(":exact".count) }
    guard let path = FieldPath(String(rest)) else { return nil }
    self.path = path
  }

  public var description: String { (isDescending ? "-" : "") + path.description + (isExact ? ":exact" : "") }
}
