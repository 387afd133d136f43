import Glibc
import TestSupport
import Testing

/// `--on-error`, `--max-failures` and `--split-on-error`: what happens after a run that failed.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptFailureTests {
  @Test func `after a failure the change comes with the next one`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || status=3")
    let program = try await spy.start()
    try await spy.save("a.yaml", "k: 2")
    try await program.wait(until: "a report") { $0.errorText.contains("exit code 3") }
    try await spy.save("b.yaml", "k: 2")
    let runs = try await spy.runs(2, of: program).map { try $0.update() }
    #expect(runs.map(\.seq) == [2, 2])
    #expect(runs[0].since == runs[1].since)
    #expect(runs[0].token != runs[1].token)
    #expect(runs[1].changes.list.map(\.id) == ["b", "a"] || runs[1].changes.list.map(\.id) == ["a", "b"])
  }

  @Test func `retry runs again without another change`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 2 ] || status=3")
    let program = try await spy.start("--on-error", "retry")
    try await spy.save("a.yaml", "k: 2")
    let runs = try await spy.runs(3, of: program).map { try $0.update() }
    #expect(runs.map(\.seq) == [2, 2, 2])
    #expect(Set(runs.map(\.since)).count == 1)
    #expect(Set(runs.map(\.token)).count == 3)
    #expect(runs.map(\.changes).allSatisfy { $0 == runs[0].changes })
    #expect(!spy.hasOverlap)
  }

  @Test func `retry adds later changes to the same update`() async throws {
    let spy = try ScriptSpy(then: "[ $n -gt 1 ] || { while ! [ -e go ]; do sleep 0.02; done; status=3; }")
    let program = try await spy.start("--on-error", "retry")
    try await spy.save("a.yaml", "k: 2")
    try await program.updates(1)
    try await spy.save("b.yaml", "k: 2")
    try await program.updates(2)
    try await spy.folder.shell("touch go")
    let runs = try await spy.runs(2, of: program)
    #expect(try runs[0].ids() == ["a"])
    #expect(try Set(runs[1].ids()) == ["a", "b"])
    #expect(try runs[0].update().since == runs[1].update().since)
  }

  @Test(arguments: [("status=7", 7), ("kill -9 $$", 137)] as [(String, CInt)])
  func `stop ends the program with the status of the run`(then: String, status: CInt) async throws {
    let spy = try ScriptSpy(then: then)
    let program = try await spy.start("--on-error", "stop")
    try await spy.save("a.yaml", "k: 2")
    #expect(try await program.end().status == .exited(status))
    #expect(try spy.runs().count == 1)
  }

  @Test func `a command that fails too often is parked until SIGHUP`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || status=3")
    let program = try await spy.start("--on-error", "retry", "--max-failures", "2")
    try await spy.save("a.yaml", "k: 2")
    try await spy.runs(2, of: program)
    try await program.wait(until: "a report that says what to do") { $0.errorText.contains("SIGHUP") }
    // The stream goes on, and the command does not run.
    try await spy.save("b.yaml", "k: 2")
    try await program.updates(2)
    #expect(try spy.runs().count == 2)
    try await spy.folder.shell("touch good")
    kill(program.process, SIGHUP)
    let runs = try await spy.runs(3, of: program)
    #expect(try Set(runs[2].ids()) == ["a", "b"])
    #expect(try runs[2].update().since == runs[0].update().since)
    try await spy.save("c.yaml", "k: 2")
    #expect(try await spy.runs(4, of: program)[3].ids() == ["c"])
  }

  // MARK: Splitting

  @Test func `the item that fails alone is named, and the others go on`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || ! grep -q bad runs/$n/input || status=3")
    let program = try await spy.start("--split-on-error", "--initial")
    try await spy.runs(1, of: program)
    try await spy.saveTogether([
      "v.yaml": "k: 1", "w.yaml": "k: 2", "x.yaml": "k: bad", "y.yaml": "k: 4", "z.yaml": "k: 5",
    ])
    try await program.wait(until: "the name of the item, and the others") { state in
      try state.errorText.split(separator: "\n").contains {
        $0.hasPrefix("notes-watch: ") && $0.contains("new/x.yaml")
      }
        && spy.consumer().ids.contains("new/z")
    }
    // Runs that succeeded are steps of one stream, each a real update with its own places.
    #expect(try spy.consumer().ids == ["a", "new/v", "new/w", "new/y", "new/z"])
    try await spy.folder.shell("touch good")
    try await spy.save("b.yaml", "k: 6")
    try await program.wait(until: "the item that failed") { _ in try spy.consumer().ids.contains("new/x") }
    let consumer = try spy.consumer()
    #expect(consumer.repeats == 0)
    #expect(consumer.ids == ["a", "b", "new/v", "new/w", "new/x", "new/y", "new/z"])
    #expect(!spy.hasOverlap)
  }

  @Test func `a command that fails for every item is not run for each of them`() async throws {
    let spy = try ScriptSpy(then: "status=3")
    let program = try await spy.start("--split-on-error")
    try await spy.saveTogether(Dictionary(uniqueKeysWithValues: (0..<64).map { ("\($0).yaml", "k: \($0)") }))
    try await program.wait(until: "a report about the command") {
      $0.errorText.contains("the command itself")
    }
    #expect(try spy.runs().count < 25)
  }
}
