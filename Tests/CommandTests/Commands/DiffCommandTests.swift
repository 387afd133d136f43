import TestSupport
import Testing

@Suite(.enabled(if: Machine.has("git"), "needs git"), .serialized, .timeLimit(.minutes(3)))
struct DiffCommandTests {
  private func repository() async throws -> TemporaryFolder {
    let folder = try Repository([
      "a.yaml": "name: Ada\nrating: 8\n", "b.yaml": "name: Bob\nrating: 5\n",
      "z.yaml": "name: Zoe\nrating: 1\n",
      ".notes-watch.yaml": "views: {best: {sort: -rating, limit: 2}}\n",
    ]).folder
    try await folder.shell(
      """
      printf 'name: Ada\\nrating: 3\\n' > a.yaml; git rm -q z.yaml; echo 'name: Cleo' > c.yaml; git add -A
      GIT_COMMITTER_DATE='1700000060 +0000' git commit -qm two
      """)
    return folder
  }

  @Test func `diff prints text`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run("diff", folder.path, "HEAD~1", "HEAD")
    #expect(end.status == .exited(0), "\(end.errorText)")
    #expect(end.error.isEmpty, "\(end.errorText)")
    #expect(
      end.outputText == """
        HEAD~1 → HEAD  1 inserted, 1 deleted, 1 updated · 3 items
          - 2  z  (removed)
          + 2  c  name: Cleo
          ~ 0  a  rating: 8 → 3

        """)
    let none = try await BuiltProgram.run("diff", folder.path, "--exit-code")
    #expect(none.status == .exited(0))
    #expect(none.output.isEmpty)
    #expect(none.error.isEmpty)
    #expect(
      try await BuiltProgram.run("diff", folder.path, "HEAD~1..HEAD", "--exit-code").status == .exited(1))
  }

  @Test func `diff refuses a predicate without its quotes unless one side has the field`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run("diff", folder.path, "HEAD~1", "HEAD", "--where", "name = Ada")
    #expect(end.status == .exited(65))
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("did you mean `name = \"Ada\"`?"), "\(end.errorText)")
    #expect(
      try await BuiltProgram.run("diff", folder.path, "HEAD~1", "HEAD", "--where", "name = rating").status
        == .exited(0))
  }

  /// git warns and takes the oldest commit that the reflog has, or fails.
  @Test(arguments: [
    ["HEAD@{1 month ago}"], ["main@{2020-01-01}..HEAD"], ["HEAD", "HEAD@{1 year ago}~1"], ["HEAD@{100}"],
    ["@{1 month ago}...main"],
  ])
  func `a revision that the reflog does not reach is an error`(revisions: [String]) async throws {
    let folder = try await repository()
    try await folder.shell("git clone -q . clone")
    let end = try await BuiltProgram.start(["diff", "\(folder.path)/clone"] + revisions).end()
    #expect(end.status == .exited(66))
    #expect(end.output.isEmpty, "\(end.outputText)")
    #expect(end.errorText.contains("reflog of this clone does not say"), "\(end.errorText)")
    #expect(end.errorText.contains("(git: log for "), "\(end.errorText)")
    #expect(end.errorText.count { $0 == "\n" } == 1)
  }

  @Test func `git's warnings reach standard error, each once`() async throws {
    let folder = try await repository()
    try await folder.shell("git tag main HEAD~1")
    let end = try await BuiltProgram.run("diff", folder.path, "main", "main~0")
    #expect(end.status == .exited(0))
    #expect(end.errorText == "notes-watch: warning: git: refname 'main' is ambiguous.\n")
  }

  @Test func `diff prints lines of the stream`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run(
      "diff", folder.path, "HEAD~1", "HEAD", "--view", "best", "-o", "jsonl")
    #expect(end.lineCount == 2)
    let (hello, update) = (try JSON(end.line(0)), try JSON(end.line(1)))
    #expect(hello.type == "hello")
    #expect(hello.view.limit == 2)
    #expect(hello.from.name == "HEAD~1")
    #expect(hello.to.name == "HEAD")
    #expect(hello.from.commit.string?.utf8.count == 40)
    #expect(hello.from.time == "2023-11-14T22:13:20.000Z")
    #expect(update.type == "update")
    #expect(update.origin == "git")
    #expect(update.time == "2023-11-14T22:14:20.000Z")
    #expect(update.count == 2)
    #expect(update.changes.list.map(\.op) == ["move"])
    #expect(update.changes[0].before == ["rating": 8])
    #expect(update.changes[0].from.index == 0)
    #expect(update.changes[0].to.index == 1)
    let none = try await BuiltProgram.run("diff", folder.path, "-o", "jsonl")
    #expect(none.lineCount == 1)
    #expect(none.status == .exited(0))
  }

  @Test func `diff names fields that no item has on either side`() async throws {
    let folder = try await repository()
    let end = try await BuiltProgram.run(
      "diff", folder.path, "HEAD~1", "HEAD", "--fields", "raiting,name", "--sort", "rating")
    #expect(end.status == .exited(0))
    #expect(end.errorText == "notes-watch: hint: no item has the field `raiting`. Did you mean `rating`?\n")
    let usage = try await BuiltProgram.run("diff", folder.path, "a", "b", "c")
    #expect(usage.errorText.contains("Usage: notes-watch diff DIR"), "\(usage.errorText)")
  }

  @Test func `diff reports what is wrong`() async throws {
    let folder = try await repository()
    for (arguments, code, words) in [
      ([folder.path, "nope"], 66, "`nope`"), ([folder.path, "a", "b", "c"], 64, "At most two"),
      (["/"], 66, "git"),
      (["\(folder.path)/gone"], 66, "gone"),
      ([folder.path, "HEAD", "--view", "none"], 78, "The views are best"),
      ([folder.path, "HEAD", "--where", "x ="], 64, "--where"),
    ] {
      let end = try await BuiltProgram.start(["diff"] + arguments).end()
      #expect(end.status == .exited(CInt(code)), "\(arguments) \(end.errorText)")
      #expect(end.output.isEmpty, "\(arguments) \(end.errorText)")
      #expect(end.errorText.contains(words), "\(arguments) \(end.errorText)")
    }
    let end = try await BuiltProgram.run("diff", folder.path, environment: ["PATH": "/nowhere"])
    #expect(end.status == .exited(69))
    #expect(end.errorText.contains("apt install git"))
  }

  /// `git commit -a` commits a temporary index, and passes its path to the hooks.
  @Test func `diff works in a git hook`() async throws {
    let folder = try await repository()
    try await folder.shell(
      """
      printf '#!/bin/sh\\n"%s" diff . --staged > found\\n' '\(BuiltProgram.path)' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
      echo 'name: Ava' > a.yaml; git commit -qam three
      """)
    #expect(try await folder.shell("cat found").hasPrefix("HEAD → index  1 updated"))
  }
}
