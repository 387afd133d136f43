import TestSupport
import Testing

/// `--sort @relevance` and the part of a row that matches.
struct RelevanceTests {
  private func notes() throws -> TemporaryFolder {
    try TemporaryFolder([
      "a.md": "---\ntitle: Trip\n---\nDo not forget to pack the tent\n",
      "b.md": "---\ntitle: Unpacking\n---\n", "c.md": "---\ntitle: Garden\n---\n",
      "z.md": "---\ntitle: Packing list\n---\n",
      ".notes-watch.yaml": "views: {reverse: {sort: -title}}\n",
    ])
  }

  @Test func `the best matches come first`() async throws {
    let folder = try notes()
    let plain = try await BuiltProgram.run("list", folder.path, "--search", "pack", "-o", "id")
    #expect(plain.outputText == "a\nb\nz\n")
    let ranked = try await BuiltProgram.run(
      "list", folder.path, "--search", "pack", "--sort", "@relevance", "-o", "id")
    #expect(ranked.outputText == "z\nb\na\n")
    let query = try await BuiltProgram.run(
      "list", folder.path, "--query", "pack -garden", "--sort", "@relevance", "-o", "id")
    #expect(query.outputText == "z\nb\na\n")
  }

  @Test func `the order of the view breaks ties`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "name: tree a", "b.yaml": "name: tree b", "c.yaml": "name: my tree",
      ".notes-watch.yaml": "views: {reverse: {sort: -name}}\n",
    ])
    let run = try await BuiltProgram.run(
      "list", folder.path, "--view", "reverse", "--search", "tree", "--sort", "@relevance", "-o", "id")
    #expect(run.outputText == "b\na\nc\n")
  }

  @Test(arguments: [
    (["--sort", "@relevance"], "this view has no search"),
    (["--sort", "@relevance", "--search", " "], "this view has no search"),
    (["--search", "a", "--sort=-@relevance"], "it comes first and has no sign"),
    (["--search", "a", "--sort", "title,@relevance"], "it comes first and has no sign"),
    (["--view", "reverse", "--sort", "@relevance"], "this view has no search"),
  ])
  func `a sort by relevance that means nothing is refused`(_ options: [String], _ message: String)
    async throws
  {
    let folder = try notes()
    for command in ["list", "watch"] {
      let run = try await BuiltProgram.start([command, folder.path] + options).end()
      #expect(run.status == .exited(64))
      #expect(run.errorText.contains(message), "\(run.errorText)")
      #expect(run.output.isEmpty)
    }
  }

  @Test func `a row has the line that matches if no cell shows it`() async throws {
    let folder = try notes()
    let run = try await BuiltProgram.run(
      "list", folder.path, "--search", "pack", "--fields", "title", "--sort", "@relevance")
    #expect(
      run.outputText == "title\nPacking list\nUnpacking\nTrip          body: Do not forget to pack the tent\n"
    )
  }

  @Test func `the line that matches is data`() async throws {
    let folder = try TemporaryFolder(["a.md": "---\ntitle: x\n---\npack \u{1B}[31mred\u{7}\n"])
    let run = try await BuiltProgram.run("list", folder.path, "--search", "pack", "--fields", "title")
    #expect(run.outputText.contains("body: pack"))
    #expect(!run.outputText.contains("\u{1B}"))
  }
}
