public import Foundation

extension PlainModel where ID == String {
  /// The id of the item that is exactly this string.
  public var itemID: Item.ID { Item.ID(id) }
}

extension PlainModel where ID == Item.ID {
  /// The id itself.
  public var itemID: Item.ID { id }
}

extension PlainModel where ID == UUID {
  /// The UUID in lowercase.
  public var itemID: Item.ID { Item.ID(id.uuidString.lowercased()) }
}

extension PlainModel where ID: BinaryInteger {
  /// The decimal digits of the number.
  public var itemID: Item.ID { Item.ID(String(id)) }
}
