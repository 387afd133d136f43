public import PlainText

/// A rule that divides a list into sections: by the value of one field, in an order of their own.
public struct SectionDescriptor: Sendable, Hashable {
  /// The field whose value names the section of an item.
  public var path: FieldPath
  /// True if the sections that `order` does not name are in descending order.
  public var isDescending: Bool
  /// The sections that come first, in this order. They are in the list even if they are empty.
  public var order: [SectionID]
  /// The titles of sections. A section without one is shown by its id.
  public var titles: [SectionID: String]

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - path: The field whose value names the section of an item.
  ///   - descending: True to put the sections that `order` does not name in descending order.
  ///   - order: The sections that come first, even if they are empty.
  ///   - titles: The titles of sections.
  public init(_ path: FieldPath, descending: Bool = false, order: [SectionID] = [], titles: [SectionID: String] = [:]) {
    self.path = path
    isDescending = descending
    self.order = order
    self.titles = titles
  }

  /// Returns the section of an item: the text of its value, or `""` if that is missing or null.
  /// Numbers of the same value (`3.1` and `3.10`) have one section.
  package func sectionID(of item: Item) -> SectionID {
    SectionID(item.value(at: path)?.idText ?? "")
  }
}

/// The identifier of a section: the text of the value that its items share. Two are equal if their
/// bytes are.
public struct SectionID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The text of the value.
  public let description: String

  /// Creates the identifier of the section whose items have a value with this text.
  public init(_ text: String) {
    description = text
  }

  /// Creates an identifier from a literal.
  public init(stringLiteral text: String) {
    description = text
  }

  public static func == (a: SectionID, b: SectionID) -> Bool { a.description.hasSameBytes(as: b.description) }
  public func hash(into hasher: inout Hasher) { description.hashBytes(into: &hasher) }
}
