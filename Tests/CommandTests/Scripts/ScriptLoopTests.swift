import TestSupport
import Testing

/// Scripts that edit the folder which they are run for.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptLoopTests {
  private static let set = "'\(BuiltProgram.path)' set root a run=$n > set.log 2>&1 || status=9"

  @Test func `--ignore-own ignores what the script set itself`() async throws {
    let spy = try ScriptSpy(then: Self.set)
    let program = try await spy.start("--ignore-own")
    try await spy.save("b.yaml", "k: 1")
    try await spy.runs(1, of: program)
    // The stream shows the script's own edit, and so would a second run.
    try await program.updates(2)
    try await spy.save("c.yaml", "k: 1")
    try await spy.runs(2, of: program)
    try await program.updates(4)
    try await spy.save("d.yaml", "k: 1")
    let runs = try await spy.runs(3, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"], ["c"], ["d"]])
    #expect(!program.state.errorText.contains("notes-watch: "))
  }

  @Test(arguments: ["add root made k=1", "rm root old", "unset root a k", "edit root a"])
  func `--ignore-own ignores what each writing command of ours writes`(command: String) async throws {
    let spy = try ScriptSpy(
      ["a.yaml": "k: 1\nrating: 1\n", "old.yaml": "k: 1\n"],
      then: "[ $n -gt 1 ] || EDITOR='sed -i s/rating/score/' '\(BuiltProgram.path)' \(command) > set.log 2>&1 || status=9")
    let program = try await spy.start("--ignore-own", "--on-error", "stop")
    try await spy.save("b.yaml", "k: 1")
    try await spy.runs(1, of: program)
    try await program.updates(2)
    try await spy.save("c.yaml", "k: 1")
    let runs = try await spy.runs(2, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"], ["c"]])
  }

  @Test func `--ignore-own does not ignore a foreign edit of the same file`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { \(Self.set); echo 'k: 99' > .foreign; mv .foreign root/a.yaml; }")
    let program = try await spy.start("--ignore-own")
    try await spy.save("b.yaml", "k: 1")
    let runs = try await spy.runs(2, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"], ["a"]])
    #expect(try runs[1].update().changes[0].value == ["k": 99])
  }

  @Test func `--ignore-own does not ignore what other writes of ours set`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { \(Self.set); }")
    let program = try await spy.start("--ignore-own")
    try await spy.save("b.yaml", "k: 1")
    try await spy.runs(1, of: program)
    try await program.updates(2)
    _ = try await BuiltProgram.run("set", "root", "a", "k=7", in: spy.folder.path)
    let runs = try await spy.runs(2, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"], ["a"]])
    #expect(try runs[1].update().changes[0].value.k == 7)
  }

  @Test func `records of own writes are private, and removed at the end`() async throws {
    let spy = try ScriptSpy(then: Self.set + "; stat -c '%a %s' state/notes-watch/runs state/notes-watch/runs/$NOTES_WATCH_RUN > modes")
    let program = try await spy.start("--ignore-own")
    try await spy.save("b.yaml", "k: 1")
    try await spy.runs(1, of: program)
    let modes = try await spy.folder.shell("cat modes").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(modes.map(\.first) == ["700", "600"])
    #expect(modes.last?.last != "0")
    try await program.stop()
    #expect(try await spy.folder.shell("ls state/notes-watch/runs") == "")
  }

  @Test func `a loop is reported with the command and the files, and continues`() async throws {
    let spy = try ScriptSpy(then: "echo \"k: $n\" > .next; mv .next root/loop.yaml")
    let program = try await spy.start()
    try await spy.save("b.yaml", "k: 1")
    let report = try await program.wait(until: "a report") { $0.errorText.contains("notes-watch: ") }.errorText
    let line = try #require(report.split(separator: "\n").first { $0.hasPrefix("notes-watch: ") })
    #expect(line.contains("sh"))
    #expect(line.contains("loop.yaml"))
    let count = try spy.runs().count
    #expect(count > 20)
    try await spy.runs(count + 1, of: program)
    #expect(program.state.errorText.ranges(of: "notes-watch: ").count == 1)
  }
}
