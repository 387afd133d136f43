import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct RemoveCommandTests {
  @Test func `rm removes items, also broken ones`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: [\n", "c.json": "{}", "d.md": "x"])
    let end = try await BuiltProgram.run("rm", folder.path, "a", "b", "nobody", "d")
    #expect(end.status == .exited(66))
    #expect(end.outputText == "removed a.yaml\nremoved b.yaml\nremoved d.md\n")
    #expect(end.errorText.contains("`nobody`"))
    #expect(try await folder.shell("ls -A") == "c.json\n")
  }

  @Test func `rm reads items from standard input`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 2\n"])
    let script = "'\(BuiltProgram.path)' list . --where 'k = 1' -o jsonl | '\(BuiltProgram.path)' rm . -"
    #expect(try await folder.shell(script + " --dry-run").contains("deleted file mode"))
    #expect(try await folder.shell(script) == "removed a.yaml\n")
    #expect(try await folder.shell("ls -A") == "b.yaml\n")
  }

  /// An id has priority over a path, so the second word could name another item after the first one
  /// is removed.
  @Test(arguments: [
    ["a.yaml", "a.yaml"], ["a.yaml", "./a.yaml.yaml"], ["a.yaml.yaml", "a.yaml", "a.yaml.yaml"],
  ])
  func `a name counts once, and means the item that it named at the start`(words: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "a.yaml.yaml": "k: 2\n"])
    let end = try await BuiltProgram.start(["rm", "."] + words, in: folder.path).end()
    #expect(end.status == .exited(0))
    #expect(end.outputText == "removed a.yaml.yaml\n")
    #expect(try await folder.shell("ls -A") == "a.yaml\n")
  }

  @Test func `rm removes nothing outside the folder`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    try await folder.shell("ln -s ../b.yaml root/link.yaml; ln -s .. root/up")
    for id in ["../b", "link", "up/b", "/etc/passwd", ".", ""] {
      let end = try await BuiltProgram.run("rm", "\(folder.path)/root", "--", id)
      #expect(end.status != .exited(0), "\(id): \(end.outputText)")
      #expect(end.output.isEmpty, "\(id): \(end.outputText)")
    }
    #expect(try await folder.shell("ls -A . root") == ".:\nb.yaml\nroot\n\nroot:\na.yaml\nlink.yaml\nup\n")
  }
}
