import Foundation
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct PredicateFormatTests {
  private static func item(_ fields: Fields) -> Value { .map(fields) }

  private static func names(_ text: String) -> Value { .map(["name": Value(text: text)]) }

  /// Pieces that end a string, begin syntax, or look like a placeholder.
  private static let pieces = [
    "\"", "'", "`", "\\", "\\\"", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}",
    "%", "%@", "%K", "%%", "$",
    "$x", "@today", "@id", "*", "?", "[c]", "(", ")", "{", "}", ",", " OR ", " AND ", "TRUEPREDICATE", "NOT",
    "nil", "NULL", "= 1",
    "\\u{41}", "\\n", "\u{301}", "👨‍👩‍👧", "é", "e\u{301}", "\u{202E}", "\u{FEFF}", "\u{FFFF}", "31.12.2026", "a",
    "1", "-", ".", " ",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    random.oneIn(3)
      ? random.hostileText() : (0..<random.below(8)).map { _ in random.one(of: pieces) }.joined()
  }

  @Test(arguments: Randomness.seeds(40))
  func `an interpolated string is data`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = PredicateFormatTests.text(&random)
      let other = PredicateFormatTests.text(&random)
      let isSame = text.hasSameBytes(as: other)
      let predicate = ItemPredicate("name == \(text)")
      #expect(
        predicate.matches(PredicateFormatTests.names(text)), "\(text.debugDescription) \(seedNote(seed))")
      #expect(
        predicate.matches(PredicateFormatTests.names(other)) == isSame,
        "\(text.debugDescription) \(seedNote(seed))")
      #expect(
        !predicate.matches(PredicateFormatTests.names(text + "x")),
        "\(text.debugDescription) \(seedNote(seed))")
      #expect(predicate.fieldPaths == ["name"], "\(text.debugDescription) \(seedNote(seed))")
      let among = ItemPredicate("(1 = 2) OR name IN \([other, text]) AND NOT name != \(text)")
      #expect(among.matches(PredicateFormatTests.names(text)), "\(text.debugDescription) \(seedNote(seed))")
      #expect(
        among.matches(PredicateFormatTests.names(other)) == isSame,
        "\(text.debugDescription) \(seedNote(seed))")
      let named = ItemPredicate("\(FieldPath("name")) == \(text)")
      #expect(named == ItemPredicate("`name` == \(text)"))
      #expect(named.matches(PredicateFormatTests.names(text)), "\(text.debugDescription) \(seedNote(seed))")
    }
  }

  @Test(arguments: Randomness.seeds(40))
  func `the text of a predicate reads as the same predicate`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = PredicateFormatTests.text(&random)
      let key = FieldPath(keys: [PredicateFormatTests.text(&random), PredicateFormatTests.text(&random)])
      let predicate = ItemPredicate(
        "\(key) == \(text) OR \(text) IN \([text]) AND n = \(Double(random.below(1_000)) / 7)")
      let read = try ItemPredicate(predicate.text)
      #expect(read == predicate, "\(seedNote(seed))")
      #expect(read.fieldPaths == predicate.fieldPaths, "\(predicate) \(seedNote(seed))")
      #expect(
        read.matches(PredicateTests.item) == predicate.matches(PredicateTests.item),
        "\(predicate) \(seedNote(seed))")
    }
  }

  @Test(arguments: Randomness.seeds(20))
  func `an interpolated key is a path, whatever it contains`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let keys = (0...random.below(2)).map { _ in "k" + PredicateFormatTests.text(&random) }
      let item = keys.reversed().reduce(Value.number(.integer(1))) { .map([$1: $0]) }
      let predicate = ItemPredicate("\(FieldPath(keys: keys)) = 1 AND TRUE")
      #expect(predicate.matches(item), "\(predicate) \(seedNote(seed))")
      #expect(predicate.fieldPaths == [FieldPath(keys: keys)], "\(predicate) \(seedNote(seed))")
    }
  }

  @Test func `a key can have steps below it`() throws {
    let item: Value = ["a b": ["c": [1, 2]], "n": 1]
    let key: FieldPath = "a b"
    #expect(ItemPredicate("\(key).c[\(1)] = 2").matches(item))
    #expect(ItemPredicate("`a b`.\(FieldPath("c")).@count = 2").matches(item))
    #expect(ItemPredicate("\(FieldPath("a b.c[LAST]")) = 2 AND \(FieldPath("/a b/c/0")) = 1").matches(item))
    #expect(ItemPredicate("ANY \(FieldPath("a b.c")) (SELF = 2)").matches(item))
    #expect(ItemPredicate("{\(FieldPath("n")), 7} = \([1, 7])").matches(item))
  }

  @Test func `a field with the name of a keyword is a field`() throws {
    for name in [
      "and", "SELF", "is", "NULL", "true", "in", "TRUEPREDICATE", "a-", "-", "1", "", "@count", "@today", "`",
    ] {
      let predicate = ItemPredicate("\(FieldPath(keys: [name])) = 1")
      #expect(predicate.matches(.map([name: 1])), "\(name)")
      #expect(try ItemPredicate(predicate.text).matches(.map([name: 1])), "\(name)")
      #expect(
        ItemPredicate("ANY l (\(FieldPath(keys: [name])) = 1)").matches(
          .map(["l": .list([.map([name: 1])])])), "\(name)")
    }
    #expect(ItemPredicate("\(FieldPath("@id")) = 'x'").description == "@id = 'x'")
    #expect(throws: ItemPredicateError.self) { try ItemPredicate("\(FieldPath("@id")).x = 1").checked() }
  }

  @Test func `an interpolated predicate is in parentheses`() throws {
    let text = "x\" OR 'y'"
    let inner = ItemPredicate("name = \(text) OR rating > \(3)")
    let outer = ItemPredicate("FALSE AND \(inner) OR NOT \(inner)")
    #expect(!outer.matches(["name": .string(text)]))
    #expect(outer.matches(["name": "Ada"]))
    #expect(
      outer.text
        == "FALSE AND (name = \"x\\\" OR 'y'\" OR rating > 3) OR NOT (name = \"x\\\" OR 'y'\" OR rating > 3)")
    #expect(ItemPredicate("\(outer)").fieldPaths == ["name", "rating"])
    var nested = inner
    for _ in 0..<60 { nested = ItemPredicate("\(nested)") }
    #expect(throws: ItemPredicateError.self) {
      for _ in 0..<60 { nested = try ItemPredicate("\(nested)").checked() }
    }
  }

  @Test func `a predicate of a pattern that takes too long reports it when it is part of another`() throws {
    let pattern = "*" + String(repeating: "?", count: 16_000) + String(repeating: "a", count: 16_000) + "b*"
    let inner = ItemPredicate("t LIKE \(pattern)")
    let outer = ItemPredicate("TRUE AND \(inner)")
    #expect(!outer.matches(.map(["t": .string(String(repeating: "a", count: 60_000))])))
    #expect(outer.consumeHint() != nil)
  }

  @Test func `ranges are for IN and BETWEEN`() throws {
    let hits = { (predicate: ItemPredicate) in
      (0...6).filter { predicate.matches(["n": .number(.integer($0))]) }
    }
    #expect(hits(ItemPredicate("n BETWEEN \(2...4)")) == [2, 3, 4])
    #expect(hits(ItemPredicate("n IN \(2...4)")) == [2, 3, 4])
    #expect(hits(ItemPredicate("n IN \(2..<4)")) == [2, 3])
    #expect(hits(ItemPredicate("NOT n BETWEEN \(2..<4) AND n < \(6)")) == [0, 1, 4, 5])
    #expect(hits(ItemPredicate("n BETWEEN \([2, 4])")) == [2, 3, 4])
    #expect(ItemPredicate("ANY l IN \(2..<4)").matches(["l": [0, 3]]))
    #expect(!ItemPredicate("ANY l IN \(2..<4)").matches(["l": [1, 4]]))
    #expect(ItemPredicate("w IN[c] \("a"..."c")").matches(["w": "B"]))
    #expect(ItemPredicate("n IN \(2..<4)") != ItemPredicate("n IN \([2, 4])"))
  }

  @Test func `a value where it cannot be is an error`() {
    #expect(
      PredicateFormatTests.error("n = \(1...3)")?.message.contains(
        "after IN or BETWEEN") == true)
    #expect(PredicateFormatTests.error("\(1...3) CONTAINS n")?.column == 1)
    #expect(PredicateFormatTests.error("n IN \([1...3])")?.column == 6)
    #expect(PredicateFormatTests.error("n IN {\(1...3)}")?.column == 7)
    #expect(PredicateFormatTests.error("n BETWEEN \([1, 2, 3])")?.column == 11)
    let text = "Ada"
    #expect(
      PredicateFormatTests.error("name LIKE '*\(text)*'")?.message.contains(
        "without quotes") == true)
    #expect(PredicateFormatTests.error("name LIKE '*\(text)*'")?.column == 13)
    #expect(PredicateFormatTests.error("`\(text)` = 1")?.column == 2)
    #expect(PredicateFormatTests.error("na\(text) = 1")?.column == 3)
    #expect(PredicateFormatTests.error("name \(text) 'x'")?.column == 6)
    #expect(PredicateFormatTests.error("name = \(text)\(text)")?.column == 13)
    #expect(PredicateFormatTests.error("due < @today - \(30)d") != nil)
    #expect(PredicateFormatTests.error("n = 1\(2)")?.column == 6)
    #expect(PredicateFormatTests.error("n \(text)= 2")?.column == 3)
    #expect(PredicateFormatTests.error("n = -\(2)")?.column == 5)
    #expect(PredicateFormatTests.error("\(text)") != nil)
  }

  /// Returns the error of a malformed literal.
  static func error(_ predicate: ItemPredicate) -> ItemPredicateError? {
    do throws(ItemPredicateError) {
      _ = try predicate.checked()
      return nil
    } catch { return error }
  }

  @Test func `literals are equal if their texts with the values are`() {
    let predicate: ItemPredicate = "a = \(1)"
    #expect(predicate == "a = \(1)")
    #expect(predicate == "a = 1")
    #expect(predicate != "a = \(2)")
    #expect(predicate.description == "a = 1")
    #expect(Set<ItemPredicate>([predicate, "a = \(1)", "a = \(2)"]).count == 2)
  }

  @Test func `a malformed literal matches nothing and says why`() throws {
    let text = "x"
    let predicate: ItemPredicate = "name = \(text) AND"
    #expect(predicate.error?.column == 15)
    #expect(PredicateFormatTests.error(predicate) == predicate.error)
    #expect(!predicate.matches(PredicateFormatTests.names(text)))
    #expect(predicate.fieldPaths == [])
    #expect(predicate.description == "name = \"x\" AND")
    #expect(ItemPredicate("name = \(text)").error == nil)
    // It makes the predicate malformed that it is a part of; a NOT before it does not make it match.
    let outer = ItemPredicate("TRUE OR NOT \(predicate)")
    #expect(outer.error != nil)
    #expect(!outer.matches(PredicateFormatTests.names(text)))
  }

  @Test func `a malformed literal stays malformed where parentheses around it would complete it`() {
    let inner: ItemPredicate = "a = 1) OR (b = 2"
    #expect(inner.error != nil)
    let outer: ItemPredicate = "x = 3 AND \(inner)"
    #expect(outer.error != nil)
    #expect(!outer.matches(["b": 2]))
  }
}
