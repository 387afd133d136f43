import TestSupport
import Testing

@Suite(.enabled(if: Machine.has("git"), "needs git"), .serialized, .timeLimit(.minutes(3)))
struct GitInstallCommandTests {
  private func repository() throws -> TemporaryFolder {
    try Repository([
      "contacts/a.yaml": "name: Ada\nrating: 5\n", "notes/n.md": "Text\n", "other/x.json": "{\"a\":1}\n",
    ]).folder
  }

  @Test func `a second install changes nothing, and uninstall restores the first state`() async throws {
    let folder = try repository()
    let state =
      "cat .git/config; ls .git/info; cat .git/info/attributes 2>/dev/null || true; git status --porcelain"
    let before = try await folder.shell(state)
    for name in ["contacts", "notes", "contacts"] {
      let end = try await BuiltProgram.run("git", "install", "\(folder.path)/\(name)")
      #expect(end.status == .exited(0), "\(end.errorText)")
      #expect(end.error.isEmpty, "\(end.errorText)")
      #expect(end.outputText.contains("items below \(name)"), "\(end.errorText)")
    }
    let installed = try await folder.shell(state)
    #expect(try await BuiltProgram.run("git", "install", "notes", in: folder.path).status == .exited(0))
    #expect(
      try await folder.shell("git check-attr merge notes/x.yml contacts/d/x.md other/x.json").split(
        separator: "\n"
      ).map {
        $0.split(separator: " ").last
      } == ["notes-watch", "notes-watch", "unspecified"])
    #expect(try await folder.shell(state).utf8.count == installed.utf8.count)
    #expect(try await BuiltProgram.run("git", "uninstall", "contacts", in: folder.path).status == .exited(0))
    #expect(try await folder.shell("git config merge.notes-watch.driver").contains(BuiltProgram.path))
    for _ in 0..<2 {
      #expect(try await BuiltProgram.run("git", "uninstall", "notes", in: folder.path).status == .exited(0))
    }
    #expect(try await folder.shell(state) == before)
  }

  @Test func `install leaves settings of others alone`() async throws {
    let folder = try repository()
    try await folder.shell(
      "git config merge.notes-watch.recursive binary; '\(BuiltProgram.path)' git install contacts; '\(BuiltProgram.path)' git uninstall contacts"
    )
    #expect(
      try await folder.shell("git config --get-regexp 'notes-watch'")
        == "merge.notes-watch.recursive binary\n")
    try await folder.shell("git config merge.notes-watch.driver 'mine %A'")
    let end = try await BuiltProgram.run("git", "install", "contacts", in: folder.path)
    #expect(end.status != .exited(0), "\(end.errorText)")
    #expect(
      end.errorText.contains("Another program set `merge.notes-watch.driver` to: mine %A"), "\(end.errorText)"
    )
    try await folder.shell("'\(BuiltProgram.path)' git uninstall contacts")
    #expect(try await folder.shell("git config merge.notes-watch.driver") == "mine %A\n")
  }

  @Test func `status reports what keeps the drivers from running`() async throws {
    let folder = try repository()
    func status(_ words: String..., code: CInt) async throws {
      let end = try await BuiltProgram.run("git", "status", "contacts", in: folder.path)
      #expect(end.status == .exited(code), "\(end.outputText)")
      for word in words { #expect(end.outputText.contains(word), "\(word) in \(end.outputText)") }
    }
    try await status("No merge driver", "No attributes", "Each new clone", "website", code: 1)
    try await folder.shell("'\(BuiltProgram.path)' git install contacts --diff")
    try await status("1 items below contacts", "website", code: 0)
    try await folder.shell("echo '*.yaml -diff' >> .git/info/attributes")
    try await status("1 of 1 items (for example a.yaml) are overridden", code: 1)
    try await folder.shell(
      "sed -i '$d' .git/info/attributes; ln -s '\(BuiltProgram.path)' nw; ./nw git install contacts")
    try await status("merge driver  \(folder.path)/nw", code: 0)
    try await folder.shell("rm nw")
    try await status("missing or not executable", "\(folder.path)/nw", code: 1)
    try await folder.shell("git config merge.notes-watch.driver 'other %O %A %B'")
    try await status("or another program", code: 1)
    let clone = try await folder.shell(
      "git clone -q . clone; '\(BuiltProgram.path)' git status clone/contacts || true")
    #expect(clone.contains("No merge driver"))
    // All work trees of a clone share the drivers.
    #expect(
      try await folder.shell(
        "git config --unset merge.notes-watch.driver; '\(BuiltProgram.path)' git install notes >/dev/null; git worktree add -q tree; '\(BuiltProgram.path)' git status tree/contacts || true"
      ).contains("items below contacts"))
  }

  @Test func `git diff shows fields`() async throws {
    let folder = try repository()
    try await folder.shell(
      "'\(BuiltProgram.path)' git install . --diff >/dev/null; printf 'rating: 6\\naddress: {city: Rome}\\n' > contacts/a.yaml; printf 'a: [\\n' > other/x.json"
    )
    let diff = try await folder.shell("git diff -U0 | grep '^[-+] *[^-+]'")
    #expect(diff == "-name: Ada\n-rating: 5\n+rating: 6\n+address.city: Rome\n-a: 1\n+a: [\n", "\(diff)")
  }

  @Test func `install sets up the diff driver only on request, and says what it costs`() async throws {
    let folder = try repository()
    try await folder.shell("printf 'name: Ada\nrating: 6\n' > contacts/a.yaml; git commit -qam 6")
    func install(_ words: String...) async throws -> String {
      try await folder.shell(
        "'\(BuiltProgram.path)' git install contacts \(words.joined(separator: " ")) | grep '^diff driver'")
    }
    let settings = "git config --get-regexp '^diff' || true; grep -c diff= .git/info/attributes || true"
    #expect(try await install().hasPrefix("diff driver   none; with --diff, "))
    #expect(try await folder.shell(settings) == "0\n")
    #expect(
      try await folder.shell("git diff -U0 HEAD~1 HEAD | grep '^[-+][^-+]'") == "-rating: 5\n+rating: 6\n")
    let status = "'\(BuiltProgram.path)' git status contacts; echo $?"
    #expect(try await folder.shell(status).contains("diff driver   none; "))
    #expect(try await folder.shell(status).hasSuffix("\n0\n"))
    // Two versions of one file are below this folder; other folders have other files.
    let shown = try await install("--diff")
    #expect(shown.contains("(2 in the history, less than 1 s for all)"), "\(shown)")
    let installed = try await folder.shell(settings)
    #expect(installed.contains("diff.notes-watch.textconv"))
    #expect(try await folder.shell(status).contains("diff driver   \(BuiltProgram.path)\n"))
    #expect(try await install() == shown)
    #expect(try await folder.shell(settings) == installed)
    // Another folder of this clone makes its own choice.
    try await folder.shell("'\(BuiltProgram.path)' git install notes")
    #expect(try await folder.shell("git check-attr diff notes/n.md") == "notes/n.md: diff: unspecified\n")
    #expect(try await install("--no-diff").hasPrefix("diff driver   none; "))
    #expect(try await folder.shell(settings) == "0\n")
    #expect(
      try await folder.shell("git check-attr merge contacts/a.yaml")
        == "contacts/a.yaml: merge: notes-watch\n")
  }

  @Test(arguments: ["a.yaml", "a.json", "a.md"]) func `a file with conflict markers is shown as it is`(
    name: String
  ) async throws {
    let texts = ["a.yaml": "n: |\n  N\n", "a.json": "{\"n\":\"N\"}\n", "a.md": "---\nt: 1\n---\nN\n"]
    let text = try #require(texts[name])
    let folder = try Repository([name: text]).folder
    try await folder.shell(
      """
      '\(BuiltProgram.path)' git install . --diff; git checkout -q -b topic; sed -i 's/N/first/' \(name); git commit -qam 1
      git checkout -q main; sed -i 's/N/second/' \(name); git commit -qam 2; git merge -q topic || true
      """)
    let marked = try await folder.shell("cat \(name)")
    #expect(marked.contains("\n=======\n"), "\(marked)")
    #expect(try await folder.shell("'\(BuiltProgram.path)' git textconv -- \(name)") == marked)
    #expect(
      try await folder.shell("git diff HEAD -- \(name) | grep '^+[<=>]'").split(separator: "\n").count == 3)
  }

  /// git then merges and compares as it does without drivers.
  @Test func `git works if the program is missing`() async throws {
    let folder = try repository()
    try await folder.shell(
      """
      ln -s '\(BuiltProgram.path)' nw; ./nw git install contacts; rm nw; git checkout -q -b topic; echo 'rating: 6' > contacts/a.yaml; git commit -qam 6
      git checkout -q main; echo 'rating: 7' > contacts/a.yaml; git commit -qam 7; git merge -q topic || true
      """)
    #expect(
      try await folder.shell("sed -E 's/^(<<<<<<<|>>>>>>>).*/\\1/' contacts/a.yaml")
        == "<<<<<<<\nrating: 7\n=======\nrating: 6\n>>>>>>>\n")
    #expect(try await folder.shell("git diff topic main | tail -2") == "-rating: 6\n+rating: 7\n")
  }

  @Test func `install changes no global setting`() async throws {
    let folder = try repository()
    let home = try TemporaryFolder()
    let end = try await BuiltProgram.run(
      "git", "install", "contacts", environment: ["HOME": home.path], in: folder.path)
    #expect(end.status == .exited(0))
    #expect(try await home.shell("ls -A") == "")
    #expect(try await BuiltProgram.run("git", "install", home.path).status == .exited(66))
  }
}
