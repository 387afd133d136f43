import Foundation
import TestSupport
import Testing

/// A picture of the screen in a page: how the built program looks after some keys.
struct BrowsePicture: Sendable, CustomTestStringConvertible {
  let name: String
  /// The page, as a path in the repository.
  var page = "docs/browse.md"
  var arguments = "contacts --view contacts"
  var columns = 80
  var rows = 16
  /// A shell command that runs before the program.
  var before = ":"
  /// Presses keys until the screen shows the picture.
  let keys: @Sendable (TmuxSession) async throws -> Void

  var testDescription: String { name }

  static let all: [BrowsePicture] = [
    BrowsePicture(name: "first", page: "README.md", rows: 10) { terminal in
      try await terminal.wait(for: "12 items")
      try await terminal.folder.shell("sed -i 's/Giorgio/Ugo/; s/Bellini/Abel/' contacts/giorgio-bellini.*")
      try await terminal.wait(for: "Ugo")
    },
    BrowsePicture(name: "list") { try await $0.wait(for: "12 items") },
    BrowsePicture(name: "search", rows: 10) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.type("/oka")
      try await terminal.wait(for: "2 of 12")
    },
    BrowsePicture(name: "predicate", rows: 10) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.type(":birthday > ")
      try await terminal.wait(for: "expected")
    },
    BrowsePicture(name: "detail", columns: 100, rows: 18) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("Tab")
      try await terminal.wait(for: "street:")
    },
    BrowsePicture(name: "change") { terminal in
      try await terminal.wait(for: "12 items")
      try await terminal.folder.shell("sed -i 's/Giorgio/Ugo/; s/Bellini/Abel/' contacts/giorgio-bellini.*")
      try await terminal.wait(for: "Ugo")
    },
    BrowsePicture(name: "log", rows: 18) { terminal in
      try await terminal.wait(for: "12 items")
      try await terminal.folder.shell("sed -i 's/Giorgio/Ugo/' contacts/giorgio-bellini.*")
      try await terminal.wait(for: "Ugo")
      try terminal.press("l")
      try await terminal.wait(for: "Giorgio → Ugo")
    },
    BrowsePicture(
      name: "problems", rows: 10,
      before: "printf 'firstName: [Ada\\n' > contacts/ada.yaml; printf 'a: 1\\na: 2\\n' > contacts/ben.yaml"
    ) { terminal in
      try await terminal.wait(for: "12 items")
      try await terminal.wait(for: "ben.yaml:2")
    },
    BrowsePicture(name: "delete", rows: 10) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("j", "d")
      try await terminal.wait(for: "Delete")
    },
    BrowsePicture(name: "set", rows: 10) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("=")
      try terminal.type("phone=")
      try await terminal.wait(for: "phone=")
    },
    BrowsePicture(name: "add", rows: 18) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("a")
      try await terminal.wait(for: "lastName")
    },
    BrowsePicture(name: "sort") { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("o")
      try await terminal.wait(for: "Sort")
    },
    BrowsePicture(name: "section", rows: 12) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("s")
      try await terminal.wait(for: "Sections")
    },
    BrowsePicture(name: "view", rows: 9) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("v")
      try await terminal.wait(for: "all items")
    },
    BrowsePicture(name: "columns", rows: 18) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("c")
      try await terminal.wait(for: "r resets")
      try terminal.type("jj ")
      try await terminal.wait(for: "[ ] lastName")
    },
    BrowsePicture(name: "difference", rows: 16) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.type("=phone=\"+46 8 465 004 90\"")
      try terminal.press("Enter")
      // The line that is typed has the number, too.
      try await terminal.wait(for: "Changed elin-astrom")
      try await terminal.folder.shell("sed -i 's/004 90/004 91/' contacts/elin-astrom.yaml")
      try await terminal.wait(for: "004 91")
      try terminal.press("u")
      try await terminal.wait(for: "Difference")
    },
    BrowsePicture(
      name: "height", arguments: "contacts --search okafor --height 7", rows: 10,
      before: "printf '%s\\n' '$ ls' contacts '$ notes-watch browse contacts --search okafor --height 7'"
    ) { try await $0.wait(for: "2 of 12") },
    BrowsePicture(name: "help", rows: 24) { terminal in
      try await terminal.wait(for: "12 items")
      try terminal.press("?")
      try await terminal.wait(for: "arrows scroll")
    },
  ]

  /// Waits until the screen shows a picture, and returns it: the lines without times, as a block
  /// of code.
  ///
  /// - Parameter isExpected: Returns true for the picture that is awaited.
  func take(until isExpected: (String) -> Bool) async throws -> String {
    let folder = try TemporaryFolder()
    try await folder.shell("cp -r '\(BuiltProgram.samples)/contacts' contacts")
    let command = "\(before); \"$NOTES_WATCH\" browse \(arguments)"
    let terminal = try TmuxSession(command, columns: columns, rows: rows, in: folder)
    try await keys(terminal)
    let lines = try await terminal.wait(until: "the picture \(name)") {
      isExpected(BrowsePicture.text(of: $0))
    }
    return BrowsePicture.text(of: lines)
  }

  private static func text(of lines: [String]) -> String {
    "```text\n\(lines.joined(separator: "\n").replacing(/\d\d:\d\d:\d\d/, with: "12:00:00"))\n```\n"
  }
}

/// A page with pictures.
struct BrowsePage {
  private(set) var text: String
  private let path: URL

  init(_ page: String) throws {
    path = URL(fileURLWithPath: "\(BuiltProgram.samples)/../\(page)")
    text = try String(contentsOf: path, encoding: .utf8)
  }

  /// The text of a picture; nil if the page does not have it.
  func picture(_ name: String) -> String? { range(of: name).map { String(text[$0]) } }

  /// Replaces a picture, and saves the page.
  mutating func set(_ name: String, _ new: String) throws {
    guard let range = range(of: name) else { return }
    text.replaceSubrange(range, with: new)
    try text.write(to: path, atomically: true, encoding: .utf8)
  }

  private func range(of name: String) -> Range<String.Index>? {
    guard let start = text.range(of: "<!-- picture: \(name) -->\n"),
      let end = text.range(of: "<!-- end of picture -->", range: start.upperBound..<text.endIndex)
    else { return nil }
    return start.upperBound..<end.lowerBound
  }
}
