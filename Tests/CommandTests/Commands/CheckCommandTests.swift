import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct CheckCommandTests {
  @Test(arguments: ["colors", "contacts", "quotes", "users", "todos"])
  func theSampleDataIsSound(set: String) async throws {
    let end = try await NotesWatch.run("check", "\(NotesWatch.samples)/\(set)")
    #expect(end.status == .exited(0) && end.output.isEmpty && end.error.isEmpty, "\(end.outputText)")
  }

  @Test func problemsAreData() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "d/b.yaml": "k: 1\nk: 2\n", "d/c.json": "{\"k\":\n nope}"])
    let end = try await NotesWatch.run("check", folder.path)
    #expect(end.status == .exited(1) && end.error.isEmpty)
    let lines = end.outputText.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("d/b.yaml:2:1: ") && lines[1].hasPrefix("d/c.json:2:"), "\(lines)")
  }

  @Test func asLinesOfTheStream() async throws {
    let folder = try TemporaryFolder(["b.yaml": "k: 1\nk: 2\n"])
    let end = try await NotesWatch.run("check", folder.path, "-o", "jsonl")
    #expect(end.status == .exited(1) && end.lineCount == 1)
    let line = try JSON(end.line(0))
    #expect(line.keys == ["v", "type", "state", "path", "line", "column", "message"])
    #expect(line.type == "problem" && line.state == "raised" && line.path == "b.yaml" && line.line == 2 && line.column == 1)
  }

  @Test func badSettingsAreAProblemLikeAnother() async throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "nonsense: 1\n", "b.yaml": "k: [\n"])
    let end = try await NotesWatch.run("check", folder.path)
    #expect(
      end.status == .exited(1) && end.outputText.hasPrefix(".notes-watch.yaml:1:") && end.outputText.contains("\nb.yaml:"),
      "\(end.outputText)")
  }
}
