import Foundation
import TestSupport
import Testing

/// What one run of a command gets: its standard input, byte for byte, and its environment.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ScriptInputTests {
  private static let place = #"{"section":"","index":0}"#
  private static let change =
    #"{"op":"update","id":"a","from":\#(place),"to":\#(place),"path":"a.yaml","fields":["/k"],"value":{"k":2},"before":{"k":1}}"#

  @Test func `an update is one line of the stream`() async throws {
    let spy = try ScriptSpy()
    let program = try await spy.start()
    try await spy.save("a.yaml", "k: 2")
    let run = try #require(try await spy.runs(1, of: program).first)
    let update = try run.update()
    let (since, token, time) = (
      update.since.string ?? "", update.token.string ?? "", update.time.string ?? ""
    )
    #expect(
      run.text
        == #"{"v":1,"type":"update","seq":2,"since":"\#(since)","token":"\#(token)","time":"\#(time)","origin":"files","cause":"changed","#
        + #""count":1,"changes":[\#(Self.change)]}"# + "\n")
  }

  @Test func `--stdin update is the default`() async throws {
    let spy = try ScriptSpy()
    let program = try await spy.start("--stdin", "update")
    try await spy.save("a.yaml", "k: 2")
    #expect(try await spy.runs(1, of: program).map { try $0.update().type } == ["update"])
  }

  @Test func `--stdin changes is one line per change`() async throws {
    let spy = try ScriptSpy()
    let program = try await spy.start("--stdin", "changes")
    try await spy.save("a.yaml", "k: 2")
    #expect(try await spy.runs(1, of: program).map(\.text) == [Self.change + "\n"])
    try await spy.saveTogether(["x.yaml": "k: 7", "y.yaml": "k: 8"])
    let lines = try await spy.runs(2, of: program)[1].text
    #expect(
      lines == """
        {"op":"insert","id":"new/x","to":{"section":"","index":1},"path":"new/x.yaml","value":{"k":7}}
        {"op":"insert","id":"new/y","to":{"section":"","index":2},"path":"new/y.yaml","value":{"k":8}}

        """)
  }

  private static let names = [
    "two words.yaml": "k: 1", "50%.yaml": "k: 2", "line\nbreak.yaml": "k: 3", "é.yaml": "k: 4",
  ]
  private static let printedNames = ["new/50%25", "new/line%0Abreak", "new/two words", "new/é"]

  @Test(arguments: [(["--stdin", "ids"], "\n"), (["--stdin", "ids", "-0"], "\0")])
  func `--stdin ids is one printed id per change`(options: [String], end: String) async throws {
    let spy = try ScriptSpy()
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl", "--sort", "@id"] + options + ["--", "/bin/sh", "spy.sh"],
      environment: spy.environment, in: spy.folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await spy.saveTogether(Self.names)
    let run = try #require(try await spy.runs(1, of: program).first)
    let ids = run.text.components(separatedBy: end)
    #expect(ids.last == "")
    #expect(ids.dropLast().sorted() == Self.printedNames.sorted())
    try await spy.folder.shell("rm -r root/new; rm root/a.yaml")
    let deleted = try await spy.runs(2, of: program)[1].text.components(separatedBy: end).dropLast()
    #expect(deleted.sorted() == (Self.printedNames + ["a"]).sorted())
  }

  @Test func `--stdin none is empty`() async throws {
    let spy = try ScriptSpy()
    let program = try await spy.start("--stdin", "none")
    try await spy.save("a.yaml", "k: 2")
    #expect(try await spy.runs(1, of: program).map(\.input) == [[]])
  }

  @Test func `the environment names the folder, the step and the run`() async throws {
    let spy = try ScriptSpy()
    let program = try await spy.start()
    try await spy.save("a.yaml", "k: 2")
    try await spy.runs(1, of: program)
    try await spy.save("b.yaml", "k: 3")
    let runs = try await spy.runs(2, of: program)
    for run in runs {
      let update = try run.update()
      #expect(Set(run.environment.keys) == ["ROOT", "SEQ", "TOKEN", "SINCE", "COUNT"])
      #expect(run.environment["ROOT"] == "\(spy.folder.path)/root")
      #expect(run.environment["SEQ"] == update.seq.int.map(String.init))
      #expect(run.environment["TOKEN"] == update.token.string)
      #expect(run.environment["SINCE"] == update.since.string)
      #expect(run.environment["COUNT"] == update.count.int.map(String.init))
    }
    #expect(runs[1].environment["SINCE"] == runs[0].environment["TOKEN"])
    #expect(!spy.hasOverlap)
  }

  /// An id that is made of a field is content, and content is only on standard input.
  @Test(arguments: [["--stdin", "update"], ["--each"], ["--stdin", "ids"]])
  func `the environment and the arguments have no content of a file`(options: [String]) async throws {
    let spy = try ScriptSpy(
      then: "tr '\\0' '\\n' < /proc/$$/environ > all; tr '\\0' '\\n' < /proc/$$/cmdline >> all")
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl", "--id-field", "name"] + options + ["--", "/bin/sh", "spy.sh"],
      environment: spy.environment,
      in: spy.folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await spy.save("b.yaml", "name: secret-id")
    let run = try #require(try await spy.runs(1, of: program).first)
    #expect(run.text.contains("secret-id"))
    #expect(try await !spy.folder.shell("cat all").contains("secret"))
  }

  private static let mistakes: [[String]] = [
    ["--stdin", "lines", "--", "cat"], ["--on-error", "ignore", "--", "cat"],
    ["--max-failures", "-1", "--", "cat"],
    ["--timeout", "soon", "--", "cat"], ["--on-busy", "wait", "--", "cat"],
    ["--defer-git=soon", "--", "cat"], ["--stdin", "ids"],
    ["--each"], ["--initial"], ["--on-error", "retry"], ["--split-on-error"], ["--timeout", "2s"],
    ["--on-busy", "restart"],
    ["--each", "--split-on-error", "--", "cat"],
    ["--stdin", "changes", "-0", "--", "cat"], ["--prefix"], ["--defer-git"], ["--persistent"],
    ["--once", "--", "cat"],
    ["--once", "-o", "jsonl"],
    ["--state", "", "--", "cat"], ["--state", "..", "--", "cat"], ["--state", "a b", "--", "cat"],
    ["--state", String(repeating: "x", count: 65), "--", "cat"],
    ["--state", "x", "--initial", "--once", "--", "no-such-command"],
    ["--state", "x", "--persistent", "--", "./a.yaml"],
  ]

  @Test func `a wrong command line is found before anything starts`() async throws {
    #expect(!Self.mistakes.isEmpty)
    let spy = try ScriptSpy()
    for words in Self.mistakes {
      let end = try await BuiltProgram.start(
        ["root"] + words, environment: spy.environment, in: spy.folder.path
      ).end()
      #expect(end.status == .exited(64), "\(words): \(end.errorText)")
      #expect(end.outputText == "", "\(words)")
    }
    #expect(try await spy.folder.shell("ls -A state 2> /dev/null || true") == "")
  }
}
