import TestSupport
import Testing

@testable import StateStore
@testable import Values

@Suite struct PackedCheckTests {
  private static func isMap(_ bytes: [UInt8], depth: Int = 1_000) -> Bool {
    bytes.withUnsafeBytes { PackedValue.isMap($0, depth: depth) }
  }

  private static let values: [Value] = [
    .null, .bool(true), .bool(false), .number(.integer(-1)), .number(.integer(.max)), .number(.double(0.1)),
    .number(.double(.nan)), "", "café 😀", .list([]), .list([.null, .list(["a", .number(.integer(7))])]),
    ["a": ["b": .list(["c"]), "é": .bool(true)]], [:],
  ]

  private static func map(_ generator: inout SeededGenerator) -> PackedValue {
    var fields = Fields()
    for number in 0..<generator.below(6) { fields["key \(number) é"] = generator.one(of: values) }
    fields["date"] = PackedValue("2024-11-01T10:00:00.25Z").value
    fields["number"] = PackedValue(.number(.literal("1234567890123456789012345678901234567890"))).value
    return PackedValue(.map(fields))
  }

  @Test(arguments: Randomness.seeds(100)) func `every packed map is valid`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let packed = Self.map(&generator)
    #expect(Self.isMap(packed.bytes), "\(packed.value); \(seedNote(seed))")
  }

  @Test(arguments: Randomness.seeds(100)) func `what is called valid can be read to its end`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let packed = Self.map(&generator)
    var valid = 0
    for _ in 0..<200 {
      var bytes = packed.bytes
      for _ in 0...generator.below(3) {
        bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
      }
      if generator.oneIn(4) { bytes.removeLast(generator.below(bytes.count)) }
      guard Self.isMap(bytes) else { continue }
      valid += 1
      bytes.withUnsafeBytes { raw in
        var reader = PackedReader(raw)
        _ = reader.value()
        #expect(reader.isAtEnd, "\(bytes); \(seedNote(seed))")
      }
      PackedValue(bytes: bytes).forEachScalarText { _ in true }
    }
    #expect(valid > 0, "\(seedNote(seed))")
  }

  @Test func `bytes that are not one map are not valid`() {
    let list = PackedValue(.list([.bool(true)])).bytes
    let map = PackedValue(["a": "b"]).bytes
    for bytes in [
      [], [8], [9], [9, 255, 255, 255, 255], list, map + [0], Array(map.dropLast()), [9, 1, 0, 0, 0, 1],
    ] {
      #expect(!Self.isMap(bytes), "\(bytes)")
    }
  }

  @Test func `a text that is not UTF-8 is not valid`() {
    #expect(Self.isMap([9, 4, 0, 0, 0, 1, 97, 7, 0]))
    #expect(!Self.isMap([9, 5, 0, 0, 0, 1, 97, 7, 1, 0xFF]))
    #expect(!Self.isMap([9, 4, 0, 0, 0, 1, 0xC3, 7, 0]))
  }

  @Test func `a value that is nested too deep is not valid`() {
    var value = Value.map([:])
    for _ in 0..<9 { value = .map(["a": value]) }
    let bytes = PackedValue(value).bytes
    #expect(Self.isMap(bytes, depth: 10))
    #expect(!Self.isMap(bytes, depth: 9))
  }
}
