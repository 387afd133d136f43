public import Values

/// One key of a sort order: a field, or a function of the item.
///
/// `rating` sorts in ascending order, `-rating` in descending order. `name:exact` compares strings
/// by their code points instead of the way people sort them. Items without a value come last in
/// both directions; `due:nulls-first` puts them first. `@relevance`, as the first key, puts the best matches
/// of the list's search first; without a search it has no effect.
public struct ItemSortDescriptor: Sendable, Hashable, CustomStringConvertible {
  /// The field whose values are compared; nil if a function computes them.
  public let path: FieldPath?
  /// True if the greatest value comes first.
  public private(set) var isDescending: Bool
  /// True if strings are compared by their code points.
  package let isExact: Bool
  /// True if items whose value is missing or null come first; false if they come last. The
  /// direction does not change that.
  package private(set) var nullsFirst: Bool
  package let function: ItemFunction<Value?>?

  /// Creates a descriptor for a field.
  public init(_ path: FieldPath, descending: Bool = false, exact: Bool = false, nullsFirst: Bool = false) {
    self.path = path
    isDescending = descending
    isExact = exact
    self.nullsFirst = nullsFirst
    function = nil
  }

  /// Creates a descriptor for a function of the item.
  ///
  /// ```swift
  /// let byLength = ItemSortDescriptor(by: { .number(.integer($0.id.description.count)) })
  /// let list = try store.list(sort: byLength)
  /// ```
  ///
  /// Descriptors with functions are equal only if one is a copy of the other. So make one once and
  /// keep it: another instance sorts the list again.
  ///
  /// - Parameter value: Returns the value to compare; nil counts as null. It runs outside of all
  ///   locks, once each time an item that the request matches changed. It may run again for an
  ///   unchanged item, so it should have no effects.
  public init(
    by value: @escaping @Sendable (Item) -> Value?, descending: Bool = false, nullsFirst: Bool = false
  ) {
    self.init(ItemFunction { item, _ in value(item) }, descending: descending, nullsFirst: nullsFirst)
  }

  /// Creates a descriptor for a function that may need the model of the item.
  package init(_ function: ItemFunction<Value?>, descending: Bool, nullsFirst: Bool) {
    self.function = function
    path = nil
    isDescending = descending
    isExact = false
    self.nullsFirst = nullsFirst
  }

  /// Parses a descriptor such as `-rating`, `name:exact` or `due:nulls-first`. A field name that
  /// begins with `-`, or ends with one of these two suffixes, is written in backquotes.
  ///
  /// - Throws: A ``TextError`` if the path is malformed.
  public init(parsing text: String) throws(TextError) {
    try self.init(text) { path throws(TextError) in try FieldPath(parsing: path) }
  }

  private init<Failure>(_ text: String, _ path: (String) throws(Failure) -> FieldPath) throws(Failure) {
    var rest = text.unicodeScalars[...]
    isDescending = rest.first == "-"
    if isDescending { rest.removeFirst() }
    // The suffixes may have either order.
    var suffixes: Set<String> = []
    while let suffix = ItemSortDescriptor.suffix(of: rest), suffixes.insert(suffix).inserted {
      rest.removeLast(suffix.unicodeScalars.count)
    }
    isExact = suffixes.contains(ItemSortDescriptor.exactSuffix)
    nullsFirst = suffixes.contains(ItemSortDescriptor.nullsFirstSuffix)
    self.path = try path(String(rest))
    function = nil
  }

  /// Returns this descriptor in the other direction. Items without a value keep their end.
  package var reversed: ItemSortDescriptor {
    var other = self
    other.isDescending.toggle()
    return other
  }

  package func puttingNullsFirst() -> ItemSortDescriptor {
    var other = self
    other.nullsFirst = true
    return other
  }

  private static let exactSuffix = ":exact"
  package static let nullsFirstSuffix = ":nulls-first"

  /// Returns the suffix with which a text ends; nil if it ends with none.
  private static func suffix(of text: Substring.UnicodeScalarView) -> String? {
    [exactSuffix, nullsFirstSuffix].first { text.reversed().starts(with: $0.unicodeScalars.reversed()) }
  }

  /// A string that parses to this descriptor; `function` or `-function` if it has a function.
  public var description: String {
    guard let path else { return isDescending ? "-function" : "function" }
    let text = path.description
    let isUnclear =
      (!isDescending && text.utf8.first == UInt8(ascii: "-"))
      || ItemSortDescriptor.suffix(of: text.unicodeScalars[...]) != nil
    return (isDescending ? "-" : "") + (isUnclear ? path.quoted : text)
      + (isExact ? ItemSortDescriptor.exactSuffix : "")
      + (nullsFirst ? ItemSortDescriptor.nullsFirstSuffix : "")
  }
}

extension ItemSortDescriptor: ExpressibleByStringInterpolation {
  /// Creates a descriptor from a literal: `"rating"`, `"-rating"` for descending order, `"name:exact"` for
  /// the order of code points, `"due:nulls-first"` to put items without a value first.
  ///
  /// A malformed literal is a mistake in the program: it traps with the reason. For a text from outside,
  /// use `init(parsing:)`, which throws.
  public init(stringLiteral text: String) { self.init(text) { FieldPath(stringLiteral: $0) } }

  /// Creates a descriptor from a literal with values, which are data: `"-\(key)"`. See `FieldPath`.
  public init(stringInterpolation parts: FieldPath.StringInterpolation) {
    self.init(parts.text) { parts.path(of: $0) { FieldPath(stringLiteral: $0) } }
  }
}
