import Foundation
import TestSupport
import Testing

/// `--state` with a command, and `--once`: each change reaches the command, also if it was made
/// while no watch ran.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ResumedScriptTests {
  @Test func `the first --once only records, and each later one runs for what changed`() async throws {
    let spy = try ScriptSpy()
    #expect(try await spy.once().isEmpty)
    #expect(try await spy.once().isEmpty)
    try await spy.save("a.yaml", "k: 2")
    try await spy.save("b.yaml", "k: 2")
    let run = try #require(try await spy.once().first)
    #expect(try Set(run.ids()) == ["a", "b"])
    #expect(try run.update().cause == "resumed")
    #expect(try run.update().seq == 2)
    #expect(run.environment["SINCE"] == (try run.update().since.string))
    #expect(try await spy.once().count == 1)
    try await spy.save("a.yaml", "k: 3")
    let runs = try await spy.once()
    #expect(try runs.map { try $0.update().seq } == [2, 3])
    #expect(try runs[1].update().since == runs[0].update().token)
  }

  @Test func `--once --initial runs for the complete list the first time`() async throws {
    let spy = try ScriptSpy(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let runs = try await spy.once("--initial")
    #expect(try runs.map { try $0.ids() } == [["a", "b"]])
    #expect(try runs[0].update().cause == "rescanned")
    #expect(try await spy.once("--initial").count == 1)
  }

  @Test func `--once ends with the status of a failed run, and offers its change again`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || status=5")
    try await spy.once()
    try await spy.save("a.yaml", "k: 2")
    try await spy.once(status: 5)
    try await spy.save("b.yaml", "k: 2")
    try await spy.once(status: 5)
    try await spy.folder.shell("touch good")
    let runs = try await spy.once()
    #expect(try runs.map { try Set($0.ids()) } == [["a"], ["a", "b"], ["a", "b"]])
    #expect(try Set(runs.map { try $0.update().since }).count == 1)
    #expect(try await spy.once().count == 3)
  }

  @Test func `--once --each acknowledges each item`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || [ \"$NOTES_WATCH_PATH\" != new/y.yaml ] || status=5")
    try await spy.once("--each")
    try await spy.saveTogether(["x.yaml": "k: 1", "y.yaml": "k: 1", "z.yaml": "k: 1"])
    try await spy.once("--each", status: 5)
    let count = try spy.runs().count
    try await spy.folder.shell("touch good")
    let later = try await spy.once("--each").dropFirst(count).map { $0.environment["PATH"] }
    #expect(later == ["new/y.yaml"])
  }

  @Test func `--each knows the path of an item that was deleted between two runs`() async throws {
    let spy = try ScriptSpy()
    try await spy.once("--each")
    try await spy.save("a.yaml", "k: 2")
    try await spy.once("--each")
    try await spy.folder.shell("rm root/a.yaml")
    let environment = try #require(try await spy.once("--each").last).environment
    #expect(environment["OP"] == "delete")
    #expect(environment["PATH"] == "a.yaml")
  }

  @Test func `--once --persistent ends after the acknowledgement`() async throws {
    let spy = try ScriptSpy()
    try spy.folder.write(
      "while read -r line; do echo \"$line\" >> log; seq=${line#*\\\"seq\\\":}; echo ${seq%%,*}; done\n",
      to: "reader.sh")
    func once() async throws -> Program.State {
      try await BuiltProgram.start(
        ["root", "--state", "p", "--once", "--persistent", "--", "/bin/sh", "\(spy.folder.path)/reader.sh"],
        environment: spy.environment, in: spy.folder.path
      ).end()
    }
    #expect(try await once().status == .exited(0))
    try await spy.save("b.yaml", "k: 2")
    #expect(try await once().status == .exited(0))
    #expect(try await once().status == .exited(0))
    let updates = try spy.folder.bytes(of: "log").split(separator: 10).map { try JSON(Data($0)) }
    #expect(updates.map(\.cause) == ["resumed"])
    #expect(updates.first?.changes[0].id == "b")
  }

  @Test func `a watch that was stopped continues with what changed since`() async throws {
    let spy = try ScriptSpy()
    let first = try await spy.start("--state", "spy")
    try await spy.save("a.yaml", "k: 2")
    try await spy.runs(1, of: first)
    // The second run begins after the first was acknowledged.
    try await spy.save("b.yaml", "k: 2")
    try await spy.runs(2, of: first)
    try await first.stop()
    try await spy.folder.shell("rm root/a.yaml")
    let second = try await spy.start("--state", "spy")
    let runs = try await spy.runs(3, of: second)
    let update = try runs[2].update()
    #expect(update.cause == "resumed")
    #expect([try runs[0].update().token, try runs[1].update().token].contains(update.since))
    #expect(update.changes.list.contains { $0.id == "a" && $0.op == "delete" })
  }

  @Test func `a run that was killed with the watch gets its change again`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { echo begun >&2; exec 9>&-; sleep 1000; }")
    let first = try await spy.start("--state", "spy")
    try await spy.save("a.yaml", "k: 2")
    try await first.wait(until: "a run") { $0.errorText.contains("begun") }
    try await first.crash()
    let second = try await spy.start("--state", "spy")
    let runs = try await spy.runs(2, of: second)
    #expect(try runs.map { try $0.ids() } == [["a"], ["a"]])
    #expect(try runs[1].update().since == runs[0].update().since)
    #expect(try runs[1].update().token != runs[0].update().token)
  }
}
