import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct UnsetCommandTests {
  @Test func `unset removes fields and elements`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "k: 1 # x\ntags: [a, b, c]\nm: {x: 1, y: 2}\n", "b.json": "{\"k\": 1}\n", "c.yaml": "l: 1\n",
    ])
    #expect(
      try await BuiltProgram.run("unset", folder.path, "a", "tags[0]", "tags[2]", "m.x").outputText
        == "changed a.yaml\n")
    #expect(try await folder.shell("cat a.yaml") == "k: 1 # x\ntags: [b]\nm: {y: 2}\n")
    #expect(
      try await BuiltProgram.run("unset", folder.path, "a", "b", "c", "k").outputText
        == "unchanged c.yaml\nchanged a.yaml\nchanged b.json\n")
    #expect(try await folder.shell("cat a.yaml b.json") == "tags: [b]\nm: {y: 2}\n{}\n")
  }

  @Test(
    arguments: [
      (["a", "nothing"], 66, "has no field `nothing`"), (["a", "b"], 64, "Write the fields to remove"),
      (["a"], 64, "'FIELD'"),
      (["a", "home"], 64, "`--`"),
      (["nobody", "k"], 66, "There is no item `nobody`"),
      (["a", "b", "--", "nothing"], 66, "None of the items"),
    ] as [([String], Int32, String)])
  func `unset reports why a field cannot be removed`(words: [String], code: Int32, part: String) async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nhome: 1\n", "b.yaml": "k: 1\n", "home.yaml": "k: 1\n"])
    let end = try await BuiltProgram.start(["unset", folder.path] + words).end()
    #expect(end.status == .exited(code), "\(words): \(end.errorText)")
    #expect(end.output.isEmpty, "\(words): \(end.errorText)")
    #expect(end.errorText.contains(part), "\(words): \(end.errorText)")
  }

  @Test func `unset reads items from standard input`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\nl: 1\n", "b.yaml": "k: 2\nl: 1\n"])
    let script = "'\(BuiltProgram.path)' list . --where 'k = 1' -o jsonl | '\(BuiltProgram.path)' unset . - l"
    #expect(try await folder.shell(script) == "changed a.yaml\n")
    #expect(try await folder.shell("cat a.yaml b.yaml") == "k: 1\nk: 2\nl: 1\n")
  }
}
