import Query
@testable import Store
import Terminal
import Testing

@testable import Browse

@Suite struct SearchLineTests {
  static let three = ["ada.yaml": "rating: 9", "bob.yaml": "rating: 8", "barbara.yaml": "rating: 10"]

  private func first(_ change: (inout ScreenOptions) -> Void = { _ in }) -> ScreenDriver {
    var options = ScreenOptions()
    options.searchesFirst = true
    change(&options)
    return ScreenDriver(Self.three, options: options)
  }

  @Test func `each key filters the list`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/", "b")
    #expect(driver.rows == ["barbara", "bob"])
    driver.press("o")
    #expect(driver.rows == ["bob"])
    driver.press("backspace", "backspace")
    #expect(driver.rows == ["ada", "barbara", "bob"])
  }

  @Test func `enter keeps the search, escape restores the one before`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/", "b", "enter")
    #expect(driver.rows == ["barbara", "bob"])
    driver.press("/")
    driver.type("ob")
    #expect(driver.rows == ["bob"])
    driver.press("esc")
    #expect(driver.rows == ["barbara", "bob"])
    #expect(driver.screen.search == "b")
  }

  @Test func `a search is shown in its line with the cursor behind it`() {
    var driver = ScreenDriver(Self.three, columns: 20, rows: 8)
    driver.press("/")
    driver.type("ba")
    #expect(driver.lines[6] == "/ba")
    #expect(driver.canvas.cursor == CellPosition(row: 6, column: 3))
  }

  @Test func `up and down go to the matches, and Enter opens the one at the cursor`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/")
    driver.type("b")
    #expect(driver.rows == ["barbara", "bob"])
    driver.press("down")
    #expect(driver.cursor == "bob")
    driver.press("enter")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `Escape in the list ends a search that was kept`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/", "b", "tab")
    #expect(driver.rows == ["barbara", "bob"])
    driver.press("esc")
    #expect(driver.screen.search.isEmpty)
    #expect(driver.rows.count == 3)
    driver.press("esc")
    #expect(driver.effects.isEmpty)
  }

  @Test func `ctrl-p and ctrl-n show the searches of this run`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/", "a", "enter", "/", "ctrl-u", "b", "enter", "/", "ctrl-u", "x")
    driver.press("ctrl-p")
    #expect(driver.screen.search == "b")
    driver.press("ctrl-p")
    #expect(driver.screen.search == "a")
    driver.press("ctrl-p")
    #expect(driver.screen.search == "a")
    driver.press("ctrl-n", "ctrl-n")
    #expect(driver.screen.search == "x")
    driver.press("ctrl-n")
    #expect(driver.screen.search == "x")
  }

  @Test func `an abandoned search is in the history`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/")
    driver.type("bob")
    driver.press("esc", "/", "ctrl-p")
    #expect(driver.screen.search == "bob")
  }

  @Test func `a line with search first moves the list`() {
    var driver = first()
    driver.type("b")
    #expect(driver.rows == ["barbara", "bob"])
    #expect(driver.cursor == "barbara")
    driver.press("down")
    #expect(driver.cursor == "bob")
    driver.press("ctrl-k")
    #expect(driver.cursor == "barbara")
    driver.press("ctrl-n")
    #expect(driver.cursor == "bob")
    driver.press("ctrl-p", "ctrl-j", "pgup", "pgdn")
    #expect(driver.cursor == "bob")
    driver.type("o")
    #expect(driver.rows == ["bob"])
  }

  @Test func `enter in a filter chooses the row that was found`() {
    var driver = first { $0.isFilter = true }
    driver.type("bo")
    driver.press("enter")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `tab in a filter of several selects`() {
    var driver = first { ($0.isFilter, $0.isMulti) = (true, true) }
    driver.type("b")
    driver.press("tab", "tab", "enter")
    #expect(driver.lastTargets == ["barbara", "bob"])
  }

  @Test func `what is typed survives updates and sizes`() {
    var driver = ScreenDriver(Self.three)
    driver.press("/")
    driver.type("ba")
    driver.write("bar.yaml", "rating: 1")
    driver.resize(columns: 3, rows: 1)
    driver.resize(columns: 60, rows: 10)
    driver.remove("barbara.yaml")
    #expect(driver.lines[8] == "/ba")
    #expect(driver.rows == ["bar"])
  }
}
