import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct CheckCommandTests {
  @Test(arguments: ["colors", "contacts", "quotes", "users", "todos"])
  func `the sample data has no problems`(set: String) async throws {
    let end = try await BuiltProgram.run("check", "\(BuiltProgram.samples)/\(set)")
    #expect(end.status == .exited(0), "\(end.outputText)")
    #expect(end.output.isEmpty, "\(end.outputText)")
    #expect(end.error.isEmpty, "\(end.outputText)")
  }

  @Test func `check prints problems on standard output`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "k: 1\n", "d/b.yaml": "k: 1\nk: 2\n", "d/c.json": "{\"k\":\n nope}",
    ])
    let end = try await BuiltProgram.run("check", folder.path)
    #expect(end.status == .exited(1))
    #expect(end.error.isEmpty)
    let lines = end.outputText.split(separator: "\n")
    try #require(lines.count == 2, "\(lines)")
    #expect(lines[0].hasPrefix("\(folder.path)/d/b.yaml:2:1: "), "\(lines)")
    #expect(lines[1].hasPrefix("\(folder.path)/d/c.json:2:"), "\(lines)")
  }

  @Test(arguments: [
    (".", ""), ("./", ""), ("sub", "sub/"), ("sub///", "sub/"), ("sub/.", "sub/"), ("./sub", "./sub/"),
    ("sub/../sub/", "sub/../sub/"),
  ])
  func `messages name files as the folder was typed`(typed: String, prefix: String) async throws {
    let files = [".notes-watch.yaml": "views: {a: {sorted: x}}\n", "d/x.yaml": "a: 1\nb: [\n"]
    let folder = try TemporaryFolder(
      Dictionary(uniqueKeysWithValues: files.map { (typed.contains("sub") ? "sub/\($0)" : $0, $1) }))
    let check = try await BuiltProgram.run("check", typed, in: folder.path).outputText
    let lines = check.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(prefix).notes-watch.yaml:1:") == true, "\(check)")
    #expect(lines.last?.hasPrefix("\(prefix)d/x.yaml:") == true, "\(check)")
    #expect(
      try await BuiltProgram.run("list", typed, in: folder.path).errorText
        == lines.map { "notes-watch: \($0)\n" }.joined())
    for arguments in [
      ["set", typed, "d/x", "k=1"], ["get", typed, "d/x"], ["get", typed, "d/x", "-o", "text"],
    ] {
      let error = try await BuiltProgram.start(arguments, in: folder.path).end().errorText
      #expect(error.hasPrefix("notes-watch: \(prefix)d/x.yaml:"), "\(arguments) \(error)")
    }
    let line = try JSON(Array(await BuiltProgram.run("check", typed, "-o", "jsonl", in: folder.path).line(1)))
    #expect(line.path == "d/x.yaml")
  }

  @Test func `a predicate of the settings without its quotes is a warning with its place`() async throws {
    let folder = try TemporaryFolder([
      ".notes-watch.yaml": "views:\n  bad:\n    where: k = done\n", "a.yaml": "k: open\n",
    ])
    let end = try await BuiltProgram.run("check", ".", in: folder.path)
    #expect(end.status == .exited(0))
    #expect(end.outputText.hasPrefix(".notes-watch.yaml:3:"), "\(end.outputText)")
    #expect(end.outputText.contains("warning: "))
    #expect(end.outputText.contains("did you mean `k = \"done\"`?"))
    let list = try await BuiltProgram.run("list", ".", "--view", "bad", "-o", "id", in: folder.path)
    #expect(list.status == .exited(0))
    #expect(
      list.errorText.hasPrefix("notes-watch: warning: no item has the field `done`"), "\(list.errorText)")
  }

  @Test func `list and check print the same message about settings that cannot be read`() async throws {
    let folder = try TemporaryFolder(["d/.notes-watch.yaml": "ignore: [\n", "d/a.yaml": "k: 1\n"])
    let list = try await BuiltProgram.run("list", "d", in: folder.path)
    let check = try await BuiltProgram.run("check", "d", in: folder.path)
    #expect(list.status == .exited(78))
    #expect(list.errorText == "notes-watch: " + check.outputText)
    #expect(check.outputText.hasPrefix("d/.notes-watch.yaml:"))
  }

  @Test func `check prints problem lines of the stream`() async throws {
    let folder = try TemporaryFolder(["b.yaml": "k: 1\nk: 2\n"])
    let end = try await BuiltProgram.run("check", folder.path, "-o", "jsonl")
    #expect(end.status == .exited(1))
    #expect(end.lineCount == 1)
    let line = try JSON(end.line(0))
    #expect(line.keys == ["v", "type", "state", "path", "line", "column", "message"])
    #expect(line.type == "problem")
    #expect(line.state == "raised")
    #expect(line.path == "b.yaml")
    #expect(line.line == 2)
    #expect(line.column == 1)
  }

  @Test func `check reports bad settings as a problem`() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "nonsense: 1\n", "b.yaml": "k: [\n"])
    let end = try await BuiltProgram.run("check", folder.path)
    #expect(end.status == .exited(1), "\(end.outputText)")
    #expect(end.outputText.hasPrefix("\(folder.path)/.notes-watch.yaml:1:"), "\(end.outputText)")
    #expect(end.outputText.contains("\n\(folder.path)/b.yaml:"), "\(end.outputText)")
  }
}
