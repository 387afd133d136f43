/// The position of an item as table views count it: the number of its section, and its number in
/// that section, both from 0.
///
/// ```swift
/// let path = ItemIndexPath(section: 1, item: 0)
/// print(path)  // [1, 0]
/// ```
public struct ItemIndexPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the item in its section, from 0.
  public var item: Int

  /// Creates an index path.
  ///
  /// - Parameters:
  ///   - section: The number of the section, from 0.
  ///   - item: The number of the item in its section, from 0.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// The numbers as `[section, item]`.
  public var description: String { "[\(section), \(item)]" }

  /// Returns true if `a` comes before `b` in the list.
  public static func < (a: ItemIndexPath, b: ItemIndexPath) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}
