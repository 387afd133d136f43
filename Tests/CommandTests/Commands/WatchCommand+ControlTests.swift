import TestSupport
import Testing

/// `--control`: each line of standard input gets an answer in the stream, in order.
@Suite(.timeLimit(.minutes(3))) struct WatchCommandControlTests {
  private static func stream(_ arguments: String...) throws -> WatchRun {
    let folder = try TemporaryFolder([
      "ada.yaml": "name: Ada\nrating: 8\n", "bob.yaml": "name: Bob\nrating: 5\n",
      "cleo.yaml": "name: Cleo\nrating: 9\n",
      ".notes-watch.yaml": "views: {best: {sort: [-rating]}}\n",
    ])
    return try WatchRun(folder, ["--control"] + arguments, hasInput: true)
  }

  private static func text(_ line: JSON) -> String {
    let changes = line.changes.list.map { "\($0.op.string ?? "?") \($0.id.string ?? "?")" }
    return ([line.type.string, line.origin.string ?? line.code.string].compactMap { $0 } + changes).joined(
      separator: " ")
  }

  @Test func `each control line causes one update of origin view, or a bookmark if nothing changed`()
    async throws
  {
    let stream = try Self.stream()
    let snapshot = try await stream.begin()
    stream.program.write("{\"search\":\"e\"}\n{\"search\":\"E\"}\n")
    stream.program.write(
      "{\"sort\":[\"-rating\"],\"search\":\"\"}\n{\"limit\":1}\r\n{\"limit\":1,\"offset\":0}")
    stream.program.closeInput()
    var token = snapshot.token
    var sequence = 1
    var said: [String] = []
    for _ in 0..<5 {
      let line = try await stream.next()
      said.append(Self.text(line))
      if line.type == "update" {
        sequence += 1
        #expect(line.since == token)
      }
      #expect(line.seq.int == sequence)
      #expect(line.token != token)
      token = line.token
    }
    #expect(
      said == [
        "update view delete bob delete ada", "bookmark", "update view insert ada insert bob",
        "update view delete bob delete ada",
        "bookmark",
      ])
    // The end of the input ends the control, not the watch.
    try await stream.folder.shell("echo 'rating: 10' > dan.yaml")
    #expect(Self.text(try await stream.next()) == "update files delete cleo insert dan")
  }

  @Test(arguments: [
    ("{\"search\":", "column 11: "), ("{\"sort\":[\"-rating\"],\"limit\":-1}", "column 29: limit: "),
    ("{ \"srch\": 1}", "Did you mean `search`?"),
    ("[1]", "Expected an object with parts of the view"), ("", "column 1: "),
    ("{\"where\":\"rating >\"}", "column 10: where: "),
    ("{\"search\":null,\"nothing\":null}", "column 26: nothing: "), ("{\"limit\":1,\"limit\":2}", "limit"),
    ("\u{1}", "column 1: "),
  ])
  func `a bad control line is an error with its place, and changes nothing`(line: String, message: String)
    async throws
  {
    let stream = try Self.stream()
    try await stream.begin()
    stream.program.write("{}\n\(line)\n{\"search\":\"ada\"}\n")
    #expect(try await stream.next().type == "bookmark")
    let error = try await stream.next()
    #expect(error.type == "error")
    #expect(error.code == "bad-control")
    #expect(error.message.string?.hasPrefix("Control line 2, ") == true)
    #expect(error.message.string?.contains(message) == true, "\(error)")
    #expect(Self.text(try await stream.next()) == "update view delete cleo delete bob")
  }

  @Test func `a control line that is too long is refused, and the next one works`() async throws {
    let stream = try Self.stream()
    try await stream.begin()
    let part = String(repeating: "x", count: 1 << 16)
    for _ in 0..<17 { stream.program.write(part) }
    stream.program.write("\n{\"search\":\"ada\"}\n")
    #expect(try await stream.next().message.string?.contains("too long") == true)
    #expect(try await stream.next().origin == "view")
  }

  @Test func `a control line outlasts an edit of the settings, and null restores the named view`()
    async throws
  {
    let stream = try Self.stream("--view", "best")
    #expect(try await stream.begin().sections[0].items.list.map(\.id) == ["cleo", "ada", "bob"])
    stream.program.write("{\"search\":\"a\"}\n")
    #expect(Self.text(try await stream.next()) == "update view delete bob delete cleo")
    try await stream.folder.shell(
      "echo 'views: {best: {sort: [rating], fields: [rating]}}' > .notes-watch.yaml")
    let update = try await stream.next()
    #expect(Self.text(update) == "update view update ada")
    #expect(update.changes[0].value == ["rating": 8])
    stream.program.write("{\"search\":null}\n{\"sort\":\"name\"}\n{\"sort\":null}\n")
    var said: [String] = []
    for _ in 0..<3 { said.append(Self.text(try await stream.next())) }
    // If two items swap places, either of them may be the one that moves.
    #expect(said[0] == "update view insert bob insert cleo", "\(said)")
    #expect(said[1...].allSatisfy { $0.hasPrefix("update view move ") }, "\(said)")
  }

  @Test func `answers come in order, one per line, while the folder changes`() async throws {
    let stream = try Self.stream("--sort", "rating")
    try await stream.begin()
    let edits = Task {
      try await stream.folder.shell(
        "for n in $(seq 60); do echo \"rating: $n\" > ada.yaml; sleep 0.005; done; echo 'rating: 99' > end.yaml"
      )
    }
    for round in 0..<50 {
      stream.program.write(round % 2 == 0 ? "{\"sort\":[\"-rating\"]}\n" : "{\"sort\":[\"rating\"]}\n")
    }
    var answers = 0
    var hasEnded = false
    var sequence = 1
    while answers < 50 || !hasEnded {
      let line = try await stream.next()
      if line.origin == "view" || line.type == "bookmark" { answers += 1 }
      if line.type == "update" {
        sequence += 1
        #expect(line.seq.int == sequence)
        #expect(line.origin == "view" || line.origin == "files")
      }
      hasEnded = hasEnded || line.changes.list.contains { $0.id == "end" }
    }
    _ = try await edits.value
    #expect(answers == 50)
  }

  @Test func `--control needs -o jsonl`() async throws {
    let folder = try TemporaryFolder()
    let end = try await BuiltProgram.run(folder.path, "--control")
    #expect(end.status == .exited(64))
    #expect(end.errorText.contains("-o jsonl"))
  }

  @Test func `a controlled stream ends when its reader is gone`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"])
    let script =
      "(echo '{}'; sleep 0.2; while echo '{\"limit\":1}'; do sleep 0.01; done) | \(BuiltProgram.path) '\(folder.path)' -o jsonl --control | head -n 2"
    let end = try await Program("/bin/sh", ["-c", script]).end()
    #expect(end.status == .exited(0))
    #expect(end.lineCount == 2)
  }
}
