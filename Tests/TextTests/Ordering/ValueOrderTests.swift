import TestSupport
import Testing
import Values

struct ValueOrderTests {
  @Test(arguments: [
    ("note 2", "note 10"), ("Note 2", "note 10"), ("a", "B"), ("B", "c"), ("Émile", "Frank"),
    ("eclair", "Éclair b"), ("2", "3"),
    ("9", "10"), ("1.9", "1.10"),
    ("99999999999999999999", "100000000000000000000"), ("007", "8"), ("", "a"), ("a", "ab"),
    ("strasse", "straße"), ("Ada", "ada"),
    ("02", "2"), ("a 1", "a1"),
    ("cafe", "café"), ("и", "й"), ("й", "к"), ("x9y", "x10y"), ("a", "ä"), ("ä", "b"),
  ])
  func `the first string comes before the second`(_ a: String, _ b: String) {
    #expect(ValueOrder.compare(a, b) < 0)
    #expect(ValueOrder.compare(b, a) > 0)
  }

  @Test func `composed and decomposed strings are neighbours but not equal`() {
    #expect(ValueOrder.compare("cafe\u{301}", "café") < 0)
    #expect(ValueOrder.compare("cafe\u{301} 1", "café 2") < 0)
    #expect(ValueOrder.compare("café 1", "cafe\u{301} 2") < 0)
  }

  @Test func `numbers compare exactly`() {
    let ascending: [Number] = [
      .double(.nan), .double(-.infinity), .literal("-1e400"), .double(-1e308),
      .literal("-9223372036854775809"), .integer(.min),
      .integer(-1), .double(-0.5),
      .literal("-1e-400"), .integer(0), .literal("1e-400"), .double(.leastNonzeroMagnitude), .double(0.1),
      .double(0.5), .integer(1),
      .double(1.5), .integer(1 << 53), .integer(1 << 53 + 1),
      .double(0x1p53 + 2), .integer(.max), .double(0x1p63), .literal("9223372036854775809"), .double(1e23),
      .literal("100000000000000000000000"), .double(1e308),
      .literal("1e400"), .literal("1.1e400"), .double(.infinity),
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect(ValueOrder.compare(.number(a), .number(b)).signum() == (i - j).signum(), "\(a) and \(b)")
      }
    }
  }

  @Test(arguments: [
    (Number.integer(1), Number.double(1)), (.integer(1 << 53), .double(0x1p53)),
    (.double(0x1p63), .literal("9223372036854775808")),
    (.double(0), .double(-0.0)),
    (.integer(0), .double(-0.0)), (.double(1e23), .literal("99999999999999991611392")),
    (.literal("1e400"), .literal("10e399")),
    (.double(.nan), .double(.nan)),
    (.integer(100), .double(1e2)), (.integer(1_152_921_504_606_846_976), .double(0x1p60)),
  ])
  func `numbers of one value are equal in the order`(_ a: Number, _ b: Number) {
    #expect(ValueOrder.compare(.number(a), .number(b)) == 0)
  }

  @Test func `dates compare by moment`() {
    #expect(ValueOrder.compare(Value(text: "2024-01-31"), Value(text: "2024-01-31T00:00:00Z")) == 0)
    #expect(ValueOrder.compare(Value(text: "2024-01-31T01:00+02:00"), Value(text: "2024-01-30T23:30Z")) < 0)
    #expect(
      ValueOrder.compare(Value(text: "2024-01-31T00:00:00.1Z"), Value(text: "2024-01-31T00:00:00.09Z")) > 0)
  }

  @Test func `the order of keys does not matter for maps`() {
    #expect(
      ValueOrder.compare(.map(["a": .null, "b": .bool(true)]), .map(["b": .bool(true), "a": .null])) == 0)
    #expect(ValueOrder.compare(.map(["a": .bool(true)]), .map(["b": .bool(false)])) < 0)
  }

  @Test(arguments: Randomness.seeds(30))
  func `the order is total`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = (0..<25).map { _ in random.value() }
    for a in values {
      for b in values {
        #expect(ValueOrder.compare(a, b) == -ValueOrder.compare(b, a), "NOTES_WATCH_SEED=\(seed)")
        for c in values where ValueOrder.compare(a, b) <= 0 && ValueOrder.compare(b, c) <= 0 {
          if ValueOrder.compare(a, c) > 0 {
            Issue.record(
              "\(String(describing: a)), \(String(describing: b)), \(String(describing: c)); NOTES_WATCH_SEED=\(seed)"
            )
          }
        }
      }
    }
  }
}
