import Query
@testable import Store
import TestSupport
import Testing
import Values
import Streams

@testable import Folder

struct IgnoreListTests {
  private static func ignores(_ list: IgnoreList, _ path: String, isFolder: Bool) -> Bool {
    var path = path
    return path.withUTF8 { list.ignores(UnsafeRawBufferPointer($0), isFolder: isFolder) }
  }

  private static func matches(_ glob: Glob, _ path: String) -> Bool {
    var path = path
    return path.withUTF8 { glob.matches(UnsafeRawBufferPointer($0)) }
  }

  private static func randomPattern(_ random: inout SeededGenerator) -> String {
    let names = [
      "a", "b", "ab", "a.md", "b.md", "é", "*.md", "*a.md", "*", "?", "a*", "[ab]", "**", "\\*", "a/b",
      "**/a", "a/**", "/a", "",
    ]
    let body = (0..<1 + random.below(3)).map { _ in random.one(of: names) }.joined(
      separator: random.oneIn(2) ? "/" : "")
    return (random.oneIn(4) ? "!" : "") + body + (random.oneIn(4) ? "/" : "")
  }

  private static func randomPath(_ random: inout SeededGenerator) -> String {
    (0..<1 + random.below(4)).map { _ in random.one(of: ["a", "b", "ab", "a.md", "ba.md", "é", "c", "*"]) }
      .joined(separator: "/")
  }

  @Test(arguments: Randomness.seeds(4))
  func `the last pattern that matches decides`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let patterns = (0..<random.below(8)).map { _ in IgnoreListTests.randomPattern(&random) }
      let list = IgnoreList(patterns)
      let globs = patterns.map(Glob.init)
      for _ in 0..<20 {
        let path = IgnoreListTests.randomPath(&random)
        let isFolder = random.oneIn(2)
        let last = globs.last { (isFolder || !$0.foldersOnly) && IgnoreListTests.matches($0, path) }
        #expect(
          IgnoreListTests.ignores(list, path, isFolder: isFolder) == (last.map { !$0.isNegated } ?? false),
          "\(patterns), \(path); \(seedNote(seed))")
      }
    }
  }

  @Test func `names, paths and extensions are not counted as wildcards`() {
    let literal = IgnoreList(["README.md", "drafts/", "/build", "a/b", "*.bak", "!*.md", "**/cache", "\\*"])
    #expect(literal.wildcardCount == 0)
    #expect(IgnoreList(["a*", "*a*", "?", "[ab]", "a/**", "*/a", "a*.md"]).wildcardCount == 7)
  }

  @Test func `settings can have any number of names, but a limited number of patterns with wildcards`() throws
  {
    func settings(_ patterns: [String]) throws -> Settings {
      try Settings(.map(["ignore": .list(patterns.map { .string($0) })]))
    }
    let names = (0..<10_000).map { "name-\($0)" }
    #expect(try settings(names).ignore.count == 10_000)
    #expect(IgnoreListTests.ignores(IgnoreList(names), "a/name-9999", isFolder: false))
    let wildcards = (0...IgnoreList.maxWildcards).map { "*\($0)*" }
    #expect(try settings(wildcards.dropLast()).ignore.count == IgnoreList.maxWildcards)
    let error = try #require(throws: SettingsError.self) { try settings(wildcards) }
    #expect(error.keys == ["ignore"])
    #expect(error.message.contains("1001 patterns have wildcards"))
  }

  @Test func `brackets that are never closed take linear time`() {
    let brackets = Glob(String(repeating: "[", count: 200_000))
    #expect(!IgnoreListTests.matches(brackets, "a"))
    #expect(IgnoreListTests.matches(Glob("[["), "[["))
  }
}

struct SettingsLimitTests {
  private static func list(_ count: Int) -> Value { .list((0..<count).map { .string("f\($0)") }) }

  @Test(arguments: [("sort", 100), ("section-order", 10_000), ("fields", 1_000), ("search-fields", 1_000)])
  func `the entries of a view are limited`(key: String, most: Int) throws {
    var fields: Fields = [:]
    fields[key] = SettingsLimitTests.list(most)
    #expect(throws: Never.self) { try ViewDefinition(fields) }
    fields[key] = SettingsLimitTests.list(most + 1)
    let error = try #require(throws: SettingsError.self) { try ViewDefinition(fields) }
    #expect(error.message.contains("at most \(most) are allowed"))
  }

  @Test func `an id has at most 100 fields`() {
    #expect(throws: Never.self) { try Settings(.map(["id-field": SettingsLimitTests.list(100)])) }
    #expect(throws: SettingsError.self) { try Settings(.map(["id-field": SettingsLimitTests.list(101)])) }
  }

  @Test func `a predicate of a view has at most 16 KB`() {
    let long = "a IN {" + String(repeating: "1,", count: 8_200) + "1}"
    #expect(throws: SettingsError.self) { try ViewDefinition(["where": .string(long)]) }
  }
}
