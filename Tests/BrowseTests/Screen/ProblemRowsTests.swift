import Store
import Terminal
import Testing

@testable import Browse
@testable import Query

@Suite struct ProblemRowsTests {
  private static let broken = [
    "ada.yaml": "rating: 9", "bob.yaml": "rating: 8", "bad.yaml": "n: [", "x/worse.yaml": "{",
  ]

  private func driver(_ options: ScreenOptions = ScreenOptions(), rows: Int = 12) -> ScreenDriver {
    ScreenDriver(Self.broken, columns: 90, rows: rows, options: options)
  }

  private func opened(_ driver: ScreenDriver) -> [String] {
    driver.effects.compactMap { if case .open(let problem) = $0 { problem.path.description } else { nil } }
  }

  @Test func `problems are rows above the items, and the cursor begins on the first item`() {
    let driver = driver()
    #expect(driver.lines[1] == "Problems  2")
    #expect(driver.lines[2].hasPrefix("!   bad.yaml:1  "))
    #expect(driver.rows == ["bad.yaml", "x/worse.yaml", "ada", "bob"])
    #expect(driver.cursor == "ada")
    #expect(driver.status.contains("2 items · 2 problems"))
  }

  @Test func `many problems leave room for items at the start`() {
    let files = Dictionary(uniqueKeysWithValues: (0..<50).map { ("p\($0 + 10).yaml", "[") })
    let driver = ScreenDriver(files.merging(["ada.yaml": "n: 1", "bob.yaml": "n: 2"]) { $1 }, rows: 20)
    #expect(driver.rows.contains("bob"))
    #expect(driver.rows.contains("p59.yaml"))
    #expect(driver.cursor == "ada")
  }

  @Test(arguments: ["enter", "e"])
  func `a key opens the file of a problem at its line`(key: String) throws {
    var driver = driver()
    driver.press("k", key)
    #expect(opened(driver) == ["x/worse.yaml"])
    #expect(driver.lastTargets == [])
  }

  @Test func `a double click opens the file of a problem`() {
    var driver = driver()
    driver.mouse(.press, row: 2)
    driver.mouse(.press, row: 2)
    #expect(opened(driver) == ["bad.yaml"])
  }

  @Test(arguments: ["d", "=", "y", "Y", "space"])
  func `an action that needs an item says so on a problem`(key: String) {
    var driver = driver()
    // Selected items are not meant either: the cursor is elsewhere.
    driver.press("space", "g", key)
    #expect(driver.status.contains("This row is the problem of a file, not an item."))
    #expect(!driver.screen.panes.hasDialog)
    #expect(driver.effects.isEmpty)
    #expect(driver.screen.area.selection.ids == ["ada"])
  }

  @Test func `a solved problem goes, and the cursor goes to the next one and then to the items`() {
    var driver = driver()
    driver.press("g")
    driver.write("bad.yaml", "n: 1")
    #expect(driver.rows == ["x/worse.yaml", "ada", "bad", "bob"])
    #expect(driver.cursor == "x/worse.yaml")
    driver.remove("x/worse.yaml")
    #expect(driver.lines[1] == " >  ada       9")
    #expect(driver.cursor == "ada")
  }

  @Test func `a key pressed before a problem was solved opens no other file`() {
    var driver = driver()
    driver.press("g")
    driver.paintsAtOnce = false
    driver.write("bad.yaml", "n: 1")
    driver.press("enter")
    #expect(opened(driver) == [])
    #expect(driver.lastTargets == [])
    driver.paint()
    driver.press("enter")
    #expect(opened(driver) == ["x/worse.yaml"])
  }

  @Test func `problems that come at the top are seen, and the cursor stays on its item`() {
    var driver = ScreenDriver(ScreenTests.three, columns: 90, rows: 10)
    driver.press("j")
    driver.write("new.yaml", "n: [")
    #expect(driver.rows.first == "new.yaml")
    #expect(driver.cursor == "bob")
  }

  @Test func `a search shows the problems with its words, a predicate shows all`() throws {
    var driver = driver()
    driver.press("/")
    driver.type("WORSE")
    #expect(driver.rows == ["x/worse.yaml"])
    #expect(driver.cursor == "x/worse.yaml")
    driver.type(" nowhere")
    #expect(driver.rows == [])
    driver.press("esc")
    driver.show(FetchRequest(predicate: ItemPredicate("rating > 8")))
    #expect(driver.rows == ["bad.yaml", "x/worse.yaml", "ada"])
  }

  @Test func `a search without words shows no problem, and Enter opens none`() {
    var driver = ScreenDriver(["ada.yaml": "name: Ada", "bad.yaml": "a: [1,"])
    driver.press("/")
    driver.type("has:nope")
    #expect(driver.rows.isEmpty)
    driver.effects = []
    driver.press("enter")
    #expect(driver.effects.isEmpty)
  }

  @Test func `a filter for a pipeline has no rows of problems`() {
    var options = ScreenOptions()
    options.isFilter = true
    let driver = driver(options)
    #expect(driver.rows == ["ada", "bob"])
    #expect(driver.status.contains("2 problems"))
  }

  @Test func `a list of problems alone has them and says that there are no items`() {
    var driver = ScreenDriver(["bad.yaml": "["], columns: 60, rows: 10)
    #expect(driver.rows == ["bad.yaml"])
    #expect(driver.cursor == "bad.yaml")
    #expect(driver.text.contains("No items."))
    driver.press("enter")
    #expect(opened(driver) == ["bad.yaml"])
  }

  @Test func `the detail shows the file of a problem with its line in view`() throws {
    let lines = (1...60).map { "key\($0): value" } + ["key7: again"]
    var driver = ScreenDriver(
      ["ada.yaml": "n: 1", "bad.yaml": lines.joined(separator: "\n")], columns: 120, rows: 14)
    driver.press("g", "tab")
    let area = try #require(driver.screen.layout.detail)
    let text = area.rows.map { driver.canvas.text(row: $0) }.joined(separator: "\n")
    #expect(text.contains("bad.yaml"))
    #expect(text.contains("! 61 key7: again"))
    #expect(text.contains("^ The key `key7` appears twice"))
  }

  @Test func `a path and a message show their control characters as escapes`() {
    var driver = ScreenDriver(["ada.yaml": "n: 1"], columns: 90, rows: 10)
    driver.write("e\u{1B}[2J\u{202E}.yaml", "\"a\u{1B}]0;x\u{7}b")
    #expect(driver.rows.count == 2)
    let cells = driver.canvas.cells.map(\.text).joined().unicodeScalars
    #expect(!cells.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
  }

  @Test func `the cursor's row is where the list says, whatever the sections and the height`() {
    for rows in 1...14 {
      var driver = ScreenDriver(
        Self.broken, request: FetchRequest(section: SectionDescriptor("rating")), columns: 60, rows: rows)
      for (key, row) in [("g", "bad.yaml"), ("j", "x/worse.yaml"), ("G", "ada"), ("k", "bob")] {
        driver.press(key)
        #expect(driver.cursor == row, "height \(rows), key \(key)")
        if driver.screen.listRows.count > 0 {
          #expect(driver.rows.contains(row), "height \(rows), key \(key)")
        }
      }
    }
  }
}
