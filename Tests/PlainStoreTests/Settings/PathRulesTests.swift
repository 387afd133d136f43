import DirectoryWatch
import PlainText
import Testing

@testable import PlainStore

struct PathRulesTests {
  @Test(
    arguments: [
      ("a.yaml", TextFormat.yaml), ("a.yml", .yaml), ("a.json", .json), ("a.md", .markdown), ("a.markdown", .markdown),
      ("d/e/a.b.md", .markdown),
      ("a.YAML", .yaml), ("caf\u{e9}.md", .markdown), ("a b%.md", .markdown), ("line\nbreak.md", .markdown),
    ] as [(RelativePath, TextFormat)])
  func `files with an item's extension are items`(path: RelativePath, format: TextFormat) {
    #expect(PathRules().format(of: path) == format)
  }

  @Test(
    arguments: [
      "a", "a.txt", "a.yaml~", "#a.yaml#", ".a.yaml", ".a.yaml.swp", ".#a.yaml", "4913", "a.yaml.tmp", "a.tmp", "yaml", ".md", "d/.md",
      "a.", ".notes-watch.yaml",
      "a.md.orig", "a.swp",
    ] as [RelativePath])
  func `what has none, is hidden or is an editor's is left out`(path: RelativePath) {
    #expect(PathRules().format(of: path) == nil)
    #expect(!PathRules().reaches(path))
  }

  @Test func `hidden folders are not entered, nor folders with an item's name`() {
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

  @Test func `ignored folders hide all below them`() {
    let rules = PathRules(ignore: ["drafts/", "/top.md", "archive"])
    #expect(!rules.reaches("drafts/a.md"))
    #expect(!rules.reaches("x/drafts/y/a.md"))
    #expect(!rules.reaches("archive/a.md"))
    #expect(!rules.reaches("top.md"))
    #expect(rules.reaches("x/top.md"))
    #expect(!rules.includesFolder("drafts"))
    #expect(!rules.includesFolder("x/drafts"))
    // A pattern for folders says nothing of a file.
    #expect(PathRules(ignore: ["drafts.md/"]).format(of: "drafts.md") == .markdown)
  }

  @Test func `the last pattern that fits decides`() {
    let rules = PathRules(ignore: ["*.md", "!keep.md", "/sub/keep.md"])
    #expect(rules.format(of: "a.md") == nil)
    #expect(rules.format(of: "keep.md") == .markdown)
    #expect(rules.format(of: "sub/keep.md") == nil)
    // What is below an ignored folder cannot be taken back.
    #expect(!PathRules(ignore: ["sub/", "!sub/keep.md"]).reaches("sub/keep.md"))
  }

  @Test func `the watch is asked for items and for the settings`() {
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
