import TestSupport
import Testing

/// `browse` as a filter in a pipeline, and its exit codes.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowseFilterTests {
  private static let files = [
    "items/ada.yaml": "name: Ada\n", "items/bob.yaml": "name: Bob\n",
    "items/carl.md": "---\nname: Carl\n---\n", "items/dora.json": "{}",
  ]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(BrowseFilterTests.files) }

  private func start(_ command: String, environment: [String: String] = [:]) async throws -> TmuxSession {
    let terminal = try TmuxSession(command, columns: 80, rows: 12, in: folder, environment: environment)
    try await terminal.wait(for: "4 items")
    return terminal
  }

  private func output() throws -> String { String(decoding: try folder.bytes(of: "out"), as: UTF8.self) }

  @Test(arguments: [
    ("id", "bob\n"), ("path", "items/bob.yaml\n"),
    ("json", #"{"id":"bob","path":"bob.yaml","section":"","value":{"name":"Bob"}}"# + "\n"),
  ])
  func `Enter prints the item under the cursor`(form: String, line: String) async throws {
    let terminal = try await start("\"$NOTES_WATCH\" browse items --print \(form) > out")
    try terminal.press("j", "Enter")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == line)
    #expect(try terminal.value("alternate_on") == "0")
  }

  @Test func `the list is drawn on the terminal while standard input and output are pipes`() async throws {
    let terminal = try await start("echo ada | \"$NOTES_WATCH\" browse items --print id | cat > out")
    try terminal.press("G", "Enter")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == "dora\n")
  }

  @Test func `a command substitution gets the path alone`() async throws {
    let terminal = try await start("cat \"$(\"$NOTES_WATCH\" browse items --print path)\" > out")
    try terminal.press("Enter")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == "name: Ada\n")
  }

  @Test func `several items are printed in the order of their selection, after the key`() async throws {
    let terminal = try await start(
      "\"$NOTES_WATCH\" browse items --print id --multi --expect ctrl-v,f2 > out")
    try terminal.press("G", "Space", "g", "Space", "C-v")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == "ctrl-v\ndora\nada\n")
  }

  @Test(arguments: [("q", 1), ("C-c", 130)]) func `ending without a choice prints nothing`(
    key: String, code: Int
  ) async throws {
    let terminal = try await start("\"$NOTES_WATCH\" browse items --print id --expect f2 > out")
    try terminal.press(key)
    try await terminal.wait(for: "ended with \(code)")
    #expect(try output() == "")
  }

  @Test func `q without a form ends with 0`() async throws {
    let terminal = try await start("\"$NOTES_WATCH\" browse items > out")
    try terminal.press("q")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == "")
  }

  @Test func `a choice after a search of the command line is that of the shown list`() async throws {
    let terminal = try TmuxSession(
      "\"$NOTES_WATCH\" browse items --print id --search-first > out", columns: 80, rows: 12, in: folder)
    try await terminal.wait(for: "4 items")
    try terminal.type("car")
    try await terminal.wait(for: "1 of 4")
    try terminal.press("Enter")
    try await terminal.wait(for: "ended with 0")
    #expect(try output() == "carl\n")
  }

  @Test func `a height leaves what is above the prompt`() async throws {
    let terminal = try await start("echo earlier; \"$NOTES_WATCH\" browse items --print id --height 6 > out")
    let lines = try terminal.lines()
    #expect(lines.contains("earlier"))
    #expect(try terminal.value("alternate_on") == "0")
    try terminal.press("Enter")
    let end = try await terminal.wait(for: "ended with 0")
    #expect(end.contains("earlier"))
    #expect(try output() == "ada\n")
  }

  @Test func `a slow line gets few frames, and the end of the program at once`() async throws {
    for number in 0..<146 { try folder.write("name: item number \(number)\n", to: "items/n\(number).yaml") }
    // Nothing is read for a while, and the terminal's buffers fill up.
    let command =
      "stty cols 200 rows 50; '\(BuiltProgram.path)' browse items --print id > out; echo \"[ended with $?]\""
    let script = "script -qec \"$0\" /dev/null | { sleep 0.3; cat; }"
    let program = try Program(
      "sh", ["-c", script, command], environment: ["TERM": "xterm-256color"], folder: folder.path,
      hasInput: true)
    try await program.wait(until: "the list") { $0.outputText.contains("150 items") }
    for round in 0..<100 { program.write(round.isMultiple(of: 2) ? "G" : "g") }
    program.write("Gq")
    let end = try await program.wait(until: "the end") { $0.outputText.contains("[ended with 1]") }
    // A full frame has about 10 KB, and 200 of them would be 2 MB.
    #expect(end.output.count < 400_000)
    #expect(end.outputText.contains("\u{1B}[?1049l"))
  }

  // MARK: Without a screen

  /// Runs the program in a session without a terminal.
  private func run(_ arguments: String, environment: [String: String] = [:]) async throws -> Program.State {
    let script = "exec setsid -w '\(BuiltProgram.path)' browse \(arguments)"
    return try await Program("sh", ["-c", script], environment: environment, folder: folder.path).end()
  }

  @Test(arguments: [
    ("items --print id --select-1 --where 'name = \"Bob\"'", 0, "bob\n"),
    ("items --print path --select-1 --search carl --expect f2", 0, "\nitems/carl.md\n"),
    ("items --print id --exit-0 --search nobody", 1, ""),
    ("items --print id --select-1 --exit-0 --search nobody", 1, ""),
  ])
  func `a choice that needs nobody needs no terminal`(arguments: String, code: CInt, output: String)
    async throws
  {
    let end = try await run(arguments)
    #expect(end.status == .exited(code), "\(end.errorText)")
    #expect(end.outputText == output)
    #expect(end.errorText == "")
  }

  @Test func `without a terminal the program says so`() async throws {
    let end = try await run("items")
    #expect(end.status == .exited(69))
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("terminal"), "\(end.errorText)")
  }

  @Test(arguments: [
    ("nowhere", 66, "There is no folder"), ("items --view nope", 78, "nope"),
    ("items --print id --expect hyper", 64, "hyper"),
  ])
  func `an error before the list draws nothing`(arguments: String, code: Int, text: String) async throws {
    let terminal = try TmuxSession(
      "echo earlier; \"$NOTES_WATCH\" browse \(arguments)", columns: 80, rows: 12, in: folder,
      recordsOutput: true)
    let lines = try await terminal.wait(for: "ended with \(code)")
    #expect(lines.joined().contains(text), "\(lines)")
    #expect(lines.contains("earlier"))
    #expect(!(try terminal.output().contains(0x1B)))
  }

  @Test func `a dumb terminal is refused with a sentence`() async throws {
    let terminal = try TmuxSession(
      "TERM=dumb \"$NOTES_WATCH\" browse items", columns: 80, rows: 12, in: folder, recordsOutput: true)
    let lines = try await terminal.wait(for: "ended with 69")
    let refusal = lines.first { $0.contains("notes-watch: ") }
    #expect(refusal?.contains("dumb") == true, "\(lines)")
    #expect(lines.joined().contains("`notes-watch serve`"), "\(lines)")
    #expect(!(try terminal.output().contains(0x1B)))
  }

  @Test func `the removed form in lines is refused, and what replaces it is named`() async throws {
    let end = try await BuiltProgram.run("browse", folder.path, "--linear")
    #expect(end.status == .exited(64))
    for name in ["notes-watch serve", "watch", "list", "set"] {
      #expect(end.errorText.contains("`\(name)`"), "\(end.errorText)")
    }
  }
}
