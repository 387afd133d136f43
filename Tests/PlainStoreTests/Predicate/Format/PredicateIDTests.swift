import Files
import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Interpolated ids: beside `@id` they are compared as ids are written, elsewhere a UUID without case.
struct PredicateIDTests {
  private struct Code: RawRepresentable, Codable, ItemIDConvertible { var rawValue: String }

  /// A value that is an id.
  private struct Sample {
    let id: Item.ID
    let add: (inout ItemPredicate.StringInterpolation) -> Void

    init(_ value: some Encodable & ItemIDConvertible) {
      id = value.itemID
      add = { $0.appendInterpolation(value) }
    }
  }

  private static func sample(_ random: inout SeededGenerator) -> Sample {
    switch random.below(6) {
    case 0: Sample(UUID())
    case 1: Sample(random.below(20))
    case 2: Sample(random.one(of: ["ada", "Ada", "50%25 off", "2024-05-27", "12", "a\nb", "x/y", ""]))
    case 3: Sample(Item.ID(printed: random.one(of: ["ada", "50%25 off", "12"])))
    case 4: Sample(UInt64(random.below(20)))
    default: Sample(Code(rawValue: random.one(of: ["ada", "12", "50% off"])))
    }
  }

  private static let operators = [
    "=", "==", "!=", "<>", "<", "<=", ">", ">=", "=[c]", "!=[cd] ", " CONTAINS ", " BEGINSWITH ",
    " ENDSWITH[c] ", " LIKE ", " in ", "\nIN\t",
  ]

  /// Returns a comparison of a field with values, as the texts around the values.
  private static func comparison(
    of field: String, with count: Int, _ random: inout SeededGenerator
  ) -> [String] {
    let isFieldFirst = random.oneIn(2)
    let sign = random.one(of: operators)
    var parts: [String]
    if count > 1 || random.oneIn(4) {
      let sign = count == 2 ? random.one(of: [" IN", " BETWEEN "]) : random.one(of: [" IN", " in "])
      parts = ["\(field)\(sign){"] + Array(repeating: ",", count: count - 1) + ["}"]
    } else if isFieldFirst {
      parts = ["\(field)\(sign)", ""]
    } else {
      parts = random.oneIn(2) ? ["", "\(sign)\(field)"] : ["(", ")\(sign)\(field)"]
    }
    let (before, after) = random.one(of: [("", ""), ("NOT ", ""), ("(", ")"), ("!(NOT(", "))")])
    parts[0] = before + parts[0]
    parts[parts.count - 1] += after
    return parts
  }

  /// Puts texts between values, which `add` appends.
  private static func predicate(
    _ texts: [String], _ add: (inout ItemPredicate.StringInterpolation, Int) -> Void
  ) -> ItemPredicate {
    var parts = ItemPredicate.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for (place, text) in texts.enumerated() {
      parts.appendLiteral(text)
      if place < texts.count - 1 { add(&parts, place) }
    }
    return ItemPredicate(stringInterpolation: parts)
  }

  private static func item(_ id: Item.ID, _ fields: Fields = [:]) -> Item {
    Item(id: id, path: "x.yaml", stamp: .none, fields: PackedValue(.map(fields)))
  }

  @Test(arguments: Randomness.seeds(40))
  func `values beside @id are ids, whatever the operator, the side and the spaces`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let samples = (0..<random.one(of: [1, 1, 2, 3])).map { _ in PredicateIDTests.sample(&random) }
      let field = random.one(of: ["@id", "`@id`", "( @id )"])
      let texts = PredicateIDTests.comparison(of: field, with: samples.count, &random)
      let predicate = PredicateIDTests.predicate(texts) { samples[$1].add(&$0) }
      let written = PredicateIDTests.predicate(texts) {
        $0.appendInterpolation(Value.string(samples[$1].id.description))
      }
      _ = try predicate.checked()
      let ids = samples.map(\.id) + ["ada", "12", "e", Item.ID(UUID().uuidString)]
      for id in ids + samples.map({ Item.ID(printed: $0.id.description.uppercased()) }) {
        #expect(
          predicate.matches(PredicateIDTests.item(id), in: .now)
            == written.matches(PredicateIDTests.item(id), in: .now),
          "\(predicate) for \(id) \(seedNote(seed))")
      }
    }
  }

  @Test(arguments: Randomness.seeds(20))
  func `a UUID beside another field ignores case`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let uuids = (0..<random.one(of: [1, 1, 2, 3])).map { _ in UUID() }
      let field = random.one(of: ["x", "`x=@id`", "`a b@id`", "`@id `"])
      let texts = PredicateIDTests.comparison(of: field, with: uuids.count, &random)
      let predicate = PredicateIDTests.predicate(texts) { $0.appendInterpolation(uuids[$1]) }
      _ = try predicate.checked()
      func matches(_ text: String) -> Bool {
        predicate.matches(.map([field.filter { $0 != "`" }: .string(text)]))
      }
      for uuid in uuids + [UUID()] {
        #expect(
          matches(uuid.uuidString) == matches(uuid.uuidString.lowercased()),
          "\(predicate) for \(uuid) \(seedNote(seed))")
      }
      let equal = PredicateIDTests.predicate(["\(field)=", ""]) { parts, _ in
        parts.appendInterpolation(uuids[0])
      }
      #expect(equal.matches(.map([field.filter { $0 != "`" }: .string(uuids[0].uuidString.lowercased())])))
    }
  }

  @Test func `a field with another name that ends in @id has values, not ids`() {
    #expect(ItemPredicate("`n=@id` = \(7)").matches(["n=@id": 7]))
    #expect(ItemPredicate("`x @id`=\(7)").matches(["x @id": 7]))
    #expect(ItemPredicate("\(FieldPath(keys: ["a@id"])) IN \([7])").matches(["a@id": 7]))
  }

  @Test func `lists and ranges beside @id are of ids`() {
    let items = (0..<12).map { PredicateIDTests.item(Item.ID($0)) }
    func hits(_ predicate: ItemPredicate) -> [Int] {
      items.indices.filter { predicate.matches(items[$0], in: .now) }
    }
    #expect(hits("@id IN\([3, 11])") == [3, 11])
    #expect(hits("@id IN {\(3), \(11)}") == [3, 11])
    #expect(hits("@id IN \(Set([3, 11]))") == [3, 11])
    #expect(hits("@id BETWEEN \([3, 11])") == [3, 4, 5, 6, 7, 8, 9, 10, 11])
    #expect(hits("@id BETWEEN {\(3), \(5)}") == [3, 4, 5])
    #expect(hits("@id IN \(3..<5)") == [3, 4])
    #expect(hits("@id IN \(0...Int.max)").count == 12)
    #expect(hits("\(3) = @id OR {\(4)} = {@id}") == [3, 4])
    #expect(hits("@id BEGINSWITH \(1)") == [1, 10, 11])
    #expect(hits("\(FieldPath("@id")) == \(3)") == [3])
    #expect(hits("\(ItemPredicate("@id=\(3)")) OR \(ItemPredicate("\(4)=@id"))") == [3, 4])
  }

  @Test func `an id that is a date is compared as @id is`() {
    let day = PredicateIDTests.item("2024-05-27")
    #expect(ItemPredicate("@id = \("2024-05-27")").matches(day, in: .now))
    #expect(ItemPredicate("@id IN \(["x", day.id])").matches(day, in: .now))
  }

  @Test func `predicates with the same text are equal only if they mean the same`() {
    let uuid = UUID()
    #expect(ItemPredicate("x = \(uuid)") == ItemPredicate("x = \(uuid)"))
    #expect(ItemPredicate("x = \(uuid)") != ItemPredicate("x = \(uuid.uuidString)"))
    #expect(ItemPredicate("x =[c] \(uuid)") == ItemPredicate("x =[c] \(uuid.uuidString)"))
    #expect(ItemPredicate("@id = \(7)") != ItemPredicate("@id = 7"))
    #expect(ItemPredicate("@id = \("ada")") == ItemPredicate("@id = \"ada\""))
  }
}
