import TestSupport
import Testing

/// Output on a terminal, which `script` provides.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("script"), "needs script(1)"))
struct TerminalTests {
  private static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder([
      "a.yaml": "text: \"\\e[31mred\\a\\r\\b\\u009b31m\\u202eback\"\n",
      "b.md": "---\ntitle: x\n---\n\u{1B}]0;owned\u{7}\u{9B}31m\u{2066}\n",
      "c.json": "{\"\\u001b[1mkey\": \"\\u007f\\u0000\"}", "d.yaml": "k: \u{1B}[2J\n",
    ])
    try await folder.shell(
      "printf 'k: 1\\n' > \"$(printf 'x\\033[31my\\nz').yaml\"; printf 'k: [\\n' > \"$(printf 'w\\033[31m\\342\\200\\256').yaml\""
    )
    return folder
  }

  private func terminal(
    _ arguments: String, in folder: TemporaryFolder,
    environment: [String: String] = ["TERM": "xterm-256color"]
  )
    async throws -> String
  {
    let program = try Program(
      "script", ["-qec", "stty cols 60 2>/dev/null; \(BuiltProgram.path) \(arguments)", "/dev/null"],
      environment: environment,
      folder: folder.path)
    return try await program.end().outputText
  }

  @Test(arguments: [
    "list .", "list . -o csv", "list . -o tsv", "list . -o id", "list . -o json", "check .", "get . a b c",
    "get . b -o text",
    "list . --section text", "list nowhere%1b",
  ])
  func `no content controls the terminal`(arguments: String) async throws {
    // The program's own colors are allowed.
    let text = try await terminal(arguments, in: try await TerminalTests.folder()).replacing(
      /\u{1B}\[[0-9;]*m/
    ) { match in
      match.output == "\u{1B}[31m" || match.output == "\u{1B}[1m" && arguments.contains("json")
        ? match.output : ""
    }
    let forbidden = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A, 0x0D: false
      case 0x09: !arguments.contains("tsv")
      case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(forbidden.isEmpty, "\(text.debugDescription)")
  }

  @Test func `colors depend on the terminal and on NO_COLOR`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    #expect(try await terminal("list .", in: folder).contains("\u{1B}["))
    #expect(try await !terminal("list . --color never", in: folder).contains("\u{1B}["))
    #expect(
      try await !terminal("list .", in: folder, environment: ["TERM": "xterm", "NO_COLOR": "1"]).contains(
        "\u{1B}["))
    #expect(
      try await terminal("list .", in: folder, environment: ["TERM": "xterm", "NO_COLOR": ""]).contains(
        "\u{1B}["))
    #expect(try await !terminal("list .", in: folder, environment: ["TERM": "dumb"]).contains("\u{1B}["))
    #expect(
      try await BuiltProgram.run("list", folder.path, "--color", "always").outputText.contains("\u{1B}["))
    #expect(try await !BuiltProgram.run("list", folder.path).outputText.contains("\u{1B}["))
  }

  @Test func `a table fits the width of the terminal`() async throws {
    let text = try await terminal(
      "list \(BuiltProgram.samples)/contacts --view contacts --color never", in: try TemporaryFolder())
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count > 14, "\(text)")
    #expect(lines.allSatisfy { $0.count <= 60 }, "\(text)")
  }
}
