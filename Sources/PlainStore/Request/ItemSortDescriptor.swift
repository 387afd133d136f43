public import PlainText

/// One key of a sort order: a field, or a function of the item.
///
/// `rating` sorts in ascending order, `-rating` in descending order. `name:exact` compares strings
/// by their code points instead of the way people sort them.
public struct ItemSortDescriptor: Sendable, Hashable, CustomStringConvertible {
  /// The field whose values are compared; nil if a function computes them.
  public let path: FieldPath?
  /// True if the greatest value comes first.
  public let isDescending: Bool
  /// True if strings are compared by their code points.
  public let isExact: Bool
  /// The function that computes the values; nil if a field has them.
  package let function: ItemFunction<Value?>?

  /// Creates a descriptor for a field.
  ///
  /// - Parameters:
  ///   - path: The field whose values are compared.
  ///   - descending: True to put the greatest value first.
  ///   - exact: True to compare strings by their code points.
  public init(_ path: FieldPath, descending: Bool = false, exact: Bool = false) {
    self.path = path
    isDescending = descending
    isExact = exact
    function = nil
  }

  /// Creates a descriptor for a function of the item.
  ///
  /// ```swift
  /// let byLength = ItemSortDescriptor(by: { .number(.integer($0.id.description.count)) })
  /// let results = store.results(FetchRequest(sort: [byLength]))
  /// ```
  ///
  /// Descriptors with functions are equal only if one is a copy of the other. So make one once and
  /// keep it: another instance sorts the list again.
  ///
  /// - Parameters:
  ///   - value: Returns the value to compare; nil counts as null. It runs outside of all locks,
  ///     once each time an item that the request matches changed. It may run again for an unchanged
  ///     item, so it should have no effects.
  ///   - descending: True to put the greatest value first.
  public init(by value: @escaping @Sendable (Item) -> Value?, descending: Bool = false) {
    self.init(ItemFunction { item, _ in value(item) }, descending: descending)
  }

  /// Creates a descriptor for a function that may need the model of the item.
  package init(_ function: ItemFunction<Value?>, descending: Bool) {
    self.function = function
    path = nil
    isDescending = descending
    isExact = false
  }

  /// Parses a descriptor such as `-rating`. Returns nil if the path is malformed; `init(parsing:)`
  /// says why.
  public init?(_ text: String) {
    guard let descriptor = try? ItemSortDescriptor(parsing: text) else { return nil }
    self = descriptor
  }

  /// Parses a descriptor such as `-rating` or `name:exact`. A field name that begins with `-` or
  /// ends with `:exact` is written in backquotes.
  ///
  /// - Throws: A ``FieldPathError`` if the path is malformed.
  public init(parsing text: String) throws(FieldPathError) {
    var rest = text.unicodeScalars[...]
    isDescending = rest.first == "-"
    if isDescending { rest.removeFirst() }
    isExact = rest.reversed().starts(with: ItemSortDescriptor.exactSuffix.unicodeScalars.reversed())
    if isExact { rest.removeLast(ItemSortDescriptor.exactSuffix.unicodeScalars.count) }
    path = try FieldPath(parsing: String(rest))
    function = nil
  }

  private static let exactSuffix = ":exact"

  /// A string that parses to this descriptor; `function` or `-function` if it has a function.
  public var description: String {
    guard let path else { return isDescending ? "-function" : "function" }
    let text = path.description
    let isUnclear =
      (!isDescending && text.utf8.first == UInt8(ascii: "-"))
      || (!isExact && text.utf8.reversed().starts(with: ItemSortDescriptor.exactSuffix.utf8.reversed()))
    return (isDescending ? "-" : "") + (isUnclear ? path.quoted : text) + (isExact ? ItemSortDescriptor.exactSuffix : "")
  }
}

extension ItemSortDescriptor: ExpressibleByStringLiteral {
  /// Creates a descriptor from a literal: `"rating"`, `"-rating"` for descending order,
  /// `"name:exact"` for the order of code points.
  ///
  /// A literal is a constant of the program, so a malformed one is a mistake in the program: it
  /// traps with the reason. For a string from outside the program, use `init(parsing:)`, which
  /// throws, or `init(_:)`, which returns nil.
  public init(stringLiteral text: StaticString) {
    do {
      try self.init(parsing: text.description)
    } catch {
      fatalError("The ItemSortDescriptor literal is malformed: \(error)")  // A literal is a constant: a mistake of the programmer.
    }
  }
}
