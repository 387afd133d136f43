public import Query

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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

extension Item.ID {
  /// Creates the id of the item of a model with this id, by the rules above. Nil for other types.
  init?(usualFor id: some Hashable) {
    switch id {
    case let id as String: self.init(id)
    case let id as Item.ID: self = id
    case let id as UUID: self.init(id.uuidString.lowercased())
    case let id as any BinaryInteger: self.init(String(describing: id))
    default: return nil
    }
  }
}
