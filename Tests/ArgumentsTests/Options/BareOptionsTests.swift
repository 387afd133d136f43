import Testing

@testable import notes_watch

/// Options of `watch` that may be given without a value.
@Suite struct BareOptionsTests {
  private static func completed(_ line: String) -> String {
    BareOptions.completed(line.split(separator: " ").map(String.init)).joined(separator: " ")
  }

  @Test(arguments: [
    ("notes --prefix -- cat", "notes --prefix=\0 -- cat"), ("watch notes --defer-git -- cat", "watch notes --defer-git=10m -- cat"),
    ("notes --prefix --defer-git -- cat", "notes --prefix=\0 --defer-git=10m -- cat"),
    ("--prefix notes -- cat", "--prefix=\0 notes -- cat"),
  ])
  func `a bare option gets its default`(line: String, expected: String) {
    #expect(BareOptionsTests.completed(line) == expected)
  }

  @Test(arguments: [
    "notes --prefix=x --defer-git=2s -- cat", "notes -- cat --prefix --defer-git", "notes --search --prefix -- cat",
    "notes -o --prefix", "set notes a --prefix", "list notes --prefix", "help --prefix", "notes --search=x --prefixes", "", "--",
  ])
  func `other words stay as they are`(line: String) {
    #expect(BareOptionsTests.completed(line) == line)
  }

  @Test func `a word after a bare option is explained`() {
    let mistake = CommandLineMistake(BareOptions.completed(["notes", "--prefix", "build", "--", "make"]))
    #expect(mistake?.message == "Unexpected word `build`. Write the value of --prefix after `=`: --prefix=build")
    #expect(CommandLineMistake(BareOptions.completed(["notes", "--prefix", "--", "make"])) == nil)
    #expect(CommandLineMistake(BareOptions.completed(["--defer-git", "notes", "--", "make"])) == nil)
    let twice = CommandLineMistake(BareOptions.completed(["notes", "--prefix", "--prefix", "--", "make"]))
    #expect(twice?.message == "--prefix is given twice. Use it once.")
  }

  @Test func `a separator without a command is explained`() {
    let message = "There is no COMMAND after `--`. Write one, or leave `--` out."
    #expect(CommandLineMistake(["notes", "--"])?.message == message)
    #expect(CommandLineMistake(["watch", "notes", "--state", "x", "--once", "--"])?.message == message)
    #expect(CommandLineMistake(["notes", "--", "cat"]) == nil)
    #expect(CommandLineMistake(["notes", "--", "--"]) == nil)
    #expect(CommandLineMistake(["notes", "--state", "--"]) == nil)
    #expect(CommandLineMistake(["set", "notes", "--"]) == nil)
  }
}
