import TestSupport
import Testing

@Suite(.enabled(if: Machine.has("git"), "needs git"), .serialized, .timeLimit(.minutes(3)))
struct LogCommandTests {
  private func repository() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder(["a.yaml": "name: Ada\nrating: 8\n"])
    try await folder.shell(
      """
      git init -q .; git add -A; GIT_AUTHOR_DATE='1700000000 +0100' git commit -qm 'Add Ada'
      printf 'name: Ada\\nrating: 9\\n' > a.yaml; GIT_AUTHOR_DATE='1700000060 +0100' git commit -qam "$(printf 'Raise\\033[31m')"
      git rm -q a.yaml; GIT_AUTHOR_DATE='1700000120 +0100' git commit -qm 'Remove'
      """)
    return folder
  }

  @Test func `log prints text`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run("log", folder.path, "a")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.error.isEmpty, "\(end.errorText)")
    let lines = end.outputText.split(separator: "\n").map { $0.hasPrefix(" ") ? $0 : $0.dropFirst(10) }
    #expect(
      lines == [
        "  2023-11-14T23:15:20+01:00  n  Remove", "  - (removed)",
        "  2023-11-14T23:14:20+01:00  n  Raise\\x1b[31m", "  ~ rating: 8 → 9",
        "  2023-11-14T23:13:20+01:00  n  Add Ada", "  + name: Ada", "  + rating: 8",
      ], "\(lines)")
  }

  @Test func `log prints JSON lines`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run("log", folder.path, "a", "-o", "jsonl")
    let lines = try (0..<end.lineCount).map { try JSON(end.line($0)) }
    #expect(lines.map(\.op) == ["delete", "update", "insert"])
    for line in lines { #expect([line.type, line.id, line.path] == ["commit", "a", "a.yaml"]) }
    #expect(lines[1].fields == ["/rating"])
    #expect(lines[1].before == ["rating": 8])
    #expect(lines[1].value.rating == 9)
    #expect(lines[1].author == "n")
    #expect(lines[1].subject == "Raise\u{1B}[31m")
    #expect(lines[1].time == "2023-11-14T23:14:20+01:00")
    #expect(lines[2].value == ["name": "Ada", "rating": 8])
    #expect(
      try await BuiltProgram.run("log", folder.path, "a", "-o", "jsonl", "-n", "2", "--fields", "rating")
        .lineCount == 2)
  }

  @Test func `log reports what is wrong`() async throws {
    let folder = try await repository()
    for (arguments, code, words) in [
      ([folder.path, "nobody"], 66, "`nobody`"), (["/", "a"], 66, "not in a git repository"),
      ([folder.path, "a", "-n", "-1"], 64, "-n must not be negative."),
      ([folder.path, "a", "--fields", "a..b"], 64, "--fields"),
    ] {
      let end = try await BuiltProgram.start(["log"] + arguments).end()
      #expect(end.status == .exited(CInt(code)), "\(arguments) \(end.errorText)")
      #expect(end.output.isEmpty, "\(arguments) \(end.errorText)")
      #expect(end.errorText.contains(words), "\(arguments) \(end.errorText)")
    }
  }

  @Test func `log names fields that no commit has`() async throws {
    let folder = try await repository()
    let some = try await BuiltProgram.run("log", folder.path, "a", "--fields", "name,raiting", "-o", "jsonl")
    #expect(some.status == .exited(0))
    #expect(try (0..<some.lineCount).map { try JSON(some.line($0)).op.string } == ["delete", "insert"])
    #expect(
      some.errorText
        == "notes-watch: hint: no commit has the field `raiting` of `a`. Did you mean `rating`?\n")
    let none = try await BuiltProgram.run("log", folder.path, "a", "--fields", "typo")
    #expect(none.status == .exited(0))
    #expect(none.output.isEmpty)
    #expect(none.errorText == "notes-watch: hint: no commit has the field `typo` of `a`.\n")
    let first = try await BuiltProgram.run("log", folder.path, "a", "--fields", "name,typo", "-n", "1")
    #expect(first.error.isEmpty, "git was not read to the end, so older commits may have the field")
  }

  @Test func `log accepts the path of a deleted file`() async throws {
    let folder = try await repository()
    try await folder.shell(
      """
      mkdir -p sub/deep; echo 'n: 1' > sub/deep/b.yaml; echo '{}' > sub/c.yaml.json; echo 'n: 2' > sub/c.yaml; git add -A; git commit -qm more
      git rm -qr sub; git commit -qm 'all gone'
      """)
    for (words, id) in [
      ([folder.path, "a.yaml"], "a"), ([folder.path, "./a.yaml"], "a"),
      ([folder.path, "\(folder.path)/a.yaml"], "a"),
      ([folder.path, "sub/deep/b.yaml"], "sub/deep/b"), (["\(folder.path)/sub", "deep/b.yaml"], "deep/b"),
      (["\(folder.path)/sub", "\(folder.path)/sub/deep/b.yaml"], "deep/b"),
      ([folder.path, "sub/c.yaml"], "sub/c.yaml"),
    ] {
      let end = try await BuiltProgram.start(["log"] + words + ["-o", "jsonl"]).end()
      #expect(end.status == .exited(0), "\(words) \(end.errorText)")
      #expect(end.lineCount > 1, "\(words)")
      #expect(try JSON(end.line(0)).id.string == id, "\(words)")
    }
    for word in ["b.yaml", "../a.yaml", "a.txt", "a.yaml/x.yaml"] {
      let end = try await BuiltProgram.run("log", folder.path, word)
      #expect(end.status == .exited(66), "\(word)")
    }
  }

  @Test func `log finds the id of a deleted file in its fields`() async throws {
    let folder = try Repository([".notes-watch.yaml": "id-field: uuid\n", "a.yaml": "uuid: 7\nn: 1\n"]).folder
    try await folder.shell("echo 'n: [' > a.yaml; git commit -qam 2; git rm -q a.yaml; git commit -qm 3")
    let end = try await BuiltProgram.run("log", folder.path, "a.yaml", "-o", "jsonl")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(try JSON(end.line(0)).id == "7")
  }

  @Test func `log reports a version that cannot be read`() async throws {
    let folder = try Repository(["a.yaml": "n: [\n"]).folder
    try await folder.shell("echo 'n: 1' > a.yaml; git commit -qam good")
    let end = try await BuiltProgram.run("log", folder.path, "a", "-o", "jsonl")
    let lines = try (0..<end.lineCount).map { try JSON(end.line($0)) }
    #expect(lines.map(\.op) == ["insert", "problem"])
    #expect(lines[1].problem.string?.hasPrefix("a.yaml:1:4: ") == true)
  }
}
