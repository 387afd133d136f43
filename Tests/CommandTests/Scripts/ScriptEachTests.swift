import TestSupport
import Testing

/// `--each`, a run for each changed item, and `--initial`, a run for the list of the start.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ScriptEachTests {
  @Test func `each changed item has a run with its change`() async throws {
    let spy = try ScriptSpy(["a.yaml": "k: 1\n", "50%.yaml": "k: 1\n"])
    let program = try await spy.start("--each")
    try await spy.folder.shell(
      "mkdir new; echo 'k: 2' > new/x.yaml; echo 'k: 3' > new/y.yaml; mv new root/new")
    try await spy.runs(2, of: program)
    try await spy.folder.shell("rm root/50%.yaml")
    let runs = try await spy.runs(3, of: program)
    #expect(runs.map { $0.environment["OP"] } == ["insert", "insert", "delete"])
    #expect(runs.map { $0.environment["PATH"] } == ["new/x.yaml", "new/y.yaml", "50%25.yaml"])
    #expect(
      runs[0].text
        == #"{"op":"insert","id":"new/x","to":{"section":"","index":2},"path":"new/x.yaml","value":{"k":2}}"#
        + "\n")
    #expect(
      runs[2].text == #"{"op":"delete","id":"50%25","from":{"section":"","index":0},"reason":"removed"}"#
        + "\n")
    #expect(!spy.hasOverlap)
  }

  /// Each run is a step of its own: the runs of several changes fold as the updates of a stream do.
  @Test func `the runs fold to the list`() async throws {
    let spy = try ScriptSpy(["a.yaml": "k: 3\n", "b.yaml": "k: 2\n", "c.yaml": "k: 1\n"])
    let program = try await spy.start("--each", "--initial", "--stdin", "update", "--sort", "k")
    try await spy.runs(3, of: program)
    // One rename of a folder changes the places of all the others.
    try await spy.folder.shell(
      "mkdir new; for i in 0 4 5; do echo \"k: $i\" > new/$i.yaml; done; mv new root/new")
    try await spy.runs(6, of: program)
    try await spy.folder.shell("mv root/new old")
    let runs = try await spy.runs(9, of: program)
    let consumer = try spy.consumer()
    #expect(consumer.repeats == 0)
    #expect(consumer.ids == ["c", "b", "a"])
    #expect(try consumer.items() == (try await BuiltProgram.items(in: "\(spy.folder.path)/root")))
    #expect(try runs.map { try $0.update().changes.list.count } == Array(repeating: 1, count: 9))
    #expect(runs.map { $0.environment["SEQ"] } == (1...9).map(String.init))
  }

  @Test func `a change of sections alone runs nothing`() async throws {
    let spy = try ScriptSpy([
      "a.yaml": "group: x\n", ".notes-watch.yaml": "views: {v: {section: group, section-titles: {x: Old}}}\n",
    ])
    let program = try await spy.start("--each", "--view", "v")
    try await spy.save(".notes-watch.yaml", "views: {v: {section: group, section-titles: {x: New}}}")
    try await program.updates(1)
    try await spy.save("b.yaml", "group: x")
    let runs = try await spy.runs(1, of: program)
    #expect(runs.map { $0.environment["PATH"] } == ["b.yaml"])
  }

  @Test func `the first run of --initial inserts the complete list`() async throws {
    let spy = try ScriptSpy(["a.yaml": "k: 1\n", "b.yaml": "k: 2\n"])
    let program = try await spy.start("--initial")
    let first = try #require(try await spy.runs(1, of: program).first).update()
    #expect(first.seq == 1)
    #expect(first.cause == "rescanned")
    #expect(first.count == 2)
    #expect(first.changes.list.map(\.op) == ["insert", "insert"])
    try await spy.save("b.yaml", "k: 3")
    let second = try await spy.runs(2, of: program)[1].update()
    #expect(second.seq == 2)
    #expect(second.since == first.token)
    #expect(second.cause == "changed")
    #expect(try await spy.runs(2, of: program)[1].ids() == ["b"])
  }

  @Test func `--initial runs nothing for an empty list`() async throws {
    let spy = try ScriptSpy([:])
    let program = try await spy.start("--initial")
    try await spy.save("b.yaml", "k: 3")
    let runs = try await spy.runs(1, of: program)
    #expect(try runs.map { try $0.ids() } == [["b"]])
  }
}
