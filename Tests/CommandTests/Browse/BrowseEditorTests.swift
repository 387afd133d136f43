import TestSupport
import Testing

/// The editor of `browse`: what it saves, and what it leaves behind when it fails, dies or stops.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Machine.has("tmux") && Machine.has("bash"), "needs tmux and bash"))
struct BrowseEditorTests {
  private static let text = "name: Ada # kept\nage: 36\n"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "items/ada.yaml": BrowseEditorTests.text, "items/bob.yaml": "name: Bob\nage: 40\n", "tmp/.keep": "",
    ])
  }

  /// Starts `browse` with a script as the editor.
  private func start(_ editor: String) async throws -> TmuxSession {
    try folder.write("#!/bin/sh\n\(editor)\n", to: "editor")
    try await folder.shell("chmod +x editor")
    let terminal = try TmuxSession(
      "stty -a > before; \"$NOTES_WATCH\" browse items; code=$?; stty -a > after; (exit $code)", columns: 80,
      rows: 12, in: folder,
      environment: ["EDITOR": "\(folder.path)/editor", "TMPDIR": "\(folder.path)/tmp"])
    try await terminal.wait(for: "2 items")
    return terminal
  }

  private var ada: String {
    get throws { String(decoding: try folder.bytes(of: "items/ada.yaml"), as: UTF8.self) }
  }

  /// Ends `browse`, and checks that the terminal is as before.
  private func quit(_ terminal: TmuxSession) async throws {
    try terminal.press("q")
    try await terminal.wait(for: "ended with 0")
    #expect(try folder.bytes(of: "before") == folder.bytes(of: "after"))
  }

  @Test func `Enter saves what the editor left, and undo restores each byte`() async throws {
    let terminal = try await start("sed -i 's/36/37/' \"$1\"")
    try terminal.press("Enter")
    try await terminal.wait(for: "Saved ada")
    #expect(try ada == BrowseEditorTests.text.replacing("36", with: "37"))
    try terminal.press("u")
    try await terminal.wait(for: "Undid")
    #expect(try ada == BrowseEditorTests.text)
    #expect(try await folder.shell("ls tmp") == "")
    try await quit(terminal)
  }

  @Test func `the editor has the terminal although the standard streams are pipes`() async throws {
    try folder.write(
      "#!/bin/sh\ntest -t 0 && test -t 1 && test -t 2 && sed -i 's/36/38/' \"$1\"\n", to: "editor")
    try await folder.shell("chmod +x editor")
    let terminal = try TmuxSession(
      "echo | \"$NOTES_WATCH\" browse items 2> errors | cat > out", columns: 80, rows: 12, in: folder,
      environment: ["EDITOR": "\(folder.path)/editor", "TMPDIR": "\(folder.path)/tmp"])
    try await terminal.wait(for: "2 items")
    try terminal.press("Enter")
    try await terminal.wait(for: "Saved ada")
    try terminal.press("q")
    try await terminal.wait(for: "ended with 0")
    #expect(try await folder.shell("cat errors out") == "")
  }

  @Test(arguments: [("vim", "+2 FILE"), ("hx", "FILE:2"), ("code", "--goto FILE:2"), ("other", "FILE")])
  func `Enter on a problem opens the file itself at its line`(editor: String, words: String) async throws {
    let path = "items/+bad one.yaml"
    try folder.write("a: 1\na: 2\n", to: path)
    try folder.write(
      "#!/bin/sh\necho \"$@\" > words\nprintf 'a: 1\\n' > \"items/+bad one.yaml\"\n", to: editor)
    try await folder.shell("chmod +x \(editor)")
    let terminal = try TmuxSession(
      "stty -a > before; \"$NOTES_WATCH\" browse items; code=$?; stty -a > after; (exit $code)", columns: 80,
      rows: 12, in: folder, environment: ["EDITOR": "\(folder.path)/\(editor)"])
    try await terminal.wait(for: "2 items")
    try terminal.press("k", "Enter")
    try await terminal.wait(for: "3 items")
    try await terminal.wait(until: "no problem") { !$0.contains { $0.contains("roblem") } }
    #expect(try await folder.shell("cat words") == words.replacing("FILE", with: path) + "\n")
    try await quit(terminal)
  }

  @Test func `a problem that is no file is not opened`() async throws {
    try await folder.shell("mkfifo items/pipe.yaml; ln -s ada.yaml items/link.yaml")
    let terminal = try await start("touch opened")
    try terminal.press("k", "Enter")
    try await terminal.wait(for: "This is a FIFO")
    try terminal.press("k", "Enter")
    try await terminal.wait(for: "This is a symbolic link")
    #expect(try await folder.shell("ls opened 2> /dev/null || true") == "")
    try await quit(terminal)
  }

  @Test func `an editor that is killed in raw mode leaves the list and the terminal in order`() async throws {
    let terminal = try await start(
      "printf '\\033[?1049h\\033[?1002h\\033[2Jgone'; stty raw -echo; sed -i 's/36/37/' \"$1\"; kill -9 $$")
    try terminal.press("Enter")
    try await terminal.wait(for: "ended by signal 9")
    try terminal.press("j")
    try await terminal.wait(until: "the next row") {
      $0.contains { $0.hasPrefix(" >") && $0.contains("Bob") }
    }
    #expect(try ada == BrowseEditorTests.text)
    // What the person wrote is not lost.
    #expect(try await folder.shell("cat tmp/*/*").contains("age: 37"))
    try await quit(terminal)
  }

  @Test func `a text that is not valid can be edited again, and is kept otherwise`() async throws {
    let terminal = try await start("printf 'name: [\\n' > \"$1\"")
    try terminal.press("Enter")
    try await terminal.wait(for: "Edit it again?")
    try terminal.press("Enter")
    try await terminal.wait(until: "a second question") { $0.count { $0.contains("Edit it again?") } == 2 }
    try terminal.press("n", "Enter")
    try await terminal.wait(for: "was not changed")
    #expect(try ada == BrowseEditorTests.text)
    #expect(try await folder.shell("cat tmp/*/*") == "name: [\n")
    try await quit(terminal)
  }

  @Test func `a save of another program during the edit is kept, and so is the text`() async throws {
    let terminal = try await start("printf 'name: Eve\\n' > items/ada.yaml; sed -i 's/36/37/' \"$1\"")
    try terminal.press("Enter")
    try await terminal.wait(for: "Could not save")
    #expect(try ada == "name: Eve\n")
    #expect(try await folder.shell("cat tmp/*/*") == BrowseEditorTests.text.replacing("36", with: "37"))
    try terminal.press("q")
    try await terminal.wait(forEndOf: "Difference")
    try await quit(terminal)
  }

  @Test func `what is typed at an editor that does not read does not act on the list`() async throws {
    let terminal = try await start(
      "echo waiting; while [ ! -e go ]; do sleep 0.02; done; sed -i 's/36/37/' \"$1\"")
    try terminal.press("Enter")
    try await terminal.wait(for: "waiting")
    try terminal.press("d", "y", "Enter", "d", "y")
    try folder.write("", to: "go")
    try await terminal.wait(for: "Saved ada")
    #expect(try await folder.shell("ls items") == "ada.yaml\nbob.yaml\n")
    try await quit(terminal)
  }

  // MARK: Stopping

  @Test(arguments: ["kill -STOP $$", "kill -TSTP 0", "kill -TSTP $$"])
  func `an editor that stops gives the terminal to the shell, and goes on with fg`(stop: String) async throws
  {
    try folder.write("#!/bin/sh\necho here; \(stop); echo again; sed -i 's/36/37/' \"$1\"\n", to: "editor")
    try await folder.shell("chmod +x editor")
    let terminal = try TmuxSession(
      "PS1='ready> ' exec bash --norc --noprofile -i", columns: 80, rows: 12, in: folder,
      environment: ["EDITOR": "\(folder.path)/editor", "TMPDIR": "\(folder.path)/tmp"])
    try await terminal.wait(for: "ready>")
    try terminal.type("\"$NOTES_WATCH\" browse items; echo ended with $?\n")
    try await terminal.wait(for: "2 items")
    try terminal.press("Enter")
    try await terminal.wait(for: "Stopped")
    try terminal.type("clear; jobs\n")
    try await terminal.wait(for: "Stopped")
    try terminal.type("fg\n")
    try await terminal.wait(for: "Saved ada")
    #expect(try ada == BrowseEditorTests.text.replacing("36", with: "37"))
    try terminal.press("q")
    try await terminal.wait(for: "ready>")
  }
}
