import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Field names in requests for models.
struct ModelKeysTests {
  private enum Kind: String, Codable, CaseIterable { case small, large }
  private enum Mood: String, Codable { case good }

  private struct Thing: PlainModel {
    var id: UUID
    var name: String
    var kind: Kind
    var url: URL
    var born: Date
    var sizes: [Int]
    var mood: Mood?
    var lastName: String
    enum CodingKeys: String, CodingKey { case id, name, kind, url, born, sizes, mood, lastName = "last-name" }
  }

  private static func advice(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch { return (error as? StoreError)?.message }
    return nil
  }

  @Test func `a field that the type does not have is an error with the nearest one`() async throws {
    let store = try await ItemStore.temporary()
    #expect(
      ModelKeysTests.advice { try store.list(of: Thing.self, sort: "nmae") }
        == "`Thing` has no field `nmae`. Did you mean `name`?")
    #expect(
      ModelKeysTests.advice { try store.fetch(of: Thing.self, where: "last-nam = \("x")") }
        == "`Thing` has no field `last-nam`. In a predicate, write a string in quotes or as a value: `\\(text)`."
    )
    #expect(
      ModelKeysTests.advice { try store.count(of: Thing.self, where: "name = done") }?.contains("in quotes")
        == true)
    #expect(
      ModelKeysTests.advice { try store.list(of: Thing.self, section: "-knid") }
        == "`Thing` has no field `knid`. Did you mean `kind`?")
    #expect(
      ModelKeysTests.advice { try store.list(of: Thing.self, searchFields: ["zzz"]) }
        == "`Thing` has no field `zzz`.")
    #expect(
      ModelKeysTests.advice { try store.makeEditScope().fetch(of: Thing.self, sort: "nmae") }
        == "`Thing` has no field `nmae`. Did you mean `name`?")
    #expect(
      ModelKeysTests.advice { try store.list(of: Thing.self, sort: "id") }
        == "`Thing` has no field `id`. The id of an item is `@id`.")
  }

  @Test func `keys that the compiler made are known`() async throws {
    struct Local: PlainModel {
      var id: String
      var name: String
    }
    let store = try await ItemStore.temporary()
    for message in [
      ModelKeysTests.advice { try store.list(of: Local.self, sort: "nmae") },
      ModelKeysTests.advice { try store.list(of: MadeByTheCompiler.self, sort: "nmae") },
      ModelKeysTests.advice { try store.list(of: ModelKeysTests.Nested.self, sort: "nmae") },
    ] {
      #expect(message?.hasSuffix(" has no field `nmae`. Did you mean `name`?") == true)
    }
  }

  struct Nested: PlainModel {
    var id: String
    var name: String
  }

  private struct Person: PlainModel {
    enum When: Codable, Equatable { case always, percent(Int), between(from: Int, to: Int) }
    struct Address: Codable, Equatable {
      var city: String
      var zip: Int?
      enum CodingKeys: String, CodingKey { case city, zip = "zip-code" }
    }
    struct Text: Codable, Equatable {
      var text: String
      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
      }
      func encode(to encoder: any Encoder) throws {}
    }
    var id: String
    var home: Address
    var others: [Address]?
    var labels: [String: Address]
    var when: When
    var text: Text
    var link: Link<Thing>?
    static let defaults: Fields = ["home": ["old": 1]]
  }

  @Test func `a part of a field is checked if its type has coding keys`() async throws {
    let store = try await ItemStore.temporary()
    #expect(
      ModelKeysTests.advice { try store.list(of: Person.self, sort: "home.ctiy") }
        == "`Person` has no field `home.ctiy`. Did you mean `home.city`?")
    for path in ["others.ctiy", "others.@max.ctiy", "home.zip", "when.precent", "hmoe.city"] as [FieldPath] {
      #expect(throws: StoreError.self, "\(path)") {
        try store.list(of: Person.self, sort: ItemSortDescriptor(path))
      }
    }
    for path in [
      "home.city", "home.zip-code", "home.old", "others.city", "others[0].city", "others.@count",
      "labels.x.y", "when.percent", "when.between.from", "text.x", "home.city.x", "link.name",
    ] as [FieldPath] {
      _ = try store.list(of: Person.self, sort: ItemSortDescriptor(path))
    }
  }

  @Test func `fields of the type, their parts and pseudo-fields are no error`() async throws {
    let store = try await ItemStore.temporary()
    _ = try store.list(
      of: Thing.self, where: "kind = \(Kind.small) AND sizes.@count > 1 AND @modified < \(Date.now)",
      sort: "-born", "sizes[0]", "url.x", "@id", section: "mood", searchFields: ["name", "@path"])
  }

  @Test func `a type whose id is a coding key of its own may name its field id`() async throws {
    struct Numbered: PlainModel {
      var item: Item.ID
      var number: Int
      var id: Item.ID { item }
      enum CodingKeys: String, CodingKey { case item = "@id", number = "id" }
    }
    let store = try await ItemStore.temporary(["b.yaml": "id: 1\n", "a.yaml": "id: 2\n"])
    #expect(try store.fetch(of: Numbered.self, sort: "id").map(\.number) == [1, 2])
  }

  private struct Shelved: PlainModel {
    var id: String
    var author: Link<Thing>
    var editor: Link<Thing>?
    var reviewers: [Link<Thing>]
    var readers: Set<Link<Thing>>?
    var sequel: Link<Shelved>?
    var title: String?
    enum CodingKeys: String, CodingKey { case id, author = "by", editor, reviewers, readers, sequel, title }
  }

  @Test func `the links of a type are known by their coding keys`() {
    let keys = ModelKeys(of: Shelved.self)
    for key in ["by", "editor", "reviewers", "readers"] {
      #expect(keys.target(of: key) is Thing.Type, "\(key)")
    }
    #expect(keys.target(of: "sequel") is Shelved.Type)
    for key in ["author", "title", "id", "none"] { #expect(keys.target(of: key) == nil, "\(key)") }
  }

  @Test func `only the links that paths pass are read`() {
    let paths: [FieldPath] = [
      "sequel.sequel.by.name", "sequel.title", "editor", "title.x", "reviewers[0].kind",
    ]
    let links = ModelFields(of: Shelved.self, reading: paths).links
    #expect(Set(links.keys) == ["sequel", "reviewers"])
    #expect(links["reviewers"]?.links.isEmpty == true)
    #expect(links["sequel"]?.links["sequel"]?.links["by"]?.links.isEmpty == true)
  }

  @Test func `a type with any keys, and one that is no model, are not checked`() async throws {
    struct Open: PlainModel {
      var id: String
      var fields: [String: String]
      init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: AnyKey.self).decode(
          String.self, forKey: AnyKey(stringValue: "id"))
        fields = [:]
      }
      func encode(to encoder: any Encoder) throws {}
    }
    struct Plain: Codable, Equatable, Sendable { var name: String }
    let store = try await ItemStore.temporary()
    _ = try store.list(of: Open.self, sort: "anything")
    _ = try store.list(of: Plain.self, sort: "anything")
    #expect(try store.list(sort: "anything").snapshot.hints.isEmpty)
  }

  @Test func `a type that reads itself is not run with made-up values`() async throws {
    struct Share: PlainModel {
      var id: String
      var percent: Int
      enum CodingKeys: String, CodingKey { case id, done, total }
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        percent = try values.decode(Int.self, forKey: .done) * 100 / values.decode(Int.self, forKey: .total)
      }
      func encode(to encoder: any Encoder) throws {}
    }
    struct Versioned: PlainModel {
      enum VersionKeys: String, CodingKey { case version }
      enum CodingKeys: String, CodingKey { case id, title }
      var id: String
      var title: String
      init(from decoder: any Decoder) throws {
        let version = try decoder.container(keyedBy: VersionKeys.self).decode(Int.self, forKey: .version)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title) + " \(version)"
      }
      func encode(to encoder: any Encoder) throws {}
    }
    let store = try await ItemStore.temporary(["a.yaml": "title: A\nversion: 2\n"])
    _ = try store.list(of: Share.self, sort: "total")
    #expect(throws: StoreError.self) { try store.list(of: Share.self, sort: "percent") }
    #expect(
      try store.fetch(of: Versioned.self, where: "title = \("A")", sort: "version").map(\.title) == ["A 2"])
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

private struct MadeByTheCompiler: PlainModel {
  var id: Int
  var name: String
}
