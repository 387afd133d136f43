import Glibc
import TestSupport
import Testing

/// `--timeout`, `--on-busy` and `--defer-git`: when a run ends, and when none begins.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptTimingTests {
  /// Waits until a process has ended, also if its new parent has not waited for it yet.
  private static func isGone(_ process: String) async throws -> Bool {
    try await Program(
      "/bin/sh",
      [
        "-c",
        "while [ -d /proc/\(process) ] && ! grep -q '^State:.*[ZX]' /proc/\(process)/status; do sleep 0.02; done",
      ]
    ).end().status == .exited(0)
  }

  @Test func `a run that takes too long ends with its whole process group`() async throws {
    let spy = try ScriptSpy(
      then: "(trap '' TERM; exec 9>&-; exec sleep 1000) & echo \"group $! $$\" >&2; wait")
    let program = try await spy.start("--timeout", "500ms", "--on-error", "stop")
    try await spy.save("a.yaml", "k: 2")
    let end = try await program.end()
    #expect(end.status == .exited(124))
    let processes = try #require(end.errorText.firstMatch(of: /group (\d+) (\d+)/))
    #expect(try await Self.isGone(String(processes.1)))
    #expect(try await Self.isGone(String(processes.2)))
  }

  @Test func `a run that took too long is a failure, and the next one gets its change`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { exec 9>&-; sleep 1000; }")
    let program = try await spy.start("--timeout", "500ms")
    try await spy.save("a.yaml", "k: 2")
    try await program.wait(until: "a report") { $0.errorText.contains("notes-watch: ") }
    try await spy.save("b.yaml", "k: 2")
    let runs = try await spy.runs(2, of: program)
    #expect(try Set(runs[1].ids()) == ["a", "b"])
    #expect(!spy.hasOverlap)
  }

  @Test func `--on-busy restart ends the run, and the next one gets everything`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { echo \"busy $$\" >&2; exec 9>&-; sleep 1000; }")
    let program = try await spy.start("--on-busy", "restart")
    try await spy.save("a.yaml", "k: 2")
    let busy = try await program.wait(until: "a busy run") { $0.errorText.contains("busy ") }.errorText
    try await spy.save("b.yaml", "k: 2")
    let runs = try await spy.runs(2, of: program)
    #expect(try Set(runs[1].ids()) == ["a", "b"])
    #expect(try runs[0].update().since == runs[1].update().since)
    #expect(runs[1].environment["SEQ"] == "2")
    #expect(try await Self.isGone(String(try #require(busy.firstMatch(of: /busy (\d+)/)).1)))
    #expect(!spy.hasOverlap)
  }

  // MARK: git

  /// A repository in which a rebase has stopped at a conflict in `x.txt`. The watched folder is in
  /// it; the run notes whether a rebase is in progress.
  private static func stoppedRebase(inWorkTree: Bool) async throws -> ScriptSpy {
    let spy = try ScriptSpy(
      then: """
        here=$PWD
        (cd -P root && [ -e "$(git rev-parse --git-path rebase-merge)" ] && echo $n >> "$here/during")
        """)
    try await spy.folder.shell(
      """
      mv root items; git init -q -b main repository; mv items repository/root; cd repository
      echo 1 > x.txt; git add .; git commit -qm one; git checkout -qb side; echo 2 > x.txt; git commit -qam two
      git checkout -q main; echo 3 > x.txt; git commit -qam three
      \(inWorkTree ? "git worktree add -q ../tree side; cd ../tree" : "git checkout -q side")
      git rebase main > ../rebase.log 2>&1 && exit 1
      ln -s $(basename $PWD)/root ../root; ls ../root > /dev/null
      """)
    return spy
  }

  @Test(.enabled(if: Machine.has("git"), "needs git"), arguments: [false, true])
  func `no run begins while a rebase waits for the user`(inWorkTree: Bool) async throws {
    let spy = try await Self.stoppedRebase(inWorkTree: inWorkTree)
    let program = try await spy.start("--defer-git")
    try await spy.save("b.yaml", "k: 2")
    try await program.updates(1)
    try await spy.save("c.yaml", "k: 2")
    try await program.updates(2)
    try await spy.folder.shell("cd root; git rebase --abort")
    let runs = try await spy.runs(1, of: program)
    #expect(try Set(runs[0].ids()).isSuperset(of: ["b", "c"]))
    #expect(try await spy.folder.shell("cat during 2> /dev/null || true") == "")
  }

  @Test(.enabled(if: Machine.has("git"), "needs git"))
  func `after the longest time it is reported, and the command runs`() async throws {
    let spy = try await Self.stoppedRebase(inWorkTree: false)
    let program = try await spy.start("--defer-git=500ms")
    try await spy.save("b.yaml", "k: 2")
    let runs = try await spy.runs(1, of: program)
    #expect(try runs[0].ids() == ["b"])
    #expect(program.state.errorText.contains("notes-watch: "))
    #expect(try await spy.folder.shell("cat during") == "1\n")
  }

  @Test(.enabled(if: Machine.has("git"), "needs git")) func `without --defer-git a run begins at once`()
    async throws
  {
    let spy = try await Self.stoppedRebase(inWorkTree: false)
    let program = try await spy.start()
    try await spy.save("b.yaml", "k: 2")
    try await spy.runs(1, of: program)
    #expect(try await spy.folder.shell("cat during") == "1\n")
  }
}
