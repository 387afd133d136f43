import TestSupport
import Testing

@testable import TextEdits
@testable import Values

@Suite struct UniqueKeysTests {
  @Test func `unique keys agree with a set`() {
    for seed in Randomness.seeds(200) {
      var generator = SeededGenerator(seed: seed)
      var keys = UniqueKeys()
      var bytes: [UInt8] = []
      check(depth: 3, &keys, &bytes, &generator, seed)
    }
  }

  /// Checks one map, with nested maps between its keys.
  private func check(
    depth: Int, _ keys: inout UniqueKeys, _ bytes: inout [UInt8], _ generator: inout SeededGenerator,
    _ seed: UInt64
  ) {
    var scope = keys.begin()
    var marks: [[UInt8]: Int] = [:]
    for mark in 0..<generator.one(of: [3, 15, 16, 17, 18, 40, 200]) {
      let key = (0..<generator.one(of: [0, 1, 2, 6, 7, 8, 9, 260])).map { _ in
        generator.oneIn(3) ? 0x62 : UInt8(0x61)
      }
      let start = bytes.count
      bytes += key
      let first = bytes.withUnsafeBytes {
        keys.insert(start..<start + key.count, mark: mark, into: &scope, of: $0)
      }
      #expect(first == marks[key], "\(seedNote(seed))")
      if first == nil { marks[key] = mark }
      if depth > 0, generator.oneIn(20) { check(depth: depth - 1, &keys, &bytes, &generator, seed) }
    }
    keys.end(scope)
  }
}
