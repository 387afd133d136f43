/// Where an item stands: its section, and how many shown items of that section stand before it.
public struct Place<SectionID: Hashable & Sendable>: Hashable, Sendable {
  public var section: SectionID
  /// From zero.
  public var index: Int

  @inlinable
  public init(section: SectionID, index: Int) {
    self.section = section
    self.index = index
  }
}

extension Place: CustomStringConvertible {
  public var description: String { "\(section)[\(index)]" }
}
