import Files
import Query
@testable import Store
import Testing
import Values

@testable import Folder

struct PathRulesTests {
  @Test(
    arguments: [
      ("a.yaml", TextFormat.yaml), ("a.yml", .yaml), ("a.json", .json), ("a.md", .markdown),
      ("a.markdown", .markdown),
      ("d/e/a.b.md", .markdown),
      ("a.YAML", .yaml), ("caf\u{e9}.md", .markdown), ("a b%.md", .markdown), ("line\nbreak.md", .markdown),
    ] as [(RelativePath, TextFormat)])
  func `files with the extension of an item are items`(path: RelativePath, format: TextFormat) {
    #expect(PathRules().format(of: path) == format)
  }

  @Test(
    arguments: [
      "a", "a.txt", "a.yaml~", "#a.yaml#", ".a.yaml", ".a.yaml.swp", ".#a.yaml", "4913", "a.yaml.tmp",
      "a.tmp", "yaml", ".md", "d/.md",
      "a.", ".notes-watch.yaml",
      "a.md.orig", "a.swp",
    ] as [RelativePath])
  func `other, hidden and temporary files are not items`(path: RelativePath) {
    #expect(PathRules().format(of: path) == nil)
    #expect(!PathRules().reaches(path))
  }

  @Test func `hidden folders and folders with the extension of an item are excluded`() {
    let rules = PathRules()
    #expect(rules.includesFolder("a"))
    #expect(rules.includesFolder("a/b.c"))
    #expect(!rules.includesFolder(".git"))
    #expect(!rules.includesFolder("a/.b"))
    #expect(!rules.includesFolder("a/b.md"))
    #expect(rules.reaches("a/b/c.md"))
    #expect(!rules.reaches(".a/b/c.md"))
    #expect(!rules.reaches("a/.b/c.md"))
    #expect(!rules.reaches("a/b.md/c.md"))
    #expect(!rules.reaches(.root))
    #expect(rules.reachesFolder(.root))
    #expect(rules.reachesFolder("a/b"))
    #expect(!rules.reachesFolder("a/.b/c"))
    #expect(!rules.reachesFolder("b.md"))
  }

  @Test func `an ignored folder excludes everything below it`() {
    let rules = PathRules(ignore: ["drafts/", "/top.md", "archive"])
    #expect(!rules.reaches("drafts/a.md"))
    #expect(!rules.reaches("x/drafts/y/a.md"))
    #expect(!rules.reaches("archive/a.md"))
    #expect(!rules.reaches("top.md"))
    #expect(rules.reaches("x/top.md"))
    #expect(!rules.includesFolder("drafts"))
    #expect(!rules.includesFolder("x/drafts"))
    // A pattern for folders does not match files.
    #expect(PathRules(ignore: ["drafts.md/"]).format(of: "drafts.md") == .markdown)
  }

  @Test func `the last pattern that matches decides`() {
    let rules = PathRules(ignore: ["*.md", "!keep.md", "/sub/keep.md"])
    #expect(rules.format(of: "a.md") == nil)
    #expect(rules.format(of: "keep.md") == .markdown)
    #expect(rules.format(of: "sub/keep.md") == nil)
    // A file below an ignored folder cannot be included again.
    #expect(!PathRules(ignore: ["sub/", "!sub/keep.md"]).reaches("sub/keep.md"))
  }

  @Test func `the watch filter includes items and the settings file`() {
    let filter = PathRules(ignore: ["b.md"]).watchFilter
    #expect(filter.includesFile("a.md"))
    #expect(filter.includesFile(PathRules.settingsPath))
    #expect(!filter.includesFile("b.md"))
    #expect(!filter.includesFile("a.txt"))
    #expect(!filter.includesFile("sub/.notes-watch.yaml"))
    #expect(filter.includesDirectory("a"))
    #expect(!filter.includesDirectory(".git"))
  }
}
