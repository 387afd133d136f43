import Files
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder

/// What the filter says about a name is what it says about each path with the name.
struct PathRulesNameTests {
  @Test(arguments: Randomness.seeds(300))
  func `the filter says about names what it says about paths`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rules = PathRules(
      ignore: random.oneIn(2)
        ? [] : [random.one(of: ["*.md", "a", "d/*.yaml", "/x.json", "d/"]), "!keep.md"])
    let filter = rules.watchFilter
    let byName = try #require(filter.byName)
    for _ in 0..<20 {
      let start = random.one(of: ["a", ".a", "", ".", "keep", "50%", "\u{1}", "é", "x.y", ".notes-watch"])
      let name = Array(
        (start
          + random.one(of: [".md", ".yaml", ".JSON", ".markdown", ".Md", ".txt", "", ".", "yaml", ".ya%6Dl"]))
          .utf8)
      if name.isEmpty || name == Array(".".utf8) || name == Array("..".utf8) { continue }
      let path = random.one(of: [RelativePath.root, "d", "d/e"]).appending(name: name)
      let verdict = name.withUnsafeBytes { byName($0) }
      if let includesFile = verdict.includesFile {
        #expect(includesFile == filter.includesFile(path), "\(path) \(seedNote(seed))")
      }
      if let enters = verdict.includesDirectory {
        #expect(enters == filter.includesDirectory(path), "\(path) \(seedNote(seed))")
      }
      #expect(
        name.withUnsafeBytes { TextFormat(fileName: $0) } == PathRules().format(of: path),
        "\(path) \(seedNote(seed))")
    }
  }
}
