import Testing

@testable import notes_watch

/// Options of `watch` that may be given without a value.
@Suite struct BareOptionsTests {
  private static func completed(_ line: String) -> String {
    BareOptions.completed(line.split(separator: " ").map(String.init)).joined(separator: " ")
  }

  @Test(arguments: [
    ("notes --prefix -- cat", "notes --prefix=\0 -- cat"),
    ("watch notes --defer-git -- cat", "watch notes --defer-git=10m -- cat"),
    ("notes --prefix --defer-git -- cat", "notes --prefix=\0 --defer-git=10m -- cat"),
    ("--prefix notes -- cat", "--prefix=\0 notes -- cat"),
  ])
  func `a bare option gets its default`(line: String, expected: String) {
    #expect(BareOptionsTests.completed(line) == expected)
  }

  @Test(arguments: [
    "notes --prefix=x --defer-git=2s -- cat", "notes -- cat --prefix --defer-git",
    "notes --search --prefix -- cat",
    "notes -o --prefix", "set notes a --prefix", "list notes --prefix", "help --prefix",
    "notes --search=x --prefixes", "", "--",
  ])
  func `other words stay as they are`(line: String) {
    #expect(BareOptionsTests.completed(line) == line)
  }
}
