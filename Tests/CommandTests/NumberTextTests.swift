import TestSupport
import Testing

/// The digits of a number, in each command.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NumberTextTests {
  private static let literals = [
    "3.10", "1.0", "1e3", "-0", "1E+5", "1e400", "100000000000000000000000000000001",
  ]

  private func run(_ arguments: String..., in folder: TemporaryFolder) async throws -> String {
    let end = try await BuiltProgram.start(arguments, in: folder.path).end()
    #expect(end.status == .exited(0), "\(arguments): \(end.errorText)")
    return end.outputText
  }

  @Test func `a JSON number prints as written in each output`() async throws {
    try await concurrently(NumberTextTests.literals) { text in
      let folder = try TemporaryFolder([
        "a.yaml": "v: \(text)\n", "b.json": "{\"v\": \(text)}", "c.md": "---\nv: \(text)\n---\n",
      ])
      for id in ["a", "b", "c"] {
        #expect(try await run("get", ".", id, in: folder).contains("\"v\":\(text)"), "\(text) of \(id)")
      }
      for format in ["table", "json", "jsonl", "csv"] {
        let lines = try await run("list", ".", "--fields", "v", "-o", format, in: folder).split(
          whereSeparator: \.isNewline)
        #expect(lines.filter { $0.contains(text) }.count == 3, "\(text) as \(format): \(lines)")
      }
      #expect(
        try await run("set", ".", "a", "b", "c", "v=\(text)", in: folder).split(separator: "\n").allSatisfy {
          $0.hasPrefix("unchanged")
        })
      do {
        let same = "'\(BuiltProgram.path)' list . -o jsonl | '\(BuiltProgram.path)' set . -"
        #expect(try await folder.shell(same) == "unchanged a.yaml\nunchanged b.json\nunchanged c.md\n")
      }
    }
  }

  @Test func `set writes the number as typed and nothing else`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "v: 3.1  # b\nw: {x: 1}\n", "b.json": "{\"v\":3.1,\"w\":{\"x\":1}}",
      "c.md": "---\nv: 3.1\nw: {x: 1}\n---\nt\n",
    ])
    #expect(
      try await run("set", ".", "a", "b", "c", "v=3.10", "w.x=1e3", in: folder)
        == "changed a.yaml\nchanged b.json\nchanged c.md\n")
    #expect(
      try await folder.shell("cat a.yaml b.json c.md")
        == "v: 3.10  # b\nw: {x: 1e3}\n{\"v\":3.10,\"w\":{\"x\":1e3}}---\nv: 3.10\nw: {x: 1e3}\n---\nt\n")
    #expect(try await run("set", ".", "a", "v:=3.10", in: folder) == "unchanged a.yaml\n")
    #expect(try await run("set", ".", "a", "v:=3.100", in: folder) == "changed a.yaml\n")
  }

  @Test func `a number that would be changed is written as a string, with a warning`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "zip: 2110\nname: x\n", "b.json": "{\"zip\":\"2110\"}"])
    let end = try await BuiltProgram.start(
      ["set", ".", "a", "b", "zip=02110", "name=+49301"], in: folder.path
    ).end()
    #expect(end.status == .exited(0))
    #expect(end.errorText.hasPrefix("notes-watch: a.yaml: `zip` holds the number 2110;"), "\(end.errorText)")
    #expect(end.errorText.split(separator: "\n").count == 1)
    #expect(
      try await folder.shell("cat a.yaml b.json")
        == "zip: \"02110\"\nname: \"+49301\"\n{\"zip\":\"02110\",\"name\":\"+49301\"}")
    #expect(
      try await BuiltProgram.start(["set", ".", "a", "zip=02110"], in: folder.path).end().error.isEmpty)
  }

  @Test func `infinities stay numbers through standard input, and their texts stay texts`() async throws {
    let text = "num: .inf\ns: \".inf\"\nl: [-.inf, .nan, '.nan']\nm: {x: .NaN, y: 1}\n"
    let folder = try TemporaryFolder(["from/a.yaml": text, "to/z.yaml": "k: 1\n"])
    let list = "'\(BuiltProgram.path)' list from -o jsonl"
    #expect(try await folder.shell("\(list) | '\(BuiltProgram.path)' set from -") == "unchanged a.yaml\n")
    #expect(try await folder.shell("\(list) | '\(BuiltProgram.path)' add to -") == "added a.yaml\n")
    let printed = try await folder.shell(list)
    #expect(printed.contains(#""numbers":{"num":true,"l":{"0":true,"1":true},"m":{"x":true}}"#), "\(printed)")
    #expect(try await folder.shell("'\(BuiltProgram.path)' list to -o jsonl | grep '\"a\"'") == printed)
    #expect(try await folder.shell("grep -E '^(num|s):' to/a.yaml") == "num: .inf\ns: \".inf\"\n")
    #expect(try await run("get", "to", "z", in: folder).contains("numbers") == false)
  }

  @Test(.enabled(if: Machine.has("git"), "git is not installed"))
  func `another text of a number is a change to diff and log`() async throws {
    let folder = try Repository(["a.yaml": "v: 3.1\n"]).folder
    try await folder.shell("echo 'v: 3.10' >a.yaml")
    #expect(try await run("diff", ".", in: folder).contains("3.1 → 3.10"))
    try await folder.shell("git commit -qam second")
    #expect(try await run("log", ".", "a", in: folder).contains("3.1 → 3.10"))
    #expect(
      try await run("log", ".", "a", "-o", "jsonl", in: folder).contains(
        #""value":{"v":3.10},"before":{"v":3.1}"#))
  }

  @Test func `sections and sorting use the value of a number`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "v: 3.10\n", "b.yaml": "v: 3.1\n", "c.yaml": "v: 3.9\n", "d.yaml": "v: 31e-1\n",
      "e.yaml": "v: '3.10'\n",
    ])
    #expect(
      try await run("list", ".", "--sort", "-v", "--where", "v < 4", "-o", "id", in: folder) == "c\na\nb\nd\n"
    )
    let lines = try await run("list", ".", "--section", "v", "-o", "jsonl", in: folder)
    #expect(lines.split(separator: "\n").filter { $0.contains(#""section":"3.1""#) }.count == 3)
    #expect(try await run("list", ".", "--where", "v IN {3.1}", "-o", "id", in: folder) == "a\nb\nd\n")
  }
}
