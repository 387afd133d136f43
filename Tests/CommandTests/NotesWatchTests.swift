import Foundation
import TestSupport
import Testing

/// The program as a whole: help, exit codes, and messages on standard error.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NotesWatchTests {
  @Test func `the help begins with examples and shows the view options`() async throws {
    let end = try await BuiltProgram.run("--help")
    #expect(end.status == .exited(0))
    #expect(end.error.isEmpty)
    let lines = end.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(try #require(lines.firstIndex(of: "EXAMPLES")) <= 4)
    for option in [
      "--view", "--sort", "--section", "--section-order", "--where", "--search", "--query", "--search-fields",
      "--fields", "--limit", "--offset",
      "--id-field",
    ] {
      #expect(end.outputText.contains("\(option) "), "\(option)")
    }
    #expect(lines.allSatisfy { $0.count <= 80 })
    // A line that was broken to fit continues at the left margin.
    let examples = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test(arguments: [
    ["list", "notes"], ["list", "notes", "--where", "rank = '1'"], ["check", "notes", "-o", "jsonl"],
    ["get", "notes", "nobody"],
    ["set", "notes", "bad", "k=1"], ["rm", "notes", "nobody"], ["diff", "notes"], ["list", "missing"],
    ["serve", "missing", "--listen", "0"],
    ["list", "notes", "--view", "none"],
  ])
  func `each message on standard error begins with the name of the program`(arguments: [String]) async throws
  {
    let folder = try TemporaryFolder([
      "notes/a.yaml": "rank: 1\n", "notes/bad.yaml": "k: [1\n", "notes/c.json": "{",
    ])
    let end = try await BuiltProgram.start(arguments, in: folder.path).end()
    let lines = end.errorText.split(separator: "\n")
    #expect(lines.isEmpty == (arguments[0] == "check"))
    for line in lines { #expect(line.hasPrefix("notes-watch: "), "\(end.errorText)") }
  }

  @Test(arguments: ["list", "browse", "serve", "watch", "check", "get"])
  func `the help of a command shows its usage and examples`(command: String) async throws {
    let end = try await BuiltProgram.run(command, "--help")
    #expect(end.status == .exited(0))
    #expect(end.outputText.contains("USAGE: notes-watch "))
    let examples = end.outputText.split(separator: "\n", omittingEmptySubsequences: false).drop {
      $0 != "EXAMPLES"
    }.dropFirst().prefix {
      !$0.isEmpty
    }
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
  }

  @Test(arguments: [
    "", "list", "browse", "serve", "watch", "check", "get", "add", "set", "unset", "rm", "edit", "diff",
    "log", "git", "git install",
    "git uninstall", "git status",
  ])
  func `no line of the help is too long or broken`(command: String) async throws {
    let end = try await BuiltProgram.start(command.split(separator: " ").map(String.init) + ["--help"]).end()
    let lines = end.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count > 5)
    for line in lines { #expect(line.count <= 80, "\(line)") }
    // In a paragraph, a line ends where the next word does not fit.
    let overview = Array(lines.prefix { !$0.hasPrefix("USAGE:") })
    for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && !next.isEmpty {
      if line.hasPrefix(" ") {
        #expect(next.hasPrefix(" "), "\(line)")
      } else if !line.allSatisfy(\.isUppercase), !next.hasPrefix(" ") {
        #expect(line.count + 1 + next.prefix { $0 != " " }.count > 78, "\(line)")
      }
    }
  }

  @Test func `the help names the units of times and sizes`() async throws {
    let text = try await BuiltProgram.run("watch", "--help").outputText.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    for option in ["--settle", "--max-wait", "--audit"] {
      let help = text.components(separatedBy: " \(option) <TIME>").last ?? ""
      #expect(help.prefix(250).contains("TIME is 250ms, 2s, 10m, or a number of seconds."), "\(option)")
    }
    #expect(text.contains("a number of bytes, or 64K, 16M, 1G;"))
  }

  @Test func `a usage error exits with 64 and prints nothing on standard output`() async throws {
    let arguments = [
      [], ["list"], ["list", "/", "--nonsense"], ["list", "/", "-o", "yaml"], ["list", "/", "--limit", "x"],
      ["list", "/", "--limit", "-1"], ["list", "/", "more"],
      ["get", "/"], ["watch", "/", "--once"], ["watch", "/", "--each"], ["watch", "/", "--control"],
      ["list", "/", "--max-size", "-1"],
      ["list", "/", "--section", "-"],
      ["list", "/", "--settle", "1s"],
    ]
    for arguments in arguments {
      let end = try await BuiltProgram.start(arguments).end()
      #expect(end.status == .exited(64), "\(arguments): \(end.errorText)")
      #expect(end.output.isEmpty, "\(arguments): \(end.errorText)")
      #expect(!end.error.isEmpty, "\(arguments): \(end.errorText)")
    }
  }

  @Test(arguments: ["list", "watch", "check"])
  func `a folder that does not exist or is a file exits with 66`(command: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    for name in [
      "\(folder.path)/none", "\(folder.path)/a.yaml", "", "\(folder.path)/none/more",
      "\(folder.path)/a.yaml/more",
    ] {
      let end = try await BuiltProgram.run(command, name)
      #expect(end.status == .exited(66), "\(name): \(end.errorText)")
      #expect(end.output.isEmpty, "\(name): \(end.errorText)")
      if !name.isEmpty { #expect(end.errorText.contains(name)) }
    }
  }

  @Test(.disabled(if: Machine.isRoot, "root may read everything"), arguments: ["list", "watch", "check"])
  func `a folder that cannot be read exits with 77`(command: String) async throws {
    let folder = try TemporaryFolder(["shut/a.yaml": "k: 1\n"])
    try await folder.shell("chmod 0 shut")
    let end = try await BuiltProgram.run(command, "\(folder.path)/shut")
    #expect(end.status == .exited(77))
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains("permission denied"))
  }

  @Test func `a mistyped command suggests the nearest one`() async throws {
    for (arguments, command) in [
      (["lst"], "list"), (["lits", BuiltProgram.samples], "list"),
      (["chek", BuiltProgram.samples, "-o", "jsonl"], "check"),
      (["gte", "a", "b"], "get"),
    ] {
      let end = try await BuiltProgram.start(arguments).end()
      #expect(end.status == .exited(64))
      #expect(end.output.isEmpty)
      #expect(
        end.errorText.contains("Did you mean `notes-watch \(command)`?"), "\(arguments): \(end.errorText)")
    }
  }

  @Test(arguments: [
    (["git", "foo"], "Unexpected argument 'foo'"), (["check", ".", "sub"], "Unexpected argument 'sub'"),
    (["daemon", "stop"], "Unexpected argument 'stop'"), (["log", ".", "a", "b"], "Unexpected argument 'b'"),
    ([".", "--sort", "-k", "make"], "Unexpected argument 'make'"),
    ([".", "--prefix", "build", "--", "make"], "Unexpected argument 'build'"),
    ([".", "--"], "There is no COMMAND after `--`. Write one, or leave `--` out."),
    (["watch", ".", "--limit", "1", "--"], "There is no COMMAND after `--`."),
    (["list", ".", "--fields", ""], "--fields: The value is empty."),
    (["list", ".", "--sort", " , "], "--sort: The value is empty."),
    (["log", ".", "a", "--fields", ""], "--fields: The value is empty."),
    (["list", ".", "--id-field", ""], "--id-field: The value is empty."),
    (["log", ".", "a", "-n", "-1"], "-n must not be negative."),
    (["list", ".", "--limit", "-1"], "--limit must not be negative."),
    (["list", ".", "--limt", "1"], "Did you mean '--limit'?"),
    (["list", ".", "--json"], "Unknown option '--json'"),
    (
      ["service", "install"],
      "The installed units run the daemon: `systemctl --user enable --now notes-watch.socket notes-watch.service`."
    ),
    (
      [".", "--ignore-own", "--nonsense"],
      "There is no option `--ignore-own`. Let the command write only what differs"
    ),
    (["list", ".", "--fields", "tags.@foo"], "The operators are @count, @min, @max, @sum, @avg."),
    (["list", ".", "--sort", "-tags.@foo"], "no operator `@foo`"),
    (["list", ".", "--section", "tags.@foo"], "no operator `@foo`"),
    (["list", ".", "--search-fields", "x,tags.@foo"], "no operator `@foo`"),
  ])
  func `a wrong command line is explained`(arguments: [String], part: String) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "sub/b.yaml": "k: 1\n"])
    let end = try await BuiltProgram.start(arguments, in: folder.path).end()
    #expect(end.status == .exited(64), "\(end.errorText)")
    #expect(end.output.isEmpty)
    #expect(end.errorText.contains(part), "\(end.errorText)")
    #expect(end.errorText.hasPrefix("notes-watch: "), "\(end.errorText)")
  }

  /// The parser finds some of these mistakes, the command finds others when it runs.
  @Test(arguments: [
    (["rm", "."], "rm DIR ID..."), (["rm", ".", "-", "a"], "rm DIR ID..."),
    (["unset", ".", "a", "tags[LAST]"], "unset DIR ID... FIELD..."),
    (["unset", ".", "a", "a"], "unset DIR ID... FIELD..."), (["edit", ".", "-"], "edit DIR ID..."),
    (["set", ".", "a"], "set DIR ID..."),
    (["get", "."], "get DIR ID..."), (["list", ".", "--nonsense"], "list DIR [VIEW]"),
    (["check", ".", "x"], "check DIR"),
    (["list"], "list DIR [VIEW]"), (["add", ".", "a", "-x"], "add DIR ID..."),
  ])
  func `a wrong command line shows the usage of its command`(arguments: [String], usage: String) async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    let end = try await BuiltProgram.start(arguments, in: folder.path).end()
    #expect(end.status == .exited(64))
    #expect(end.errorText.hasPrefix("notes-watch: "), "\(end.errorText)")
    #expect(end.errorText.contains("Usage: notes-watch \(usage)"), "\(end.errorText)")
    #expect(!end.errorText.contains("notes-watch git install|"), "\(end.errorText)")
    #expect(end.errorText.contains("See 'notes-watch \(arguments[0]) --help'"), "\(end.errorText)")
  }

  @Test(arguments: [
    ["get", ".", "frends/ada"], ["set", ".", "frends/ada", "k=2"], ["unset", ".", "frends/ada", "k"],
    ["rm", ".", "frends/ada"],
    ["edit", ".", "frends/ada"], ["log", ".", "frends/ada"],
  ])
  func `an unknown id names the nearest one`(arguments: [String]) async throws {
    let folder = try Repository(["friends/ada.yaml": "k: 1\n", "bob.yaml": "k: 1\n"]).folder
    let editor = ["EDITOR": "true"]
    let end = try await BuiltProgram.start(arguments, environment: editor, in: folder.path).end()
    #expect(end.status == .exited(66), "\(end.errorText)")
    #expect(end.errorText.contains("Did you mean `friends/ada`?"), "\(end.errorText)")
    var other = arguments
    other[2] = "nothing-like-it"
    let none = try await BuiltProgram.start(other, environment: editor, in: folder.path).end()
    #expect(none.status == .exited(66), "\(none.errorText)")
    #expect(!none.errorText.contains("Did you mean"), "\(none.errorText)")
  }

  @Test func `a mistyped folder is not read as a command`() async throws {
    #expect(try await BuiltProgram.run("contacts-of-mine").status == .exited(66))
    // A word with a slash is always a path.
    #expect(try await BuiltProgram.run("./lst").status == .exited(66))
    let end = try await BuiltProgram.run("watch", "lst")
    #expect(end.status == .exited(66))
    #expect(!end.errorText.contains("Did you mean"))
  }

  @Test func `a folder may be named like a command`() async throws {
    let folder = try TemporaryFolder(["list/a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(["./list", "-o", "jsonl"], in: folder.path)
    try await program.wait(until: "the snapshot") {
      $0.lineCount == 2 && $0.outputText.contains(#""id":"a""#)
    }
    #expect(try await BuiltProgram.json("list", "list", "-o", "json", in: folder.path)[0].id == "a")
  }

  @Test func `--version prints the version`() async throws {
    let end = try await BuiltProgram.run("--version")
    #expect(end.status == .exited(0))
    #expect(end.outputText.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}
