import TestSupport
import Testing

/// Pages whose front matter is not YAML, and pages that are empty.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FrontMatterCommandTests {
  private static let toml = "+++\ntitle = \"x\"\n+++\nHello\n"
  private static let json = "{\n  \"title\": \"x\"\n}\n\nHello\n"

  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "posts/a.md": toml, "posts/b.md": toml, "posts/c.md": json, "d.md": json,
      "e.md": "---\ntitle: y\n---\nz\n",
      "f.md": "{% include x %}\n",
    ])
  }

  @Test func `list names each folder once and lists the pages by their text`() async throws {
    let folder = try FrontMatterCommandTests.folder()
    let end = try await BuiltProgram.run("list", folder.path, "-o", "id")
    withExtendedLifetime(folder) {}
    #expect(end.status == .exited(0))
    #expect(end.outputText == "d\ne\nf\nposts/a\nposts/b\nposts/c\n")
    let warnings = end.errorText.split(separator: "\n")
    #expect(warnings.count == 2, "\(end.errorText)")
    #expect(warnings.first?.contains("d.md: This page has JSON front matter") == true)
    #expect(
      warnings.last?.contains(
        "posts/a.md: This page and 2 more in its folder have JSON front matter or TOML front matter") == true)
  }

  @Test(arguments: [
    ("\n{\"title\": 1}\n", "has JSON front matter"), ("---toml\ntitle = 1\n---\n", "has TOML front matter"),
    (";;;\n\"title\": 1\n;;;\n", "has JSON front matter"),
    ("---yaml\ntitle: 1\n---\n", "has front matter that begins with `---yaml`"),
    (" \n---\ntitle: 1\n---\n", "has YAML front matter below blank lines or after spaces"),
  ])
  func `other ways to begin front matter are refused as well`(text: String, reason: String) async throws {
    let folder = try TemporaryFolder(["a.md": text])
    let list = try await BuiltProgram.run("list", ".", "-o", "id", in: folder.path)
    #expect(list.outputText == "a\n")
    #expect(list.errorText.contains(reason), "\(list.errorText)")
    let set = try await BuiltProgram.run("set", ".", "a", "rating=9", in: folder.path)
    #expect(set.status == .exited(65))
    #expect(set.errorText.contains(reason), "\(set.errorText)")
    #expect(try await folder.shell("cat a.md") == text)
  }

  @Test func `check lists the folders and still ends with 0`() async throws {
    let folder = try FrontMatterCommandTests.folder()
    let end = try await BuiltProgram.run("check", ".", in: folder.path)
    withExtendedLifetime(folder) {}
    #expect(end.status == .exited(0))
    #expect(end.outputText.split(separator: "\n").count == 2)
    #expect(end.outputText.contains("posts/a.md:1:1: warning: "))
  }

  @Test(arguments: [
    ["set", ".", "posts/a", "title=y"], ["set", ".", "d", "body=y"], ["unset", ".", "d", "body"],
    ["edit", ".", "posts/a"],
    ["set", ".", "posts/c", "x=1", "-n"],
  ])
  func `a write to such a page ends with 65 and changes nothing`(words: [String]) async throws {
    let folder = try FrontMatterCommandTests.folder()
    let end = try await BuiltProgram.start(words, environment: ["EDITOR": "sed -i s/x/y/"], in: folder.path)
      .end()
    #expect(end.status == .exited(65), "\(end.errorText)")
    #expect(
      end.errorText.contains(
        "front matter. Only YAML between `---` lines at the top of a file is read and edited"))
    #expect(
      try await folder.shell("cat posts/a.md posts/c.md d.md") == FrontMatterCommandTests.toml
        + FrontMatterCommandTests.json
        + FrontMatterCommandTests.json)
  }

  @Test func `a page does not change when its listed value is written back`() async throws {
    let folder = try FrontMatterCommandTests.folder()
    try folder.write("", to: "empty.md")
    let program = BuiltProgram.path
    let output = try await folder.shell(
      "sum=$(cat *.md posts/*.md | cksum); '\(program)' list . -o jsonl 2>/dev/null | '\(program)' set . -; test \"$sum\" = \"$(cat *.md posts/*.md | cksum)\""
    )
    #expect(output.split(separator: "\n").count == 7)
    #expect(output.split(separator: "\n").allSatisfy { $0.hasPrefix("unchanged ") }, "\(output)")
  }

  @Test(arguments: ["", "\u{FEFF}"])
  func `an empty page is an item with an empty body`(text: String) async throws {
    let folder = try TemporaryFolder(["a.md": text])
    #expect(try await BuiltProgram.json("list", folder.path, "-o", "json")[0].value == ["body": ""])
    #expect(try await BuiltProgram.run("check", folder.path).status == .exited(0))
    #expect(try await BuiltProgram.run("set", folder.path, "a", "rating=9").status == .exited(0))
    #expect(try await folder.shell("cat a.md") == text + "---\nrating: 9\n---\n")
  }

  /// Some programs empty a file before they write it. The stream must not show the empty file.
  @Test func `a page that is emptied and written after a moment is one update`() async throws {
    let folder = try TemporaryFolder(["a.md": "---\nrating: 5\n---\ntext\n"])
    let stream = try WatchRun(folder)
    try await stream.begin()
    let update = try await stream.update(
      after: ": > a.md; sleep 0.1; printf -- '---\\nrating: 9\\n---\\ntext\\n' > a.md")
    #expect(update.changes.list.count == 1)
    #expect(update.changes[0].fields == ["/rating"])
  }

  @Test func `a page that stays empty gets an empty body, and such a YAML file is a problem`() async throws {
    let folder = try TemporaryFolder(["a.md": "text\n", "b.yaml": "rating: 5\n"])
    let stream = try WatchRun(folder)
    try await stream.begin()
    let update = try await stream.update(after: ": > a.md")
    #expect(update.changes[0].value == ["body": ""])
    try await folder.shell(": > b.yaml")
    let problem = try await stream.next()
    #expect(problem.type == "problem")
    #expect(problem.path == "b.yaml")
  }
}
