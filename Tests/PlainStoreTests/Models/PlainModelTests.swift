import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct PlainModelTests {
  private struct Contact: PlainModel {
    struct Address: Codable, Equatable { var city: String, zip: String }
    var id: String
    var name: String
    var rating: Int
    var address: Address?
    static let defaults: Fields = ["rating": 3, "address": ["city": "", "zip": "0"]]
  }

  private static func decode<Object: Decodable>(_ type: Object.Type, _ path: RelativePath, _ fields: Fields)
    throws -> Object
  {
    try Item.sample(path, fields).decode(type)
  }

  private static func message(_ body: () throws -> some Any) -> String {
    do {
      return "\(try body())"
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error { return context.debugDescription }
      return "\(error)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `the id of a model is the id of its item`() throws {
    let contact = try Self.decode(Contact.self, "friends/50%.yaml", ["id": 7, "name": "Ada", "rating": 9])
    #expect(contact.id == "friends/50%")
    #expect(contact.itemID == "friends/50%")
  }

  @Test func `defaults serve missing fields, key by key`() throws {
    let contact = try Self.decode(Contact.self, "ada.yaml", ["name": "Ada", "address": ["city": "London"]])
    #expect(contact == Contact(id: "ada", name: "Ada", rating: 3, address: .init(city: "London", zip: "0")))
    #expect(throws: DecodingError.self) {
      try Self.decode(Contact.self, "ada.yaml", ["name": "Ada", "rating": .null])
    }
  }

  @Test func `numbers and UUIDs are ids if they print as the name of the file`() throws {
    struct Numbered: PlainModel { var id: Int }
    struct Unique: PlainModel { var id: UUID }
    struct Named: PlainModel { var id: Item.ID }
    #expect(try Self.decode(Numbered.self, "7.yaml", [:]).itemID == "7")
    let uuid = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    #expect(try Self.decode(Unique.self, RelativePath(bytes: "\(uuid).md".utf8), [:]).itemID == Item.ID(uuid))
    #expect(try Self.decode(Named.self, "2024-01-31.yaml", [:]).id == "2024-01-31")
    #expect(
      Self.message { try Self.decode(Numbered.self, "007.yaml", [:]) }
        == "The id of this `Numbered` is `7`, but the id of its item is `007`. Rename the item, or change `itemID` of the type."
    )
    #expect(
      Self.message { try Self.decode(Unique.self, RelativePath(bytes: "\(uuid.uppercased()).md".utf8), [:]) }
        .contains("Rename"))
    #expect(
      Self.message {
        try Self.decode(Contact.self, RelativePath(bytes: [0xFF, 0x2E, 0x6D, 0x64]), ["name": "x"])
      }.contains("%FF"))
  }

  @Test func `a field named id is a field if the type has a key for the item's id`() throws {
    struct Imported: PlainModel {
      var itemName: String
      var id: Int
      var path: String
      var itemID: Item.ID { Item.ID(itemName) }
      enum CodingKeys: String, CodingKey { case itemName = "@id", id, path = "@path" }
    }
    let imported = try Self.decode(Imported.self, "a.yaml", ["id": 7])
    #expect(imported.id == 7)
    #expect(imported.itemName == "a")
    #expect(imported.path == "a.yaml")
  }

  @Test func `a type that is not a model reads the field named id`() throws {
    struct Plain: Decodable { var id: Int }
    #expect(try Self.decode(Plain.self, "a.yaml", ["id": 7]).id == 7)
  }
}
