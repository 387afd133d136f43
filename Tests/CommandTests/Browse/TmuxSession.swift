import Foundation
import TestSupport

/// A command on a terminal that tmux provides. The terminal and the command end with the last
/// reference.
final class TmuxSession {
  /// A condition that did not come true in time, with what the screen showed.
  struct Timeout: Error, CustomStringConvertible {
    let description: String
  }

  let folder: TemporaryFolder
  private let socket: String
  private static let patience = Duration.seconds(20) * Patience.factor

  /// Starts a shell command in a folder.
  ///
  /// - Parameter recordsOutput: True to keep the bytes that the command writes, for `output()`.
  init(
    _ command: String, columns: Int, rows: Int, in folder: TemporaryFolder,
    environment: [String: String] = [:],
    recordsOutput: Bool = false
  ) throws {
    self.folder = folder
    socket = "\(folder.path)/.tmux-\(UInt32.random(in: 0 ... .max))"
    let home = "\(folder.path)/.home"
    let own = [
      "HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "XDG_CACHE_HOME": home,
      "XDG_RUNTIME_DIR": home, "LC_ALL": "C.UTF-8",
      "NOTES_WATCH": BuiltProgram.path, "EDITOR": "true", "VISUAL": "", "TZ": "UTC",
    ]
    let variables = own.merging(environment) { $1 }.map { "export \($0.key)='\($0.value)'" }.sorted().joined(
      separator: "\n")
    // The command begins when its output is recorded.
    let wait = recordsOutput ? "stty -echo; read start; stty echo" : ""
    try folder.write(
      "\(variables)\n\(wait)\n\(command)\necho \"ended with $?\"\nexec sleep 1000\n", to: ".command")
    try folder.write(
      """
      set -g status off
      set -sg escape-time 0
      set -g default-terminal tmux-256color
      set -g focus-events on
      set -g history-limit 2000
      """, to: ".tmux.conf")
    try folder.shell("mkdir -p .home")
    try run(
      "-f '\(folder.path)/.tmux.conf' new-session -d -x \(columns) -y \(rows) 'cd \"\(folder.path)\" && exec sh .command'"
    )
    if recordsOutput { try run("pipe-pane 'cat > \"\(folder.path)/.output\"'", "send-keys Enter") }
  }

  deinit {
    _ = try? run("kill-server")
    _ = try? folder.shell("rm -f '\(socket)'")
  }

  @discardableResult
  private func run(_ commands: String...) throws -> String {
    try folder.shell(commands.map { "tmux -S '\(socket)' \($0)" }.joined(separator: "; "))
  }

  /// Presses keys by the names that tmux gives them: `Enter`, `Escape`, `C-c`, `Down`, `j`.
  func press(_ keys: String...) throws {
    try run("send-keys \(keys.map { "'\($0)'" }.joined(separator: " "))")
  }

  /// Types a text.
  func type(_ text: String) throws { try run("send-keys -l -- '\(text.replacing("'", with: "'\\''"))'") }

  /// Sends bytes as they are, such as those of a mouse.
  func send(_ bytes: [UInt8]) throws {
    try run("send-keys -H \(bytes.map { String($0, radix: 16) }.joined(separator: " "))")
  }

  /// Presses and releases the left button at a cell, counted from 0.
  func click(row: Int, column: Int, times: Int = 1) throws {
    let click = "\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m"
    try send(Array(String(repeating: click, count: times).utf8))
  }

  func resize(columns: Int, rows: Int) throws { try run("resize-window -x \(columns) -y \(rows)") }

  /// The lines of the screen, without blanks at their ends.
  func lines() throws -> [String] {
    var lines = try run("capture-pane -p").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    if lines.last == "" { lines.removeLast() }
    return lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  }

  /// The row and column of the cursor, counted from 0.
  func cursor() throws -> (row: Int, column: Int) {
    let numbers = try run("display-message -p '#{cursor_y} #{cursor_x}'").split(
      whereSeparator: \.isWhitespace
    ).compactMap { Int($0) }
    return (numbers.first ?? -1, numbers.last ?? -1)
  }

  /// A value of the terminal by its name in tmux, such as `alternate_on`.
  func value(_ name: String) throws -> String {
    try run("display-message -p '#{\(name)}'").trimmingCharacters(in: .newlines)
  }

  /// The bytes that the command has written.
  func output() throws -> [UInt8] { try folder.bytes(of: ".output") }

  /// Waits until the screen fulfils a condition, and returns its lines.
  @discardableResult
  func wait(until what: String, _ condition: ([String]) throws -> Bool) async throws -> [String] {
    let deadline = ContinuousClock.now + TmuxSession.patience
    while true {
      let lines = try lines()
      if try condition(lines) { return lines }
      if ContinuousClock.now > deadline {
        throw Timeout(description: "\(what) did not come:\n\(lines.joined(separator: "\n"))")
      }
      // tmux does not report that its screen has changed.
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Waits until a line of the screen contains a text.
  @discardableResult
  func wait(for text: String) async throws -> [String] {
    try await wait(until: text) { $0.contains { $0.contains(text) } }
  }

  /// Waits until no line of the screen contains a text.
  @discardableResult
  func wait(forEndOf text: String) async throws -> [String] {
    try await wait(until: "the end of \(text)") { !$0.contains { $0.contains(text) } }
  }
}
