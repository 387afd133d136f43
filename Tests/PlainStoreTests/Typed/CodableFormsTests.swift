import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Values of types in the form that people write, and in the form of the standard library, which is also read.
struct CodableFormsTests {
  private enum Rule: Codable, Hashable, Sendable {
    case country([String])
    case percent(Int)
    case between(Int, Int)
    case box(width: Int, height: Int)
    case off
    case note(String?)
    case table([String: Int])
    indirect case not(Rule)
  }

  private struct Flag: PlainModel {
    var id: String
    var when: Rule
    var others: [Rule]?
    var every: Duration?
  }

  private static let forms: [(Rule, written: String, standard: String)] = [
    (.country(["SE", "NO"]), "when: {country: [SE, \"NO\"]}\n", "when: {country: {_0: [SE, NO]}}\n"),
    (.percent(10), "when: {percent: 10}\n", "when: {percent: {_0: 10}}\n"),
    (.between(1, 5), "when: {between: [1, 5]}\n", "when: {between: {_0: 1, _1: 5}}\n"),
    (
      .box(width: 1, height: 2), "when: {box: {width: 1, height: 2}}\n",
      "when: {box: {width: 1, height: 2}}\n"
    ),
    (.off, "when: \"off\"\n", "when: {off: {}}\n"),
    (.not(.percent(3)), "when: {not: {percent: 3}}\n", "when: {not: {_0: {percent: {_0: 3}}}}\n"),
  ]

  @Test(arguments: forms.indices) func `a case is written as people write it, and both forms are read`(
    _ index: Int
  )
    async throws
  {
    let (rule, written, standard) = CodableFormsTests.forms[index]
    let folder = try TemporaryFolder(["old.yaml": standard])
    let store = try await ItemStore.open(folder.path, watching: false)
    #expect(try store.object("old", as: Flag.self)?.when == rule)
    try await store.insert(Flag(id: "new", when: rule))
    let text = try folder.text(of: "new.yaml")
    #expect(try store.object("new", as: Flag.self)?.when == rule)
    #expect(text == written)
    // Another property changes; the value keeps the form that it has in the file.
    try await store.update("old", as: Flag.self) { $0.every = .seconds(5) }
    #expect(try folder.text(of: "old.yaml").hasPrefix(standard))
    try await store.update("old", as: Flag.self) { $0.when = .percent(99) }
    #expect(try store.object("old", as: Flag.self)?.when == .percent(99))
    #expect(try !folder.text(of: "old.yaml").contains("_0"))
  }

  private static func rule(_ random: inout SeededGenerator, depth: Int = 0) -> Rule {
    switch random.below(depth < 3 ? 9 : 8) {
    case 0: .country((0..<random.below(3)).map { _ in random.one(of: ["SE", "_0", "off", "", "1"]) })
    case 1: .percent(random.below(100))
    case 2: .between(random.below(5), random.below(5))
    case 3: .box(width: random.below(5), height: random.below(5))
    case 4: .off
    case 5: .note(random.one(of: [nil, "", "off", "_0", "2024-01-01"]))
    case 6:
      .table(Dictionary((0..<random.below(3)).map { _ in (random.one(of: ["_0", "_1", "a"]), 1) }) { $1 })
    default: .not(rule(&random, depth: depth + 1))
    }
  }

  @Test(arguments: Randomness.seeds(40)) func `any case is read back as it was saved`(_ seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let store = try await ItemStore.temporary()
    for number in 0..<20 {
      let flag = Flag(
        id: "f\(number % 4)", when: CodableFormsTests.rule(&random),
        others: random.oneIn(2) ? nil : (0..<random.below(3)).map { _ in CodableFormsTests.rule(&random) })
      try await store.replace(flag)
      #expect(try store.object(flag.id, as: Flag.self) == flag, "\(seedNote(seed))")
      let changed = CodableFormsTests.rule(&random)
      try await store.update(flag.id, as: Flag.self) { $0.when = changed }
      #expect(try store.object(flag.id, as: Flag.self)?.when == changed, "\(seedNote(seed))")
    }
  }

  @Test func `a string is no map with the key of its name`() throws {
    struct Place: Codable, Equatable { var city: String }
    let item = Item.sample("a.yaml", ["place": "city"])
    struct Holder: Codable { var place: Place }
    #expect(throws: DecodingError.self) { try item.decode(Holder.self) }
    #expect(throws: DecodingError.self) { try Item.sample("a.yaml", ["place": "other"]).decode(Holder.self) }
  }

  @Test(arguments: [
    ("1h30m", Duration.seconds(5_400)), ("45s", .seconds(45)), ("250ms", .milliseconds(250)), ("0s", .zero),
    ("1m", .seconds(60)), ("-5s", .seconds(-5)), ("1.5s", .milliseconds(1_500)), ("100h", .seconds(360_000)),
    ("0.000000001s", .nanoseconds(1)), ("1h0.25s", .seconds(3_600) + .milliseconds(250)),
  ]) func `a duration is written in hours, minutes and seconds`(_ text: String, _ duration: Duration) {
    #expect(duration.encoded == .string(text))
    #expect(Duration(.string(text)) == duration)
  }

  @Test func `durations are read in other forms, too`() {
    #expect(Duration(.number(.integer(90))) == .seconds(90))
    #expect(Duration(1.5) == .milliseconds(1_500))
    #expect(Duration("2 min 5 sec") == .seconds(125))
    #expect(Duration("1d") == .seconds(86_400))
    let standard: Value = .list([
      .number(.integer(Int(Duration.seconds(5).components.seconds) * 0)),
      .number(.literal("5000000000000000000")),
    ])
    #expect(Duration(standard) == .seconds(5))
    for text in [
      "", "h", "5", "5x", "1h-5m", "1e400s", "99999999999999999999999999999999999999999h", "1..5s", "+5s",
      "٣s",
    ] {
      #expect(Duration(.string(text)) == nil, "\(text)")
    }
  }

  @Test(arguments: Randomness.seeds(200)) func `any duration is read back as it was written`(_ seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let scale = Int128(1) << Int128(random.below(100))
    let duration = Duration(attoseconds: (Int128(random.below(1_000_000)) - 500_000) * scale)
    let value = try #require(duration.encoded)
    #expect(Duration(value) == duration, "\(value) \(seedNote(seed))")
  }
}
