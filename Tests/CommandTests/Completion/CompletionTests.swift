import Foundation
import TestSupport
import Testing

/// The completions in the shells themselves.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: Machine.has("script"), "needs script(1)"))
struct CompletionTests {
  private static func folder() throws -> TemporaryFolder {
    try TemporaryFolder([
      "notes/sub/one.yaml": "title: a\ndone: true\naddress: {city: Rome}\n",
      "notes/sub/other.yaml": "group: work\n",
      "notes/.notes-watch.yaml":
        "views:\n  newest: {sort: [-title]}\n  by group: {section: group}\nignore: [drafts/]\n",
      "notes/drafts/hidden.yaml": "secret: 1\n", "many/x/a.yaml": "", "ids/a.yaml": "uuid: first one\n",
    ])
  }

  private static let cases: [(String, [String])] = [
    ("show li\t", ["list"]), ("show no\t", ["notes/"]), ("show list no\t", ["list", "notes/"]),
    ("show git i\t", ["git", "install"]),
    ("show get notes s\t", ["get", "notes", "sub/"]),
    ("show get notes sub/on\t", ["get", "notes", "sub/one"]),
    ("show get notes d\t", ["get", "notes", "d"]),
    ("show get ids --id-field uuid f\t", ["get", "ids", "--id-field", "uuid", "first one"]),
    ("show list notes --wh\t", ["list", "notes", "--where"]),
    ("show list notes -o js\tl\t", ["list", "notes", "-o", "jsonl"]),
    ("show list notes --view b\t", ["list", "notes", "--view", "by group"]),
    ("show list notes --view=n\t", ["list", "notes", "--view=newest"]),
    ("show list notes --sort -ti\t", ["list", "notes", "--sort", "-title"]),
    ("show list notes --sort=title,-address.\t", ["list", "notes", "--sort=title,-address.city"]),
    (
      "show notes --section group --section-order w\t",
      ["notes", "--section", "group", "--section-order", "work"]
    ),
    ("show set notes sub/one do\ttrue", ["set", "notes", "sub/one", "done=true"]),
    ("show unset notes sub/one addr\t.c\t", ["unset", "notes", "sub/one", "address.city"]),
    ("show diff repository fea\t", ["diff", "repository", "feature"]),
    ("show diff repository main..v\t", ["diff", "repository", "main..v1"]),
    ("show nowhere --view \tx", ["nowhere", "--view", "x"]),
    ("show notes -- cat ma\t", ["notes", "--", "cat", "many/"]),
  ]

  @Test(arguments: ShellSession.Shell.allCases) func `a tab completes what belongs at its place`(
    shell: ShellSession.Shell
  ) throws {
    guard Machine.has(shell.rawValue) else { try Test.cancel("needs \(shell)") }
    let folder = try Self.folder()
    try folder.shell(
      "mkdir repository; cd repository; git init -q -b main; git commit -q --allow-empty -m one; git branch feature; git tag v1"
    )
    let cases = Self.cases
    let shown = try ShellSession(shell, in: folder).arguments(cases.map(\.0))
    #expect(shown.count == cases.count)
    for (found, expected) in zip(shown, cases) {
      // zsh removes the slash of a folder at the end of a line.
      let words = expected.1.map {
        shell == .zsh && $0.hasSuffix("/") && !found.contains($0) ? String($0.dropLast()) : $0
      }
      #expect(found == words, "\(expected.0)")
    }
  }

  @Test(.enabled(if: Machine.has("fish"), "needs fish")) func `fish offers what belongs at a place`() throws {
    let folder = try Self.folder()
    try folder.shell("mkdir .bin; ln -s '\(BuiltProgram.path)' .bin/notes-watch")
    func shown(_ line: String) throws -> [String] {
      try folder.write(
        "set PATH \"$PWD/.bin\" $PATH; source '\(BuiltProgram.samples)/../completions/notes-watch.fish'; complete -C '\(line)'",
        to: "c.fish")
      return try folder.shell("HOME=\"$PWD\" fish -N c.fish").split(separator: "\n").map {
        String($0.prefix { $0 != "\t" })
      }
    }
    #expect(try shown("notes-watch li").contains("list"))
    #expect(try shown("notes-watch no").contains("notes/"))
    #expect(try shown("notes-watch get notes sub/on") == ["sub/one"])
    #expect(try shown("notes-watch list notes --view b") == ["by group"])
    #expect(try shown("notes-watch list notes --sort=ti") == ["--sort=title"])
    #expect(try shown("notes-watch set notes sub/one do") == ["done="])
    #expect(try shown("notes-watch notes -- cat ma") == ["many/"])
    #expect(try shown("notes-watch list notes --wh") == ["--where"])
  }

  /// The names of random items, each of which begins with a number of its own.
  private static func hostileItems(_ random: inout SeededGenerator) throws -> (
    TemporaryFolder, names: [String]
  ) {
    let characters = Array(" '\"$`\\!*?[]{}()<>|&;#~^=:@,+%é漢a")
    var files: [String: String] = [:]
    var names: [String] = []
    for number in 10..<24 {
      let name = "\(number)" + String((0...random.below(6)).map { _ in random.one(of: characters) })
      files["notes/\(name).yaml"] = "a: 1\n"
      names.append(name.replacing("%", with: "%25"))
    }
    return (try TemporaryFolder(files), names)
  }

  @Test(arguments: ShellSession.Shell.allCases, Randomness.seeds(1))
  func `a shell reads a completed id as the id`(shell: ShellSession.Shell, seed: UInt64) throws {
    guard Machine.has(shell.rawValue) else { try Test.cancel("needs \(shell)") }
    var random = SeededGenerator(seed: seed)
    let (folder, names) = try Self.hostileItems(&random)
    let lines = names.map { name in "show get notes \(random.one(of: ["", "'", "\""]))\(name.prefix(2))\t" }
    let shown = try ShellSession(shell, in: folder).arguments(lines).map { $0.last ?? "" }
    #expect(shown == names, "\(seedNote(seed))")
  }

  @Test(.enabled(if: Machine.has("fish"), "needs fish"), arguments: Randomness.seeds(1))
  func `fish reads a completed id as the id`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (folder, names) = try Self.hostileItems(&random)
    let lines = names.map {
      "eval \"printf '<%s>\\\\n' \"(complete -C --escape 'notes-watch get notes \($0.prefix(2))')\n"
    }.joined()
    try folder.write(
      "set PATH \"$PWD/.bin\" $PATH; source '\(BuiltProgram.samples)/../completions/notes-watch.fish'\n\(lines)",
      to: "c.fish")
    let shown = try folder.shell(
      "mkdir .bin; ln -s '\(BuiltProgram.path)' .bin/notes-watch; HOME=\"$PWD\" LC_ALL=C.UTF-8 fish -N c.fish"
    )
    #expect(shown == names.map { "<\($0)>\n" }.joined(), "\(seedNote(seed))")
  }

  @Test func `completion reads nothing outside of the folder and prints no error`() throws {
    let folder = try TemporaryFolder(["out/secret.yaml": "a: 1\n", "in/a.yaml": "a: [\n"])
    let program = BuiltProgram.path
    #expect(try folder.shell("'\(program)' complete fish -- get in ../out/").isEmpty)
    #expect(try folder.shell("ln -s ../out in/link; '\(program)' complete fish -- get in link/").isEmpty)
    #expect(try folder.shell("'\(program)' complete fish -- get in a") == "word\ta\t\n")
    try folder.write("views: [\n", to: "in/.notes-watch.yaml")
    #expect(try folder.shell("'\(program)' complete fish -- get in a").isEmpty)
    #expect(try folder.shell("'\(program)' complete fish -- list in --sort ''").isEmpty)
    #expect(try folder.shell("'\(program)' complete fish -- diff in ''").isEmpty)
    #expect(try folder.shell("'\(program)' complete fish -- list nowhere --view ''").isEmpty)
  }

  @Test func `completion ends silently in a folder that does not answer`() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFIFO(".notes-watch.yaml")
    let end = try await BuiltProgram.run("complete", "fish", "--", "list", folder.path, "--view", "")
    #expect(end.status == .exited(0))
    #expect(end.output.isEmpty)
    #expect(end.error.isEmpty)
  }

  @Test func `a folder named complete is a folder like any other`() async throws {
    let folder = try TemporaryFolder(["complete/a.yaml": "a: 1\n"])
    let end = try await BuiltProgram.run("list", "complete", "-o", "id", in: folder.path)
    #expect(end.outputText == "a\n")
    #expect(
      try await BuiltProgram.run("complete", "--limit", "x", in: folder.path).errorText.contains("--limit"))
  }
}
