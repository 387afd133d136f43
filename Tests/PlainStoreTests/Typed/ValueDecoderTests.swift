import Files
import Foundation
@testable import Models
@testable import Store
import Testing
import Values

@testable import Query

struct ValueDecoderTests {
  /// The kind of a string, as messages name it.
  private static let string = Value.string("").kindName

  private static func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    guard case .map(let fields) = try yaml(text) else { throw CocoaError(.coderInvalidValue) }
    return try Item.sample("d/a.yaml", fields, stamp: FileStamp(size: 7, modified: 60)).decode(type)
  }

  private static func error<T: Decodable>(_ type: T.Type, _ text: String) -> String {
    do {
      return "\(try decode(type, text))"
    } catch let error as DecodingError {
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        return (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: "|")
      @unknown default: return "\(error)"
      }
    } catch {
      return "\(error)"
    }
  }

  private struct Everything: Decodable, Equatable {
    struct Inner: Decodable, Equatable { var deep: [Int8?] }
    enum Kind: String, Decodable { case warm, cold }
    var text: String, flag: Bool, whole: Int, big: UInt64, huge: Int128, number: Double, small: Float,
      exact: Decimal, day: Date,
      time: Date, written: String
    var link: URL, key: UUID, kind: Kind, inner: Inner, map: [String: [Double]], missing: Int?, nothing: Int?,
      pair: [[String]]
  }

  @Test func `values are decoded as they are written`() throws {
    let all = try Self.decode(
      Everything.self,
      """
      {text: a, flag: true, whole: -3, big: 18446744073709551615, huge: 170141183460469231731687303715884105727, number: 1, small: 0.5, exact: 0.1,
      day: 2024-01-31, time: "2024-01-31T10:00:00.25+01:00", written: 2024-01-31, link: "https://example.org/a", key: E621E1F8-C36C-495A-93FC-0C247A3E6E5F,
      kind: cold, inner: {deep: [1, null, -128]}, map: {x: [1, 2.5], y: []}, nothing: null, pair: [[a], []]}
      """)
    #expect(all.big == .max)
    #expect(all.huge == .max)
    #expect(all.exact == Decimal(string: "0.1"))
    #expect(all.number == 1)
    #expect(all.small == 0.5)
    #expect(all.day == Date(timeIntervalSince1970: 1_706_659_200))
    #expect(all.time == Date(timeIntervalSince1970: 1_706_691_600.25))
    #expect(all.written == "2024-01-31")
    #expect(all.link.host() == "example.org")
    #expect(all.kind == .cold)
    #expect(all.inner.deep == [1, nil, -128])
    #expect(all.map == ["x": [1, 2.5], "y": []])
    #expect(all.missing == nil)
    #expect(all.nothing == nil)
    #expect(all.pair == [["a"], []])
    #expect(all.flag)
    #expect(all.whole == -3)
    #expect(all.text == "a")
  }

  @Test func `pseudo-fields are keys of the root, and only of the root`() throws {
    struct Placed: Decodable {
      struct Inner: Decodable { var size: Int?; enum CodingKeys: String, CodingKey { case size = "@size" } }
      var id: String, size: Int, modified: Date, name: String, inner: Inner
      enum CodingKeys: String, CodingKey {
        case id = "@id", size = "@size", modified = "@modified", name = "@name", inner
      }
    }
    let placed = try Self.decode(Placed.self, "inner: {a: 1}")
    #expect(placed.id == "d/a")
    #expect(placed.size == 7)
    #expect(placed.modified == Date(timeIntervalSince1970: 60))
    #expect(placed.name == "a")
    #expect(placed.inner.size == nil)
    #expect(try Self.decode([String: Int].self, "{a: 1, b: 2}") == ["a": 1, "b": 2])
  }

  private struct N<T: Decodable & Sendable>: Decodable { var n: T }

  @Test func `a value of a wrong type is an error with its path`() throws {
    #expect(
      Self.error(N<Int>.self, "n: x")
        == "n|Expected an integer from \(Int.min) to \(Int.max), found \(Self.string) `x`.")
    #expect(Self.error(N<Int8>.self, "n: 128").contains("from -128 to 127"))
    #expect(Self.error(N<Int>.self, "n: 1.5").hasSuffix("found a number `1.5`."))
    #expect(Self.error(N<UInt>.self, "n: 18446744073709551616").hasPrefix("n|"))
    #expect(Self.error(N<String>.self, "n: 1.0") == "n|Expected a string, found a number `1.0`.")
    #expect(Self.error(N<String>.self, "n: null") == "n|Expected a string, found nothing.")
    #expect(Self.error(N<Bool>.self, "n: no") == "n|Expected true or false, found \(Self.string) `no`.")
    #expect(Self.error(N<Date>.self, "n: today").contains("ISO 8601"))
    #expect(Self.error(N<[Int]>.self, "n: [1, 2, x]").hasPrefix("n|2|Expected an integer"))
    #expect(Self.error(N<[Int]>.self, "n: {a: 1}") == "n|Expected a list, found a map.")
    #expect(Self.error(N<N<Int>>.self, "n: {m: 1}") == "n|The field `n` is missing.")
    #expect(Self.error(N<Float>.self, "n: 1e300").hasPrefix("n|Expected a number"))
    #expect(try Self.decode(N<Double>.self, "n: .inf").n == .infinity)
    #expect(try Self.decode(N<Double>.self, "n: 3.10").n == 3.1)
    #expect(try Self.decode(N<Decimal>.self, "n: 3.10").n == Decimal(string: "3.1"))
    #expect(try Self.decode(N<Decimal>.self, "n: 1E+5").n == 100_000)
    for text in ["1e3", "1000.00", "1E+3", "1000.0"] {
      #expect(try Self.decode(N<Int>.self, "n: \(text)").n == 1000)
    }
    #expect(try Self.decode(N<UInt8>.self, "n: -0").n == 0)
    #expect(
      try Self.decode(N<Int128>.self, "n: 123456789012345678901234567890").n
        == 123_456_789_012_345_678_901_234_567_890)
    #expect(Self.error(N<UInt8>.self, "n: 2.56e2").contains("2.56e2"))
    #expect(Self.error(N<Int>.self, "n: 3.10").contains("3.10"))
    #expect(try Self.decode(N<Int>.self, "n: 3.0").n == 3)
  }

  @Test func `the depth of a type that contains itself is limited`() throws {
    final class Tree: Decodable, Sendable {
      let n: Tree?
    }
    func nested(_ depth: Int) -> String {
      String(repeating: "{n: ", count: depth) + "{}" + String(repeating: "}", count: depth)
    }
    _ = try Self.decode(Tree.self, nested(150))
    #expect(Self.error(Tree.self, nested(900)).hasSuffix("This is nested deeper than 200 levels."))
  }

  @Test func `keys are compared by bytes, also in large maps`() throws {
    let many =
      (0..<20_000).map { "k\($0): \($0)" }.joined(separator: "\n") + "\n\"caf\u{e9}\": 1\n\"cafe\u{301}\": 2"
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Sum: Decodable {
      var total = 0
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys { total += try container.decode(Int.self, forKey: key) }
      }
    }
    #expect(try Self.decode(Sum.self, many).total == 20_000 * 19_999 / 2 + 3)
  }

  @Test func `superclasses and nested containers are decoded`() throws {
    class Base: Decodable {
      var a: Int
    }
    final class Derived: Base {
      var b: [Int] = []
      enum CodingKeys: String, CodingKey { case b, inner }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        var list = try container.nestedUnkeyedContainer(forKey: .b)
        while !list.isAtEnd { b.append(try list.decodeNil() ? -1 : list.decode(Int.self)) }
        b.append(
          try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner).decode(Int.self, forKey: .b)
        )
        try super.init(from: container.superDecoder())
      }
    }
    let derived = try Self.decode(Derived.self, "{b: [1, null, 2], inner: {b: 9}, super: {a: 5}}")
    #expect(derived.a == 5)
    #expect(derived.b == [1, -1, 2, 9])
  }
}
