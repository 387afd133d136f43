import TestSupport
import Testing

@testable import Git

/// The drivers with git itself, and its cache of the diff driver's output.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3)))
struct GitDriversTests {
  /// Makes a repository and a program that records each call.
  private func repository() throws -> Repository {
    let repository = try Repository(["a.yaml": "n: 1\n", "b.json": "{\"n\":1}\n"])
    try repository.folder.write("n: 2\n", to: "a.yaml")
    try repository.folder.write("{\"n\":2}\n", to: "b.json")
    try repository.commit("second")
    try repository.folder.write(
      "#!/bin/sh\necho \"$4\" >> '\(repository.path)/.calls'\nsed 's/^/shown /' \"$4\"\n", to: ".program")
    try repository.folder.shell("chmod +x .program")
    return repository
  }

  private func calls(_ repository: Repository) throws -> Int {
    try repository.folder.shell("touch .calls; cat .calls; rm .calls").split(separator: "\n").count
  }

  private let caches = "git for-each-ref --format='%(refname)' refs/notes"

  @Test func `a second diff of the same commits runs no program`() async throws {
    let repository = try repository()
    try GitDrivers(of: repository.path).install("\(repository.path)/.program", diff: true)
    let first = try repository.folder.shell("git diff HEAD~1 HEAD")
    #expect(first.contains("+shown n: 2"))
    #expect(try calls(repository) == 4)
    #expect(try repository.folder.shell("git diff HEAD~1 HEAD") == first)
    #expect(try calls(repository) == 0)
    // Another program may print other lines.
    try repository.folder.shell("cp .program .other")
    try GitDrivers(of: repository.path).install("\(repository.path)/.other", diff: true)
    _ = try repository.folder.shell("git diff HEAD~1 HEAD")
    #expect(try calls(repository) == 4)
  }

  @Test func `one content in two formats is shown in each`() async throws {
    let repository = try Repository(["x.txt": "-\n"])
    for name in ["a.yaml", "b.md", "c.json"] { try repository.folder.write("n: 1\n", to: name) }
    try repository.commit("second")
    try GitDrivers(of: repository.path).install(BuiltProgram.path, diff: true)
    for _ in 0..<2 {
      let shown = try repository.folder.shell("git diff HEAD~1 HEAD | grep '^+ *[^+]'")
      #expect(shown == "+n: 1\n+body:\n+  n: 1\n+n: 1\n")
    }
  }

  @Test func `git's cache survives gc and serves linked work trees`() async throws {
    let repository = try repository()
    try GitDrivers(of: repository.path).install("\(repository.path)/.program", diff: true)
    let first = try repository.folder.shell("git diff HEAD~1 HEAD")
    _ = try calls(repository)
    try repository.folder.shell("git gc -q --prune=now; git worktree add -q .tree HEAD~1")
    #expect(try repository.folder.shell("git diff HEAD~1 HEAD") == first)
    #expect(try repository.folder.shell("cd .tree; git diff HEAD main") == first)
    #expect(try repository.folder.shell("cd .tree; git log -p --format= -1 main") == first)
    #expect(try calls(repository) == 0)
    let linked = try GitDrivers(of: "\(repository.path)/.tree")
    try linked.uninstall()
    let rest = "git config --get-regexp notes-watch || true; ls .git/info | grep attributes || true"
    #expect(try repository.folder.shell("\(caches); \(rest)") == "")
    try linked.install("\(repository.path)/.program", diff: true)
    #expect(try repository.folder.shell("git diff HEAD~1 HEAD") == first)
  }

  @Test func `a diff is correct if git cannot cache it`() async throws {
    let repository = try repository()
    try GitDrivers(of: repository.path).install("\(repository.path)/.program", diff: true)
    let first = try repository.folder.shell("git diff HEAD~1 HEAD; git log -p --format=")
    try GitDrivers(of: repository.path).install("\(repository.path)/.program", diff: true)
    #expect(try repository.folder.shell(caches) == "")
    try repository.folder.shell("rm -rf .git/refs/notes; touch .git/refs/notes")
    #expect(try repository.folder.shell("git diff HEAD~1 HEAD; git log -p --format=") == first)
  }

  /// Uses a mount: nothing else keeps root from writing.
  @Test(.enabled(if: GitDriversTests.canMount, "mounting needs user namespaces"))
  func `a diff in a repository on a read-only file system is correct`() async throws {
    let repository = try repository()
    try GitDrivers(of: repository.path).install(BuiltProgram.path, diff: true)
    let script = """
      mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && ! touch x 2> /dev/null || exit 9
      git diff HEAD~1 HEAD 2> /dev/null || exit 8
      git -c diff.notes-watch.cachetextconv=false diff HEAD~1 HEAD -- a.yaml 2>&1
      """
    try repository.folder.write(script, to: ".script")
    let shown = try repository.folder.shell("unshare -r -m sh .script")
    let lines = shown.split(separator: "\n").filter { $0.hasPrefix("+n") || $0.hasPrefix("-n") }
    #expect(lines == ["-n: 1", "+n: 2", "-n: 1", "+n: 2", "-n: 1", "+n: 2"])
    #expect(!shown.contains("error:"), "git reports errors only for its cache")
  }

  private static let canMount: Bool = Machine.canRun("unshare -r -m sh -c 'mount --bind /tmp /tmp'")

  @Test func `uninstall removes git's cache and nothing else`() async throws {
    let repository = try repository()
    let drivers = try GitDrivers(of: repository.path)
    let before = try repository.folder.shell("cat .git/config; \(caches)")
    try drivers.install("\(repository.path)/.program", diff: true)
    try repository.folder.shell("git diff HEAD~1 HEAD > .out; git notes --ref textconv/other add -m mine")
    #expect(try repository.folder.shell(caches).split(separator: "\n").count == 3)
    try drivers.uninstall()
    #expect(try repository.folder.shell(caches) == "refs/notes/textconv/other\n")
    try repository.folder.shell(
      "git update-ref refs/notes/textconv/notes-watch refs/notes/textconv/other; git update-ref -d refs/notes/textconv/other"
    )
    try drivers.install("\(repository.path)/.program", diff: true)
    try drivers.uninstall()
    // A cache of another program with our name stays.
    #expect(try repository.folder.shell(caches) == "refs/notes/textconv/notes-watch\n")
    #expect(
      try repository.folder.shell(
        "git update-ref -d refs/notes/textconv/notes-watch; cat .git/config; \(caches)") == before)
  }

  @Test func `install keeps a user's choice about caching`() async throws {
    let repository = try repository()
    let drivers = try GitDrivers(of: repository.path)
    try repository.folder.shell("git config diff.notes-watch.cachetextconv false")
    let set = try drivers.install("\(repository.path)/.program", diff: true).settings
    #expect(set.contains("diff.notes-watch-json.cachetextconv = true"))
    #expect(!set.contains { $0.hasPrefix("diff.notes-watch.cachetextconv") })
    try drivers.uninstall()
    #expect(try repository.folder.shell("git config diff.notes-watch.cachetextconv") == "false\n")
  }

  @Test func `drivers of another version are reported and replaced by install`() async throws {
    let repository = try repository()
    let drivers = try GitDrivers(of: repository.path)
    let program = "\(repository.path)/.program"
    try drivers.install(program, diff: true)
    #expect(try drivers.status().warnings == [])
    let line = DriverCommand.diff(program: program).line
    for old in [
      line.replacing(": notes-watch \(ProgramVersion.text) lines \(FieldLines.version); ", with: ""),
      line.replacing("lines \(FieldLines.version);", with: "lines 999;"),
      line.replacing(ProgramVersion.text, with: "9.9.9-beta+1"),
    ] {
      #expect(old != line)
      #expect(DriverCommand(diffLine: old) == .diff(program: program))
      try repository.folder.shell(
        "git config diff.notes-watch.textconv '\(old.replacing("'", with: "'\\''"))'")
      #expect(try drivers.status().warnings.map { $0.contains("git install") } == [true])
      try drivers.install(program, diff: true)
      #expect(try drivers.status().warnings == [])
    }
    try repository.folder.shell("sed -i 's/-json$//' .git/info/attributes")
    #expect(try drivers.status().warnings.map { $0.contains("git install") } == [true])
  }
}
