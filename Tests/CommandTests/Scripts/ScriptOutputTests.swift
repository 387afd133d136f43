import TestSupport
import Testing

/// `--prefix`: the lines of a command's output, each with a label.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ScriptOutputTests {
  private static let prints = "printf 'one\\ntwo\\n\\nhalf'; printf 'warning\\nlast' >&2"

  @Test func `each line has the label, and the last one is completed`() async throws {
    let spy = try ScriptSpy(then: Self.prints + "; exit")
    let program = try spy.startAlone("--prefix=site", "--initial")
    let state = try await program.wait(until: "the output") {
      $0.outputText.hasSuffix("half\n") && $0.errorText.hasSuffix("last\n")
    }
    #expect(state.outputText == "[site] one\n[site] two\n[site] \n[site] half\n")
    #expect(state.errorText == "[site] warning\n[site] last\n")
  }

  @Test func `without the option the output is passed through byte for byte`() async throws {
    let spy = try ScriptSpy(then: Self.prints + "; exit")
    let program = try spy.startAlone("--initial")
    let state = try await program.wait(until: "the output") {
      $0.outputText.hasSuffix("half") && $0.errorText.hasSuffix("last")
    }
    #expect(state.outputText == "one\ntwo\n\nhalf")
    #expect(state.errorText == "warning\nlast")
  }

  @Test func `the label is the command's name if none is given`() async throws {
    let spy = try ScriptSpy(then: "echo one")
    let program = try spy.startAlone("--prefix", "--initial")
    let state = try await program.wait(until: "the output") { $0.outputText.hasSuffix("one\n") }
    #expect(state.outputText == "[sh] one\n")
  }

  @Test func `a very long line comes in complete pieces`() async throws {
    let spy = try ScriptSpy(then: "head -c 200000 /dev/zero | tr '\\0' x; echo; echo end; exit")
    let program = try spy.startAlone("--prefix=p", "--initial")
    let state = try await program.wait(until: "the end") { $0.outputText.hasSuffix("[p] end\n") }
    let lines = state.outputText.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("[p] ") })
    #expect(lines.dropLast().map { $0.dropFirst(4).count }.reduce(0, +) == 200_000)
  }

  @Test func `a process that a run leaves behind does not delay the next run`() async throws {
    let spy = try ScriptSpy(then: "(exec 9>&-; exec sleep 1000) &")
    let program = try await spy.start("--prefix=p", "--initial")
    try await program.wait(until: "run 1") { $0.errorText.contains("[p] ran 1\n") }
    try await spy.save("a.yaml", "k: 2")
    try await program.wait(until: "run 2") { $0.errorText.contains("[p] ran 2\n") }
  }
}
