import Streams
import TestSupport
import Testing
import Values

@Suite struct ValueNonFiniteTests {
  private func read(_ text: String, as format: TextFormat = .yaml) throws -> Value {
    try PackedValue(reading: text, as: format).value
  }

  @Test func `the places mirror the fields`() throws {
    let value = try read("{a: .inf, b: '.inf', m: {x: -.inf, y: 1}, l: [0, .nan, [.inf]], e: {}, n: {z: []}}")
    let places = value.nonFinitePlaces
    #expect(places == (try read("{a: true, m: {x: true}, l: {'1': true, '2': {'0': true}}}")))
    #expect(Value.map(["a": .string(".inf"), "b": .number(.integer(1))]).nonFinitePlaces == nil)
  }

  /// All values come back from JSON with the places.
  @Test func `printing and restoring keeps numbers and strings apart`() throws {
    for seed in Randomness.seeds(300) {
      var generator = SeededGenerator(seed: seed)
      let value = Value.map(["root": ValueNonFiniteTests.random(depth: 4, &generator)])
      let printed = try read(JSONWriter.text(of: value), as: .json)
      let places = try value.nonFinitePlaces.map { try read(JSONWriter.text(of: $0), as: .json) }
      #expect(places.map(printed.restoringNonFinite) ?? printed == value, "\(seedNote(seed))")
    }
  }

  private static func random(depth: Int, _ generator: inout SeededGenerator) -> Value {
    let texts = [".inf", "-.inf", ".nan", "a"]
    switch generator.below(depth > 0 ? 6 : 4) {
    case 0: return .number(.double(generator.one(of: [.infinity, -.infinity, .nan])))
    case 1, 2: return .string(generator.one(of: texts))
    case 3: return .number(.integer(1))
    case 4: return .list((0..<generator.below(4)).map { _ in random(depth: depth - 1, &generator) })
    default:
      return .map(
        (0..<generator.below(4)).reduce(into: Fields()) {
          $0[generator.one(of: texts) + "\($1)"] = random(depth: depth - 1, &generator)
        })
    }
  }
}
