import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Query

struct ModelEditsTests {
  /// Returns the text of a file after a change of its model.
  private static func text<Object: PlainModel>(
    _ type: Object.Type, _ text: String, as format: TextFormat = .yaml, _ change: (inout Object) -> Void
  ) throws -> String {
    let file = ItemText(Array(text.utf8), as: format)
    let item = Item(id: "a", path: "a.yaml", stamp: .none, fields: try file.fields.get())
    var object = try item.decode(type)
    change(&object)
    let result = try file.edited(by: ModelEdits(item, to: object, from: nil).edits)
    let read = Item(id: "a", path: "a.yaml", stamp: .none, fields: try result.fields.get())
    #expect(try read.decode(type) == object)
    return String(decoding: result.bytes, as: UTF8.self)
  }

  private struct Tagged: PlainModel {
    var id: String
    var tags: Set<String>
    var size: Int?
  }

  @Test func `a set keeps the order of the file`() throws {
    let file = "tags: [z, a, m]  # mine\n"
    #expect(try Self.text(Tagged.self, file) { $0.size = 1 } == file + "size: 1\n")
    #expect(try Self.text(Tagged.self, file) { $0.tags.remove("a") } == "tags: [z, m]  # mine\n")
    #expect(try Self.text(Tagged.self, "tags: [z, a]\n") { $0.tags.insert("b") } == "tags: [z, a, b]\n")
  }

  @Test func `an element that is twice in a set of the file goes completely`() throws {
    #expect(try Self.text(Tagged.self, "tags: [a, b, a]\n") { $0.tags.remove("a") } == "tags: [b]\n")
  }

  /// A list that skips elements that it cannot decode.
  private struct Lossy: PlainModel {
    struct Part: Codable, Equatable { var n: Int }
    struct Maybe: Codable, Equatable {
      var part: Part?
      init(from decoder: any Decoder) throws { part = try? Part(from: decoder) }
    }
    var id: String
    var parts: [Part]

    enum CodingKeys: String, CodingKey { case id, parts }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      parts = try container.decode([Maybe].self, forKey: .parts).compactMap(\.part)
    }
  }

  @Test func `elements that the type skips stay`() throws {
    let file = "parts:\n  - n: 1\n    x: 1\n  - other: true\n  - n: 2\n    x: 2\n"
    #expect(try Self.text(Lossy.self, file) { $0.parts[1].n = 3 } == file.replacing("n: 2", with: "n: 3"))
    #expect(
      try Self.text(Lossy.self, file) { $0.parts.removeFirst() }
        == "parts:\n  - other: true\n  - n: 2\n    x: 2\n")
    #expect(try Self.text(Lossy.self, file) { $0.parts = [] } == "parts:\n  - other: true\n")
  }

  /// A type that trims its strings and skips what is empty then.
  private struct Trimmed: PlainModel {
    struct Phone: Codable, Equatable {
      var label: String, rank: Int

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        label = try container.decode(String.self, forKey: .label).trimmingCharacters(in: .whitespaces)
        rank = (try? container.decode(Int.self, forKey: .rank)) ?? 0
      }
    }
    var id: String
    var phones: [Phone], tags: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      phones = try container.decode([Phone].self, forKey: .phones).filter { !$0.label.isEmpty }.sorted {
        $0.label < $1.label
      }
      let texts = try container.decode([String].self, forKey: .tags)
      tags = texts.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { !$0.isEmpty }
    }
  }

  @Test
  func `elements that the type decodes to other values stay as they are, and so do their unknown fields`()
    throws
  {
    let rows = [
      "  - label: ' work '  # w\n    rank: 1\n    mark: w\n", "  - label: ''\n    mark: e\n",
      "  - label: 'home '\n    rank: x\n    mark: h\n",
    ]
    let start = "tags: [' X', '', 'Y ']  # tags\nphones:\n"
    let file = start + rows.joined()
    #expect(
      try Self.text(Trimmed.self, file) { $0.tags.append("z") } == file.replacing("'Y ']", with: "'Y ', 'z']")
    )
    #expect(try Self.text(Trimmed.self, file) { $0.tags.removeFirst() } == file.replacing("' X', ", with: ""))
    #expect(
      try Self.text(Trimmed.self, file) { $0.phones[1].rank = 2 }
        == file.replacing("rank: 1", with: "rank: 2"))
    #expect(
      try Self.text(Trimmed.self, file) { $0.phones[0].rank = 2 }
        == file.replacing("rank: x", with: "rank: 2"))
    #expect(try Self.text(Trimmed.self, file) { $0.phones.removeFirst() } == start + rows[0] + rows[1])
    // As many elements as in the file, in another order.
    let both = start + rows[0] + rows[2]
    #expect(
      try Self.text(Trimmed.self, both) { $0.phones[1].rank = 2 }
        == both.replacing("rank: 1", with: "rank: 2"))
  }

  @Test func `a map that only a custom decoder fills is written completely`() throws {
    struct Person: PlainModel {
      struct Address: Codable, Equatable { var city: String, zip: String }
      var id: String
      var address: Address
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        address = try container.decodeIfPresent(Address.self, forKey: .address) ?? Address(city: "", zip: "0")
      }
    }
    #expect(
      try Self.text(Person.self, "n: 1\n") { $0.address.city = "Rome" }
        == "n: 1\naddress:\n  city: Rome\n  zip: \"0\"\n")
  }

  @Test func `a default that is unchanged is not written, also in a map`() throws {
    struct Person: PlainModel {
      struct Address: Codable, Equatable { var city: String, zip: Int }
      var id: String
      var address: Address
      static let defaults: Fields = ["address": ["city": "", "zip": 0]]
    }
    #expect(try Self.text(Person.self, "n: 1\n") { _ in } == "n: 1\n")
    #expect(
      try Self.text(Person.self, "n: 1\n") { $0.address.city = "Rome" } == "n: 1\naddress:\n  city: Rome\n")
  }

  @Test(arguments: [
    ("1", 2.0, "2"), ("1", 2.5, "2.5"), ("1.0", 3.0, "3.0"), ("3.10", 3.2, "3.20"), ("3.10", 4.0, "4.00"),
    ("3.10", 3.255, "3.255"),
    ("3.1", 3.25, "3.25"), ("1e3", 5.0, "5.0"), ("-1", -0.0, "-0.0"), ("9.90", 10.5, "10.50"),
    ("1", 1e300, "1e+300"),
  ])
  func `a number is written in the style of the old one`(old: String, new: Double, expected: String) throws {
    struct Rated: PlainModel {
      var id: String
      var n: Double
    }
    #expect(try Self.text(Rated.self, "n: \(old)\n") { $0.n = new } == "n: \(expected)\n")
  }

  @Test func `a string that looks like a date is not rewritten`() throws {
    struct Note: PlainModel {
      var id: String
      var day: String
    }
    #expect(
      try Self.text(Note.self, "day: 2024-01-31\n") { $0.day = "2024-02-01T00:00:00Z" }
        == "day: 2024-02-01T00:00:00Z\n")
  }

  @Test func `a page keeps its front matter when its body changes`() throws {
    struct Page: PlainModel {
      var id: String
      var title: String
      var body: String
    }
    let page = "---\ntitle: Home  # mine\nx: 1\n---\nHello.\n"
    #expect(
      try Self.text(Page.self, page, as: .markdown) { $0.body = "Bye.\n" }
        == "---\ntitle: Home  # mine\nx: 1\n---\nBye.\n")
    #expect(
      try Self.text(Page.self, page, as: .markdown) { $0.title = "T" }
        == "---\ntitle: T  # mine\nx: 1\n---\nHello.\n")
  }

  @Test func `an enum may change its case and its associated values`() throws {
    struct Drawing: PlainModel {
      enum Shape: Codable, Equatable { case circle(radius: Int), square(side: Int) }
      var id: String
      var shape: Shape
    }
    let file = "shape: {circle: {radius: 1, note: x}}\n"
    #expect(
      try Self.text(Drawing.self, file) { $0.shape = .circle(radius: 2) }
        == "shape: {circle: {radius: 2, note: x}}\n")
    #expect(
      try Self.text(Drawing.self, file) { $0.shape = .square(side: 2) } == "shape: {square: {side: 2}}\n")
  }

  @Test func `a change that would not decode again is refused`() throws {
    struct Broken: PlainModel {
      var id: String
      var n: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("no \(n)", forKey: .n)
      }
    }
    #expect(throws: EditError.self) { try Self.text(Broken.self, "n: 1\n") { $0.n = 2 } }
  }
}
