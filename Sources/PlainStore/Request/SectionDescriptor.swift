public import PlainText

/// How a list is cut into sections: by the text of one field, in an order of their own.
public struct SectionDescriptor: Sendable, Hashable {
  public var path: FieldPath
  /// The sections that `order` does not name come from last to first.
  public var isDescending: Bool
  /// The sections that come first, in this order, and stay when they are empty.
  public var order: [SectionID]
  public var titles: [SectionID: String]

  public init(_ path: FieldPath, descending: Bool = false, order: [SectionID] = [], titles: [SectionID: String] = [:]) {
    self.path = path
    isDescending = descending
    self.order = order
    self.titles = titles
  }

  /// The section of an item: the text of its value, one for all numbers of the same value (`3.1` and `3.10`); `""` where that is missing or null.
  package func sectionID(of item: Item) -> SectionID {
    SectionID(item.value(at: path)?.idText ?? "")
  }
}

/// The name of a section: the text of the value that its items share. Compared byte for byte.
public struct SectionID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let description: String

  public init(_ text: String) {
    description = text
  }

  public init(stringLiteral text: String) {
    description = text
  }

  public static func == (a: SectionID, b: SectionID) -> Bool { a.description.hasSameBytes(as: b.description) }
  public func hash(into hasher: inout Hasher) { description.hashBytes(into: &hasher) }
}
