import Foundation
import TestSupport
import Testing

/// Every key of the list does on a real terminal what the help says, at three sizes, while another
/// program changes the folder.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Machine.has("tmux"), "needs tmux"))
struct BrowseKeysTests {
  private static let allSizes = [(40, 12), (80, 24), (200, 50)]

  /// One of the sizes for each test, another one in each run; with `make stress` all, many times.
  static var sizes: [(Int, Int)] {
    var random = SeededGenerator(seed: Randomness.seeds(1)[0])
    if Randomness.factor == 1 { return [random.one(of: allSizes)] }
    return (0..<max(1, Randomness.factor * 2 / 3)).flatMap { _ in allSizes }
  }

  @Test(arguments: sizes) func `the keys that move lead to the row that they name`(columns: Int, rows: Int)
    async throws
  {
    let person = try await BrowseJourney(columns: columns, rows: rows)
    try await person.beginNoise()
    try await person.go(to: "n05")
    for (key, id) in [
      ("j", "n06"), ("Down", "n07"), ("C-n", "n08"), ("k", "n07"), ("Up", "n06"), ("C-p", "n05"),
    ] {
      try await person.press(key, current: id)
    }
    for (there, back) in [("PPage", "NPage"), ("C-b", "C-f"), ("C-u", "C-d")] {
      try await person.press("G", current: "n39")
      try person.terminal.press(there)
      let lines = try await person.terminal.wait(until: "\(there) leaves the last row") {
        BrowseJourney.current($0) != "n39"
      }
      #expect(try #require(BrowseJourney.current(lines)) < "n39")
      try await person.press(back, current: "n39")
    }
    for (first, last) in [("g", "G"), ("Home", "End")] {
      try person.terminal.press(first)
      try await person.terminal.wait(until: "\(first) leads to the top") {
        BrowseJourney.current($0).map { $0 < "n01" } ?? false
      }
      try await person.press(last, current: "n39")
    }
    try await person.endNoise()
    try await person.go(to: "n10")
    try person.folder.write("named: New\nrating: 1\n", to: "data/n09.yaml")
    try await person.terminal.wait(for: "New")
    try await person.press("n", current: "n09")
    try await person.press("j", current: "n10")
    try await person.press("N", current: "n09")
    try await person.quit()
  }

  @Test(arguments: sizes) func `the keys that find show what they name`(columns: Int, rows: Int) async throws
  {
    let person = try await BrowseJourney(columns: columns, rows: rows)
    try await person.beginNoise()
    try await person.press(":", shows: ":")
    try person.terminal.type("rating = 7")
    try await person.terminal.wait(until: "the predicate") {
      BrowseJourney.ids($0) == ["n01", "n11", "n21", "n31"]
    }
    try await person.press("C-u", shows: "n00")
    try person.terminal.press("Enter")
    try await person.endNoise()
    try await person.press("o", shows: "Sort by")
    try person.terminal.type("rating")
    try await person.reorder("Enter", first: ["n00", "n10", "n20", "n30"])
    try await person.reorder("O", first: ["n07", "n17", "n27", "n37"])
    try await person.press("s", shows: "Sections")
    try person.terminal.type("group")
    try person.terminal.press("Enter")
    try await person.terminal.wait(until: "the title of a section") {
      $0.contains { $0.wholeMatch(of: /g[0-3]  10/) != nil }
    }
    try await person.press("v", shows: "View")
    try person.terminal.type("rated")
    try await person.press("Enter", shows: "16 ")
    try await person.press("v", shows: "View")
    try person.terminal.type("all")
    try await person.press("Enter", shows: "40 items")
    try await person.quit()
  }

  @Test(arguments: sizes) func `the keys that act change the painted item alone`(columns: Int, rows: Int)
    async throws
  {
    let person = try await BrowseJourney(columns: columns, rows: rows)
    let text = BrowseJourney.text(5)
    try await person.beginNoise()
    try await person.go(to: "n05")
    try await person.press("d", shows: "Delete `n05`")
    try await person.press("n", hides: "Delete `n05`")
    try await person.press("d", shows: "Delete `n05`")
    try person.terminal.press("y")
    try await person.wait(for: "n05", toBe: nil)
    try await person.press("u", shows: "Undid the del")
    try await person.wait(for: "n05", toBe: text)
    try await person.go(to: "n05")
    try await person.press("=", shows: "for n05")
    try person.terminal.type("rating=77")
    try await person.press("Enter", shows: "Changed n05")
    try await person.wait(for: "n05", toBe: text.replacing("rating: 5", with: "rating: 77"))
    try await person.press("u", shows: "Undid the change")
    try await person.wait(for: "n05", toBe: text)
    for key in ["Enter", "e"] {
      try await person.press(key, shows: "Saved n05")
      try await person.wait(for: "n05", toBe: text.replacing("Name", with: "Edited"))
      try await person.press("u", shows: "Undid the edit")
      try await person.wait(for: "n05", toBe: text)
    }
    try await person.press("a", shows: "Add an item")
    try person.terminal.type("z0")
    try await person.press("C-s", shows: "Added z0")
    try await person.press("u", shows: "Undid the add")
    try await person.wait(for: "z0", toBe: nil)
    try await person.go(to: "n05")
    try await person.press("Space", shows: "1 selected")
    try await person.press("Space", shows: "2 selected")
    try await person.press("d", shows: "Delete 2 items")
    try person.terminal.press("y")
    try await person.wait(for: "n05", toBe: nil)
    try await person.wait(for: "n06", toBe: nil)
    try await person.terminal.wait(for: "Deleted 2")
    try await person.press("u", shows: "Undo the deletion of 2 items")
    try await person.press("y", shows: "Undid the del")
    try await person.wait(for: "n06", toBe: BrowseJourney.text(6))
    try await person.press("y", shows: "Sent ")
    try await person.press("Y", shows: ".yaml to")
    try await person.endNoise()
    for number in 0..<40 {
      #expect(
        try person.folder.bytes(of: "data/\(BrowseJourney.id(number)).yaml")
          == Array(BrowseJourney.text(number).utf8))
    }
    try await person.quit()
  }

  @Test(arguments: sizes) func `the keys that show open and close their panes`(columns: Int, rows: Int)
    async throws
  {
    let person = try await BrowseJourney(columns: columns, rows: rows)
    try await person.beginNoise()
    try await person.go(to: "n05")
    try await person.press("Tab", shows: "named: Name 5")
    for _ in 0..<12 { try person.terminal.press("J") }
    try await person.terminal.wait(forEndOf: "named: Name 5")
    for _ in 0..<12 { try person.terminal.press("K") }
    try await person.terminal.wait(for: "named: Name 5")
    try await person.press("Tab", hides: "named: Name 5")
    try await person.press("l", shows: "Log")
    try await person.press("l", hides: "Log")
    try await person.press("?", shows: "Keys")
    try await person.press("Escape", hides: "Keys")
    try await person.press("p", shows: "paused")
    try await person.terminal.wait(until: "something waits") { $0.last?.contains(/paused, [1-9]/) == true }
    try await person.press("p", hides: "paused")
    try await person.endNoise()
    try await person.terminal.wait(until: "the marks fade") {
      !$0.contains { $0.first == "~" || $0.first == "+" }
    }
    let before = try person.terminal.lines()
    try person.terminal.press("C-l")
    try await person.terminal.wait(until: "the same screen") { $0 == before }
    try await person.press("Space", shows: "1 selected")
    try await person.press("Escape", hides: "1 selected")
    try await person.quit()
  }

  @Test(arguments: sizes) func `the mouse and the window lead to the same rows`(columns: Int, rows: Int)
    async throws
  {
    let person = try await BrowseJourney(columns: columns, rows: rows)
    try person.terminal.click(row: 5, column: 6)
    try await person.terminal.wait(until: "the click leads to n04") { BrowseJourney.current($0) == "n04" }
    // Two clicks on one row are Enter.
    try person.terminal.click(row: 5, column: 6, times: 2)
    try await person.terminal.wait(for: "Saved n04")
    for (columns, rows) in [(1, 1), (300, 60), (41, 9), (columns, rows)] {
      try person.terminal.resize(columns: columns, rows: rows)
    }
    try await person.terminal.wait(until: "the old size") {
      $0.count == rows && BrowseJourney.current($0) == "n04"
    }
    try await person.terminal.wait(until: "the cursor of the terminal on the current row") { lines in
      let row = try person.terminal.cursor().row
      return lines.indices.contains(row) && lines[row].contains("n04")
    }
    try await person.quit()
  }
}

extension BrowseJourney {
  /// Presses a key that changes the order, goes to the top, and expects these rows there.
  func reorder(_ key: String, first ids: [String]) async throws {
    let before = BrowseJourney.ids(try terminal.lines())
    try terminal.press(key)
    // The key below means the first row of the new list.
    try await terminal.wait(until: "\(key) changes the order") {
      ![[], before].contains(BrowseJourney.ids($0))
    }
    try terminal.press("g")
    try await terminal.wait(until: "\(ids) are first") {
      Array(BrowseJourney.ids($0).prefix(ids.count)) == ids
    }
  }

  /// Quits, and expects the screen of before.
  func quit() async throws {
    try terminal.press("q")
    let lines = try await terminal.wait(for: "ended with")
    #expect(lines.contains { $0.contains("ended with 0") }, "\(lines)")
    #expect(try terminal.value("alternate_on") == "0")
  }
}
