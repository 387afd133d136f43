import TestSupport
import Testing

/// Scripts that edit the folder which they are run for.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptLoopTests {
  @Test func `a script that writes only what differs ends by itself`() async throws {
    let spy = try ScriptSpy(then: "'\(BuiltProgram.path)' set root a run=done > set.log 2>&1 || status=9")
    let program = try await spy.start()
    try await spy.save("b.yaml", "k: 1")
    try await spy.runs(2, of: program)
    try await spy.save("c.yaml", "k: 1")
    let runs = try await spy.runs(3, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"], ["a"], ["c"]])
    #expect(!program.state.errorText.contains("notes-watch: "))
  }

  @Test func `--ignore-own is refused with what to do instead`() async throws {
    let spy = try ScriptSpy()
    let result = try await BuiltProgram.run("root", "--ignore-own", "--", "cat", in: spy.folder.path)
    #expect(result.status == .exited(64))
    #expect(
      result.errorText.contains("There is no option `--ignore-own`. Let the command write only what differs"))
  }

  @Test func `a loop is reported with the command and the files, and continues`() async throws {
    let spy = try ScriptSpy(then: "echo \"k: $n\" > .next; mv .next root/loop.yaml")
    let program = try await spy.start()
    try await spy.save("b.yaml", "k: 1")
    let report = try await program.wait(until: "a report") { $0.errorText.contains("notes-watch: ") }
      .errorText
    let line = try #require(report.split(separator: "\n").first { $0.hasPrefix("notes-watch: ") })
    #expect(line.contains("sh"))
    #expect(line.contains("loop.yaml"))
    let count = try spy.runs().count
    #expect(count > 20)
    try await spy.runs(count + 1, of: program)
    #expect(program.state.errorText.ranges(of: "notes-watch: ").count == 1)
  }
}
