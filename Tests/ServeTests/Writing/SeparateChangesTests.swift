import Store
import TestSupport
import Testing
import Values

@testable import Serve

struct SeparateChangesTests {
  private static let keys = ["a", "b", "", "caf\u{E9}", "cafe\u{301}", "a/b", "a~1b"]

  private static func fields(_ generator: inout SeededGenerator, depth: Int = 3) -> Fields {
    var fields: Fields = [:]
    for key in keys where generator.oneIn(2) {
      fields[key] =
        depth > 0 && generator.oneIn(2)
        ? .map(Self.fields(&generator, depth: depth - 1)) : .number(.integer(generator.below(3)))
    }
    return fields
  }

  /// Changes few values, so that some pairs of changes are separate.
  private static func changed(_ fields: Fields, _ generator: inout SeededGenerator) -> Fields {
    var fields = fields
    let key = generator.one(of: keys)
    if case .map(let inner)? = fields[key], !generator.oneIn(4) {
      fields[key] = .map(changed(inner, &generator))
    } else {
      fields[key] = generator.oneIn(4) ? nil : .map(["x": .number(.integer(generator.below(9)))])
    }
    return fields
  }

  /// The definition: no changed value is equal to, in or around one of the other side.
  private static func areSeparate(_ base: Fields, _ mine: Fields, _ theirs: Fields) -> Bool {
    let own = FieldChanges(from: base, to: mine).pointers.map { Array("\($0)/".utf8) }
    let other = FieldChanges(from: base, to: theirs).pointers.map { Array("\($0)/".utf8) }
    return !own.contains { own in other.contains { own.starts(with: $0) || $0.starts(with: own) } }
  }

  @Test func `changes are separate if no value lies in one of the other side`() {
    var separate = 0
    for seed in Randomness.seeds(600) {
      var generator = SeededGenerator(seed: seed)
      let base = Self.fields(&generator)
      let (mine, theirs) = (Self.changed(base, &generator), Self.changed(base, &generator))
      let wanted = Self.areSeparate(base, mine, theirs)
      #expect(
        ItemChange.areSeparate(base, mine: mine, theirs: theirs) == wanted,
        "\(seedNote(seed)): \(base), \(mine), \(theirs)")
      if wanted { separate += 1 }
    }
    #expect(separate > 100)
    #expect(separate < 590)
  }
}
