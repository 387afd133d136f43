import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// A model with a property of each kind that can be encoded.
private struct Crate: PlainModel {
  enum Kind: String, Codable, CaseIterable { case warm, cold }
  enum Shape: Codable, Hashable { case circle(radius: Int), point, named(String) }
  struct Inner: Codable, Hashable {
    var deep: [Int8?]
    var next: [Inner]
    var note: String?
  }

  var id: String
  var text: String
  var flag: Bool?
  var whole: Int
  var big: UInt64
  var huge: Int128
  var number: Double
  var small: Float
  var exact: Decimal
  var day: Date
  var link: URL
  var key: UUID
  var data: Data
  var kind: Kind
  var shape: Shape
  var inner: Inner?
  var list: [Inner]
  var map: [String: [Double]]
  var byNumber: [Int: String]
  var byKind: [Kind: Int]
  var tags: Set<String>
  var pairs: [[String]]

  init(using random: inout SeededGenerator) {
    func text(_ random: inout SeededGenerator) -> String {
      random.one(of: [
        "", "null", "yes", "no", "2024-01-31", "2024-01-31 10:00", "é", "e\u{301}", "a: b", "two\nlines\n",
        "~", "0x1F", " x ", "#", "@id",
        "12", "-", "'\"",
      ])
    }
    func inner(_ random: inout SeededGenerator, _ depth: Int) -> Inner {
      Inner(
        deep: (0..<random.below(3)).map { _ in random.oneIn(3) ? nil : Int8(truncatingIfNeeded: random.next())
        },
        next: (0..<(depth > 0 ? random.below(3) : 0)).map { _ in inner(&random, depth - 1) },
        note: random.oneIn(2) ? nil : text(&random))
    }
    id = "crate"
    self.text = text(&random)
    flag = random.oneIn(3) ? nil : random.oneIn(2)
    whole =
      random.oneIn(4)
      ? random.one(of: [.min, .max, 0]) : Int(truncatingIfNeeded: random.next()) >> random.below(64)
    big = random.next() >> UInt64(random.below(64))
    huge = Int128(truncatingIfNeeded: random.next()) << Int128(random.below(64))
    let bits = Double(bitPattern: random.next())
    number = bits.isFinite ? bits : 0.1
    let smallBits = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    small = smallBits.isFinite ? smallBits : 0.1
    exact = Decimal(
      sign: random.oneIn(2) ? .minus : .plus, exponent: random.below(30) - 15,
      significand: Decimal(random.below(1 << 40)))
    day = Date(
      timeIntervalSince1970: Double(random.below(4_000_000_000) - 1_000_000_000) + Double(random.below(8)) / 8
    )
    link =
      URL(string: random.one(of: ["https://example.org/a?b=c#d", "file:///a%20b", "mailto:ada@example.org"]))
      ?? URL(filePath: "/")
    key = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    data = Data((0..<random.below(5)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    kind = random.one(of: Kind.allCases)
    shape = random.one(of: [.circle(radius: random.below(9)), .point, .named(text(&random))])
    self.inner = random.oneIn(2) ? nil : inner(&random, 3)
    list = (0..<random.below(3)).map { _ in inner(&random, 2) }
    map = Dictionary((0..<random.below(4)).map { _ in (text(&random), [Double(random.below(100)) / 8]) }) {
      first, _ in first
    }
    byNumber = Dictionary((0..<random.below(4)).map { _ in (random.below(50), text(&random)) }) { first, _ in
      first
    }
    byKind = Dictionary(
      uniqueKeysWithValues: Kind.allCases.prefix(random.below(3)).map { ($0, random.below(9)) })
    tags = Set((0..<random.below(5)).map { _ in text(&random) })
    pairs = (0..<random.below(3)).map { _ in (0..<random.below(3)).map { _ in text(&random) } }
  }
}

struct ValueEncoderTests {
  @Test(arguments: [TextFormat.yaml, .json, .markdown])
  func `a model that is encoded and read back is equal`(format: TextFormat) throws {
    var count = 0
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      let crate = Crate(using: &random)
      let fields = try ValueEncoder.fields(of: crate)
      let text = try ItemText.new(fields, as: format, ReadLimits())
      let item = Item(id: "crate", path: "crate.yaml", stamp: .none, fields: try text.fields.get())
      let read = try item.decode(Crate.self)
      #expect(read == crate, "\(seedNote(seed))\n\(String(decoding: text.bytes, as: UTF8.self))")
      // Equal models have equal encodings, whatever order their sets and dictionaries have.
      #expect(try ValueEncoder.fields(of: read) == fields, "\(seedNote(seed))")
      count += 1
    }
    #expect(count > 0)
  }

  private static func text(_ object: some PlainModel) throws -> String {
    Value.map(try ValueEncoder.fields(of: object)).text
  }

  private static func message(_ object: some PlainModel) -> String {
    do {
      return try text(object)
    } catch EncodingError.invalidValue(_, let context) {
      return (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: "|")
    } catch {
      return "\(error)"
    }
  }

  @Test
  func `fields have the order of the type, nil has no field, and the id and pseudo-fields are not written`()
    throws
  {
    struct Contact: PlainModel {
      var id: String, name: String, note: String?, size: Int, rating: Int
      enum CodingKeys: String, CodingKey { case id, name, note, size = "@size", rating }
    }
    #expect(
      try Self.text(Contact(id: "ada", name: "Ada", note: nil, size: 7, rating: 9))
        == #"{"name":"Ada","rating":9}"#)
    #expect(
      try Self.text(Contact(id: "ada", name: "Ada", note: "", size: 7, rating: 9))
        == #"{"name":"Ada","note":"","rating":9}"#)
  }

  @Test func `a field named id is written if the type has a key for the item's id`() throws {
    struct Imported: PlainModel {
      var itemID: Item.ID, id: Int
      enum CodingKeys: String, CodingKey { case itemID = "@id", id }
    }
    #expect(try Self.text(Imported(itemID: "a", id: 7)) == #"{"id":7}"#)
  }

  @Test func `null is written if the type encodes it`() throws {
    struct Nothing: PlainModel {
      var id: String
      var list: [Int?]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeNil(forKey: .list)
      }
    }
    #expect(try Self.text(Nothing(id: "a", list: [])) == #"{"list":null}"#)
  }

  private struct N<T: Codable & Equatable & Sendable>: PlainModel {
    var id = "n"
    var n: T
  }

  @Test func `numbers and dates are written as people write them`() throws {
    #expect(try Self.text(N(n: 0.1 as Float)) == #"{"n":0.1}"#)
    #expect(try Self.text(N(n: 2.0)) == #"{"n":2.0}"#)
    #expect(try Self.text(N(n: UInt64.max)) == #"{"n":18446744073709551615}"#)
    #expect(try Self.text(N(n: Decimal(string: "3.14"))) == #"{"n":3.14}"#)
    #expect(try Self.text(N(n: [Double.infinity, -.infinity, .nan])) == #"{"n":[".inf","-.inf",".nan"]}"#)
    #expect(
      try Self.text(N(n: Date(timeIntervalSince1970: 1_706_695_200))) == #"{"n":"2024-01-31T10:00:00Z"}"#)
    #expect(
      try Self.text(N(n: Date(timeIntervalSince1970: 1_706_695_200.25)))
        == #"{"n":"2024-01-31T10:00:00.250Z"}"#)
    #expect(try Self.text(N(n: Date.distantFuture)) == #"{"n":"4001-01-01T00:00:00Z"}"#)
    #expect(try Self.text(N(n: Data([1, 2]))) == #"{"n":"AQI="}"#)
  }

  @Test func `a date of now is read back`() throws {
    for _ in 0..<100 {
      let now = N(n: Date.now)
      #expect(try Item.sample("n.yaml", ValueEncoder.fields(of: now)).decode(N<Date>.self) == now)
    }
  }

  @Test func `data is read from base64 and from bytes`() throws {
    #expect(try Item.sample("n.yaml", ["n": "AQI="]).decode(N<Data>.self).n == Data([1, 2]))
    #expect(try Item.sample("n.yaml", ["n": [1, 2]]).decode(N<Data>.self).n == Data([1, 2]))
    #expect(throws: DecodingError.self) { try Item.sample("n.yaml", ["n": [1, 256]]).decode(N<Data>.self) }
  }

  @Test func `what no file can hold is an error with its path`() {
    #expect(
      Self.message(N(n: [Date(timeIntervalSince1970: 1e15)])).hasPrefix("n|0|No file can hold this value"))
    #expect(Self.message(N(n: Date(timeIntervalSince1970: .nan))).hasPrefix("n|No file can hold this value"))
    #expect(Self.message(N(n: Decimal.nan)).hasPrefix("n|No file can hold this value"))
    #expect(Self.message(N(n: Item.ID(bytes: [0xFF]))).hasPrefix("n|The id `%FF` is not UTF-8"))
  }

  @Test func `a model that is not a map is an error`() {
    struct Single: PlainModel {
      var id = "a"
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    #expect(Self.message(Single()) == "`Single` is not encoded with keys. A model is a map of fields.")
  }

  private final class Tree: Codable, Equatable, Sendable {
    let next: Tree?
    init(_ next: Tree?) { self.next = next }
    static func == (a: Tree, b: Tree) -> Bool { a === b }
  }

  @Test func `the depth of a value is limited`() throws {
    func tree(_ depth: Int) -> Tree { (0..<depth).reduce(Tree(nil)) { tree, _ in Tree(tree) } }
    _ = try Self.text(N(n: tree(50)))
    #expect(Self.message(N(n: tree(5_000))).contains("200 levels"))
  }

  @Test func `nested containers that are too deep are an error`() {
    struct Deep: PlainModel {
      var id = "a"
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var map = encoder.container(keyedBy: PathKey.self)
        var list = map.nestedUnkeyedContainer(forKey: PathKey(stringValue: "n"))
        for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
        try list.encode(1)
      }
    }
    #expect(Self.message(Deep()).contains("200 levels"))
  }

  @Test func `a type that encodes itself forever is an error`() {
    struct Endless: Codable, Equatable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }
    }
    #expect(Self.message(N(n: Endless())).contains("200 levels"))
  }

  @Test func `a type that encodes two kinds of containers is an error`() {
    struct Double: Codable, Equatable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        var map = encoder.container(keyedBy: PathKey.self)
        try map.encode(1, forKey: PathKey(stringValue: "a"))
      }
    }
    #expect(Self.message(N(n: Double())) == "n|A value is encoded twice at this place.")
  }

  @Test func `superclasses and nested containers are encoded`() throws {
    struct Derived: PlainModel {
      var id = "a"
      enum CodingKeys: String, CodingKey { case b, inner }
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var list = container.nestedUnkeyedContainer(forKey: .b)
        try list.encode(1)
        try list.encodeNil()
        var inner = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
        try inner.encode(9, forKey: .b)
        try N(n: 5).encode(to: container.superEncoder())
      }
    }
    #expect(try Self.text(Derived()) == #"{"b":[1,null],"inner":{"b":9},"super":{"id":"n","n":5}}"#)
  }
}
