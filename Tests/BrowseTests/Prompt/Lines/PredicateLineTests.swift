import Query
@testable import Store
import Terminal
import Testing

@testable import Browse

@Suite struct PredicateLineTests {
  static let three = ["ada.yaml": "rating: 9", "bob.yaml": "rating: 8", "cleo.yaml": "rating: 10"]

  @Test func `a correct predicate filters, and a mistake leaves the last one`() {
    var driver = ScreenDriver(Self.three)
    driver.press(":")
    driver.type("rating > 8")
    #expect(driver.rows == ["ada", "cleo"])
    driver.type(" AND (")
    #expect(driver.rows == ["ada", "cleo"])
    driver.press("ctrl-u")
    #expect(driver.rows == ["ada", "bob", "cleo"])
  }

  @Test func `the name of a field that is being typed does not empty the list`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 9", "bob.yaml": "done: true"])
    driver.press(":")
    for character in "rating > 8" {
      driver.type(String(character))
      #expect(!driver.rows.isEmpty)
    }
    #expect(driver.rows == ["ada"])
    driver.type(" OR NOT don")
    #expect(driver.rows == ["ada"])
    driver.press("ctrl-u")
    driver.type("done")
    #expect(driver.rows == ["ada", "bob"])
    driver.press("enter")
    #expect(driver.rows == ["bob"])
    driver.press(":", "ctrl-u")
    driver.type("(done)")
    #expect(driver.rows == ["bob"])
  }

  @Test func `a mistake is shown below its column`() {
    var driver = ScreenDriver(Self.three, columns: 120, rows: 10)
    driver.press(":")
    driver.type("rating + 1")
    #expect(driver.lines[7] == ":rating + 1")
    #expect(driver.lines[8].hasPrefix("        ^ column 8: expected a comparison"))
    #expect(driver.canvas.cursor == CellPosition(row: 7, column: 11))
  }

  @Test func `a mistake in a long line is below its column, and its message wraps`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 12)
    driver.press(":")
    driver.type("rating > 3 AND rating > 4 AND rating > 5 AND > AND rating = 10")
    let caret = driver.lines.firstIndex { $0.drop { $0 == " " } == "^" }
    let row = caret ?? 1
    #expect(caret != nil)
    let column = driver.lines[row].count - 1
    #expect(Array(driver.lines[row - 1])[column] == ">")
    #expect(driver.lines[row + 1].hasPrefix("column 46: "))
  }

  @Test func `enter keeps a correct predicate and leaves a mistake open`() {
    var driver = ScreenDriver(Self.three)
    driver.press(":")
    driver.type("rating >")
    driver.press("enter")
    #expect(driver.screen.panes.prompt.isOpen)
    driver.type(" 9")
    driver.press("enter")
    #expect(!driver.screen.panes.prompt.isOpen)
    #expect(driver.rows == ["cleo"])
    driver.press(":")
    #expect(driver.text.contains(":rating > 9"))
  }

  @Test func `escape restores the predicate before, and the text is in the history`() {
    var driver = ScreenDriver(Self.three)
    driver.press(":")
    driver.type("rating > 8")
    driver.press("enter", ":", "ctrl-u")
    driver.type("rating = 8 AND")
    driver.press("esc")
    #expect(driver.rows == ["ada", "cleo"])
    driver.press(":", "up")
    #expect(driver.text.contains(":rating = 8 AND"))
    driver.press("up")
    #expect(driver.text.contains(":rating > 8"))
    driver.press("down", "down", "esc")
    #expect(driver.rows == ["ada", "cleo"])
  }
}
