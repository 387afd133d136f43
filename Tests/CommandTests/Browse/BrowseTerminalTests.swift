import Terminal
import TestSupport
import Testing

/// What the other suites of `browse` do not press: the wheel, the pages of the file, `Delete`,
/// `Ctrl-C`, and `Ctrl-Z` with `fg`.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Machine.has("tmux") && Machine.has("bash"), "needs tmux and bash"))
struct BrowseTerminalTests {
  @Test func `Ctrl-Z gives the terminal to the shell, and fg shows the list again`() async throws {
    let folder = try TemporaryFolder(["items/ada.yaml": "name: Ada\n", "items/bob.yaml": "name: Bob\n"])
    let terminal = try TmuxSession(
      "PS1='ready> ' exec bash --norc --noprofile -i", columns: 80, rows: 12, in: folder)
    try await terminal.wait(for: "ready>")
    try terminal.type("stty -g > before; \"$NOTES_WATCH\" browse items; echo \"ended with $?\"\n")
    try await terminal.wait(for: "2 items")
    try terminal.press("j", "C-z")
    try await terminal.wait(for: "Stopped")
    #expect(try terminal.value("alternate_on") == "0")
    #expect(try terminal.value("mouse_any_flag") == "0")
    try folder.write("name: Cleo\n", to: "items/cleo.yaml")
    try terminal.type("clear; fg\n")
    try await terminal.wait(until: "the list with the new item") { lines in
      lines.contains { $0.contains("3 items") } && BrowseJourney.current(lines) == "Bob"
    }
    try terminal.press("C-c")
    try await terminal.wait(for: "ready>")
    try terminal.type("stty -g > after; echo ca''me\n")
    try await terminal.wait(for: "came")
    #expect(try folder.bytes(of: "before") == folder.bytes(of: "after"))
  }

  @Test func `the wheel, the pages of the file, Delete and Ctrl-C do what the help says`() async throws {
    let person = try await BrowseJourney(columns: 80, rows: 24)
    try person.terminal.send(Array(String(repeating: "\u{1B}[<65;5;5M", count: 30).utf8))
    try await person.terminal.wait(until: "the wheel shows the end") { BrowseJourney.ids($0).last == "n39" }
    try person.terminal.send(Array(String(repeating: "\u{1B}[<64;5;5M", count: 30).utf8))
    try await person.terminal.wait(until: "the wheel shows the start") {
      BrowseJourney.ids($0).first == "n00"
    }
    try await person.go(to: "n05")
    try await person.press("Tab", shows: "named: Name 5")
    try await person.press("]", hides: "named: Name 5")
    try await person.press("[", shows: "named: Name 5")
    try await person.press("Tab", hides: "named: Name 5")
    try await person.press("DC", shows: "Delete `n05`")
    try person.terminal.press("y")
    try await person.wait(for: "n05", toBe: nil)
    try await person.terminal.wait(for: "39 items")
    try person.terminal.press("C-c")
    try await person.terminal.wait(for: "ended with 130")
    #expect(try person.terminal.value("alternate_on") == "0")
    #expect(try person.terminal.value("mouse_any_flag") == "0")
  }

  @Test(.enabled(if: LibVTerm.isInstalled, "needs libvterm"), arguments: BrowseKeysTests.sizes)
  func `libvterm shows the same screen as tmux`(columns: Int, rows: Int) async throws {
    let person = try await BrowseJourney(columns: columns, rows: rows, recordsOutput: true)
    try await person.press("Tab", shows: "named: Name 0")
    try await person.press("G", current: "n39")
    try await person.press("Tab", hides: "named: Name 39")
    try await person.press("?", shows: "Keys")
    try await person.press("Escape", hides: "Keys")
    try await person.press("g", current: "n00")
    try await person.terminal.wait(until: "the screen of tmux in libvterm") { lines in
      guard let other = LibVTerm(ScreenSize(columns: columns, rows: rows)) else { return false }
      other.receive(try person.terminal.output())
      return other.lines == lines
    }
    try await person.quit()
  }
}
