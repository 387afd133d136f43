import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct FieldDoubtsTests {
  private func folder() throws -> TemporaryFolder {
    try TemporaryFolder(
      Dictionary(
        uniqueKeysWithValues: ["a", "b", "c", "d"].map {
          ("\($0).yaml", "title: \($0)\ndue: 2026-11-01\nrating: 3\ntags: [x, y]\nstatus: open\n")
        }))
  }

  private static let mistakes = ["due=tomorrow", "rating=great", "tags=todo", "stauts=done"]

  @Test func `set warns about values and fields that the other items do not have, once each`() async throws {
    let folder = try folder()
    let end = try await BuiltProgram.start(["set", folder.path, "a", "b"] + FieldDoubtsTests.mistakes).end()
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.outputText == "changed a.yaml\nchanged b.yaml\n")
    let lines = end.errorText.split(separator: "\n")
    #expect(lines.count == 4, "\(end.errorText)")
    #expect(lines.allSatisfy { $0.hasPrefix("notes-watch: warning: ") }, "\(end.errorText)")
    #expect(end.errorText.contains("`due` is a date in 3 of 3 other items, and `tomorrow` is a string."))
    #expect(end.errorText.contains("no other item has the field `stauts`. Did you mean `status`?"))
    #expect(try await folder.shell("grep due a.yaml") == "due: tomorrow\n")
  }

  @Test(arguments: FieldDoubtsTests.mistakes)
  func `with --strict they are errors, and nothing is written`(word: String) async throws {
    let folder = try folder()
    let before = try await folder.shell("cat *; ls")
    for arguments in [["set", folder.path, "a"], ["add", folder.path, "new"]] {
      let end = try await BuiltProgram.start(arguments + [word, "title=x", "--strict"]).end()
      #expect(end.status == .exited(65), "\(end.errorText)")
      #expect(end.errorText.contains("Nothing was written."), "\(end.errorText)")
      #expect(end.output.isEmpty)
    }
    #expect(try await folder.shell("cat *; ls") == before)
  }

  @Test func `what is like the other items gives no warning`() async throws {
    let folder = try folder()
    for arguments in [
      ["set", folder.path, "a", "due=@today + 3d", "rating=4", "tags+=z", "status=done", "title=2026-01-01"],
      ["add", folder.path, "new", "due=@today", "tags:=[\"z\"]", "--strict"],
    ] {
      let end = try await BuiltProgram.start(arguments).end()
      #expect(end.status == .exited(0), "\(end.errorText)")
      #expect(end.error.isEmpty, "\(end.errorText)")
    }
    let today = try await folder.shell("date +%F").trimmingSuffix("\n")
    #expect(try await folder.shell("cat new.yaml") == "due: \(today)\ntags: [z]\n")
  }

  @Test func `the values of lines from standard input are compared, too`() async throws {
    let folder = try folder()
    let line = #"{"id":"a","value":{"rating":"great"}}"#
    let end = try await folder.shell("echo '\(line)' | \(BuiltProgram.path) set . - --strict 2>&1 || echo $?")
    #expect(end.contains("`rating` is a number in 3 of 3 other items"), "\(end)")
    #expect(end.hasSuffix("65\n"), "\(end)")
    #expect(try await folder.shell("grep rating a.yaml") == "rating: 3\n")
  }

  @Test func `a typed page ends as the other pages do, and JSON stays exact`() async throws {
    let folder = try TemporaryFolder([
      "a.md": "---\ndue: 2026-11-01\n---\nText.\n", "b.md": "---\ndue: 2026-11-02\n---\nText.\n",
    ])
    #expect(
      try await BuiltProgram.run("add", folder.path, "c", "due=2026-12-01", "body=Typed.").status
        == .exited(0))
    #expect(try await folder.shell("cat c.md") == "---\ndue: 2026-12-01\n---\nTyped.\n")
    #expect(try await BuiltProgram.run("add", folder.path, "d", "body:=\"Exact.\"").status == .exited(0))
    #expect(try await folder.shell("cat d.md").hasSuffix("Exact."))
  }

  @Test func `a typed page has a blank line below its front matter where most pages have one`() async throws {
    let page = "---\ntitle: A\n---\n\nText.\n"
    let folder = try TemporaryFolder([
      "a.md": page, "b.md": page, "c.md": "---\ntitle: C\n---\nText.\n", "d.md": "---\ntitle: D\n---\n",
    ])
    func added(_ words: String) async throws -> String {
      try await folder.shell("\(BuiltProgram.path) add . new \(words) >/dev/null && cat new.md; rm new.md")
    }
    #expect(try await added("title=New body=Hello") == "---\ntitle: New\n---\n\nHello\n")
    #expect(try await added("title=New body=\"$(printf '\\nHello')\"") == "---\ntitle: New\n---\n\nHello\n")
    #expect(try await added("title=New 'body:=\"Hello\"'") == "---\ntitle: New\n---\nHello")
    // Without front matter there is nothing to separate.
    #expect(try await added("body=Hello") == "Hello\n")
    try folder.write(page.replacing("\n\n", with: "\n"), to: "a.md")
    #expect(try await added("title=New body=Hello") == "---\ntitle: New\n---\nHello\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
