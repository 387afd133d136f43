public import PlainText

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

  /// Parses a descriptor as on the command line. Nil if its path is not one; `init(parsing:)` says why.
  public init?(_ text: String) {
    guard let descriptor = try? ItemSortDescriptor(parsing: text) else { return nil }
    self = descriptor
  }

  /// Parses a descriptor as on the command line. A name that begins with `-` or ends with `:exact` is written in backquotes.
  ///
  /// - Throws: what is wrong with the path.
  public init(parsing text: String) throws(FieldPathError) {
    var rest = text.unicodeScalars[...]
    isDescending = rest.first == "-"
    if isDescending { rest.removeFirst() }
    isExact = rest.reversed().starts(with: ItemSortDescriptor.exactSuffix.unicodeScalars.reversed())
    if isExact { rest.removeLast(ItemSortDescriptor.exactSuffix.unicodeScalars.count) }
    path = try FieldPath(parsing: String(rest))
  }

  private static let exactSuffix = ":exact"

  /// A text that parses to this descriptor.
  public var description: String {
    let text = path.description
    let isUnclear =
      (!isDescending && text.utf8.first == UInt8(ascii: "-"))
      || (!isExact && text.utf8.reversed().starts(with: ItemSortDescriptor.exactSuffix.utf8.reversed()))
    return (isDescending ? "-" : "") + (isUnclear ? path.quoted : text) + (isExact ? ItemSortDescriptor.exactSuffix : "")
  }
}

extension ItemSortDescriptor: ExpressibleByStringLiteral {
  /// Creates a descriptor from a literal: `"rating"`, `"-rating"` for descending order, `"name:exact"` for the order of code points.
  ///
  /// A literal is a constant of the program, so a malformed one is a mistake in the program: it traps with the reason. For a string from outside the program,
  /// use `init(parsing:)`, which throws, or `init(_:)`, which returns nil.
  public init(stringLiteral text: StaticString) {
    do {
      try self.init(parsing: text.description)
    } catch {
      fatalError("The ItemSortDescriptor literal is malformed: \(error)")
    }
  }
}
