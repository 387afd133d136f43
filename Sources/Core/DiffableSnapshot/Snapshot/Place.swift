/// The position of an item: its section, and its index among the section's shown items.
public struct Place<SectionID: Hashable & Sendable>: Hashable, Sendable {
  /// The section that contains the item.
  public var section: SectionID
  /// The index of the item in its section, from 0.
  public var index: Int

  /// Creates the position of an item from its section and its index in the section, from 0.
  @inlinable
  public init(section: SectionID, index: Int) {
    self.section = section
    self.index = index
  }
}

extension Place: CustomStringConvertible {
  /// The section and the index, such as `friends[0]`.
  public var description: String { "\(section)[\(index)]" }
}
