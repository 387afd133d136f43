import Foundation
import TestSupport
import Testing
import Values

/// A person at the built program: presses keys, and looks at the screen.
final class BrowseJourney {
  let terminal: TmuxSession
  var folder: TemporaryFolder { terminal.folder }
  private static let count = 40

  /// Opens a folder of 40 items, `n00` to `n39`.
  init(columns: Int, rows: Int, _ arguments: String = "", recordsOutput: Bool = false) async throws {
    let folder = try TemporaryFolder([
      "data/.notes-watch.yaml":
        "views:\n  rated: {where: rating > 5, sort: [-rating]}\n  grouped: {section: group}\n"
    ])
    for number in 0..<BrowseJourney.count {
      try folder.write(BrowseJourney.text(number), to: "data/\(BrowseJourney.id(number)).yaml")
    }
    terminal = try TmuxSession(
      "\"$NOTES_WATCH\" browse data \(arguments)", columns: columns, rows: rows, in: folder,
      environment: ["EDITOR": "sed -i s/Name/Edited/"], recordsOutput: recordsOutput)
    try await terminal.wait(for: "40 items")
  }

  static func id(_ number: Int) -> String { number < 10 ? "n0\(number)" : "n\(number)" }

  static func text(_ number: Int) -> String {
    "named: Name \(number)\nrating: \(number * 7 % 10)\ngroup: g\(number % 4)\nnote: |\n"
      + (0..<60).map { "  line \($0)\n" }.joined()
  }

  // MARK: Edits going on

  /// Adds and removes items before the others, so that all rows move, until `endNoise()`.
  func beginNoise() async throws {
    try folder.write("", to: ".noise")
    // The process is in a session of its own before the shell ends.
    try await folder.shell(
      """
      setsid sh -c 'touch .quiet; i=0; while [ -e .noise ]; do i=$((i + 1)); echo "named: Noise $i" > .new; mv .new data/a$((i % 3)).yaml
      rm -f data/a$(((i + 1) % 3)).yaml; sleep 0.03; done; rm -f data/a?.yaml; rm .quiet' > /dev/null 2>&1 &
      until [ -e .quiet ]; do sleep 0.01; done
      """)
  }

  func endNoise() async throws {
    try folder.remove(".noise")
    // In a narrow window a message hides the counter until the next key.
    try terminal.press("C-l")
    try await terminal.wait(until: "the end of the noise") { lines in
      !FileManager.default.fileExists(atPath: "\(folder.path)/.quiet")
        && !lines.contains { $0.contains("Noise") }
        && lines.last?.contains("40 items") == true
    }
  }

  // MARK: Looking

  /// The id of the current row; nil if no row is current.
  static func current(_ lines: [String]) -> String? {
    for line in lines {
      let cells = Array(line)
      if cells.count > 4, cells[1] == ">" {
        return String(cells[3...].drop { $0 == " " }.prefix { $0 != " " })
      }
    }
    return nil
  }

  /// The ids of the rows, from the top.
  static func ids(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      let id = line.dropFirst(3).drop { $0 == " " }.prefix { $0 != " " }
      return id.count == 3 && (id.first == "n" || id.first == "a") && id.dropFirst().allSatisfy(\.isNumber)
        ? String(id) : nil
    }
  }

  // MARK: Pressing

  /// Presses a key, and waits until the row of an item is current.
  func press(_ key: String, current id: String) async throws {
    try terminal.press(key)
    try await terminal.wait(until: "\(key) leads to \(id)") { BrowseJourney.current($0) == id }
  }

  /// Presses a key, and waits for a text.
  @discardableResult
  func press(_ key: String, shows text: String) async throws -> [String] {
    try terminal.press(key)
    return try await terminal.wait(until: "\(key) shows \(text)") { $0.contains { $0.contains(text) } }
  }

  /// Presses a key, and waits until a text is gone.
  func press(_ key: String, hides text: String) async throws {
    try terminal.press(key)
    try await terminal.wait(until: "\(key) hides \(text)") { !$0.contains { $0.contains(text) } }
  }

  /// Makes the row of an item current by a search, and shows all items again.
  func go(to id: String) async throws {
    try await press("/", shows: "/")
    try terminal.type(id)
    try await terminal.wait(until: "the search finds \(id)") {
      BrowseJourney.current($0) == id && BrowseJourney.ids($0) == [id]
    }
    try terminal.press("C-u", "Enter")
    try await terminal.wait(until: "all items are there again") {
      BrowseJourney.ids($0).count > 3 && BrowseJourney.current($0) == id
    }
  }

  /// Waits until the file of an item has a text; nil waits until it is gone.
  func wait(for id: String, toBe text: String?) async throws {
    let path = "\(folder.path)/data/\(id).yaml"
    try await terminal.wait(until: "\(id) is \(text.map { "\($0.debugDescription)" } ?? "gone")") { _ in
      (try? String(contentsOfFile: path, encoding: .utf8)) == text
    }
  }
}
