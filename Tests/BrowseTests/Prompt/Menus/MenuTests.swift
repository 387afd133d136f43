@testable import Store
import Terminal
import Testing
import Streams

@testable import Browse
@testable import Folder
@testable import Query

@Suite struct MenuTests {
  static let files = [
    "ada.yaml": "name: Ada\nrating: 9\ngroup: x\ntags: [a]",
    "bob.yaml": "name: Bob\nrating: 8\ngroup: y\ntags: [a, b]",
    "cleo.yaml": "name: Cleo\nrating: 10\ngroup: x\ntags: []",
  ]

  private static var settings: Settings {
    var settings = Settings()
    var best = ViewDefinition()
    (best.sort, best.predicate, best.search) = (["-rating"], ItemPredicate("rating > 8"), "ada")
    var grouped = ViewDefinition()
    (grouped.section, grouped.sectionTitles) = ("group", ["x": "The X"])
    (settings.views["best"], settings.views["grouped"]) = (best, grouped)
    return settings
  }

  private func driver() -> ScreenDriver { ScreenDriver(Self.files, settings: Self.settings) }

  @Test func `a sort field is chosen by typing`() {
    var driver = driver()
    driver.press("o")
    #expect(driver.text.contains("* @id  ascending"))
    driver.type("rat")
    driver.press("enter")
    #expect(driver.request.sort == ["rating"])
    #expect(driver.rows == ["bob", "ada", "cleo"])
    driver.press("O")
    #expect(driver.rows == ["cleo", "ada", "bob"])
    driver.press("o")
    #expect(driver.text.contains("> * rating  descending"))
  }

  @Test func `the hint of a menu fits the window`() {
    var driver = driver()
    driver.resize(columns: 40, rows: 12)
    driver.press("o")
    #expect(driver.text.contains(" type, Enter chooses, Esc closes "))
    driver.resize(columns: 80, rows: 12)
    #expect(driver.text.contains(" type to narrow, Enter chooses, Escape closes "))
    driver.resize(columns: 20, rows: 12)
    #expect(driver.text.contains(" Enter, Esc "))
  }

  @Test func `reversing a list without a sort field reverses its ids`() {
    var driver = driver()
    driver.press("O")
    #expect(driver.request.sort == ["-@id"])
    #expect(driver.rows == ["cleo", "bob", "ada"])
    driver.press("O")
    #expect(driver.rows == ["ada", "bob", "cleo"])
  }

  @Test func `a field that no choice names can be typed`() {
    var driver = driver()
    driver.press("o")
    driver.type("-address.city")
    driver.press("enter")
    #expect(driver.request.sort == ["-address.city"])
    driver.press("o")
    driver.type("a..b")
    #expect(driver.text.contains("Nothing matches."))
    driver.press("enter")
    #expect(driver.screen.panes.prompt.isOpen)
    driver.press("esc")
    #expect(driver.request.sort == ["-address.city"])
  }

  @Test func `arrows, pages and the wheel move in a menu, and its ends hold`() {
    var driver = driver()
    driver.press("o", "pgup", "up", "enter")
    #expect(driver.request.sort == ["name"])
    driver.press("o", "down", "ctrl-p", "tab", "enter")
    #expect(driver.request.sort == ["rating"])
    driver.press("o", "pgdn", "pgdn", "down", "enter")
    #expect(driver.request.sort == ["@size"])
  }

  @Test func `a click chooses, one outside of the menu does nothing`() {
    var driver = driver()
    driver.press("o")
    let row = driver.lines.firstIndex { $0.contains("│     rating") } ?? 0
    driver.mouse(.press, row: 0, column: 0)
    #expect(driver.screen.panes.prompt.isOpen)
    #expect(driver.cursor == "ada")
    driver.mouse(.press, row: row, column: 40)
    #expect(driver.request.sort == ["rating"])
  }

  @Test func `the terminal's cursor is on the choice`() {
    var driver = driver()
    driver.press("o")
    #expect(driver.lines[driver.canvas.cursor.row].contains("> * @id"))
    driver.press("up")
    #expect(driver.lines[driver.canvas.cursor.row].contains(">   "))
  }

  @Test func `sections are the folders, values, first letters and elements`() {
    var driver = driver()
    driver.press("s")
    #expect(driver.text.contains("* no sections"))
    driver.type("each")
    driver.press("enter")
    #expect(driver.request.section == SectionDescriptor("tags", by: .element))
    driver.press("s", "home")
    driver.type("name, first")
    driver.press("enter")
    #expect(driver.request.section == SectionDescriptor("name", by: .firstLetter))
    driver.press("s")
    driver.type("no sec")
    driver.press("enter")
    #expect(driver.request.section == nil)
  }

  @Test func `a section of the settings keeps its titles`() {
    var driver = driver()
    driver.press("s")
    driver.type("group")
    driver.press("enter")
    #expect(driver.request.section?.titles == ["x": "The X"])
  }

  @Test func `a view is chosen, and the present one is marked`() {
    var driver = driver()
    driver.press(":")
    driver.type("rating = 8")
    driver.press("enter", "v")
    #expect(driver.text.contains("> * all items"))
    #expect(driver.text.contains("best  by -rating, where rating > 8, search ada"))
    driver.type("best")
    driver.press("enter")
    #expect(driver.rows == ["ada"])
    #expect(driver.screen.search == "ada")
    #expect(driver.screen.predicate == nil)
    driver.press("v")
    #expect(driver.text.contains("> * best"))
    driver.press("up", "enter")
    #expect(driver.rows == ["ada", "bob", "cleo"])
    #expect(driver.screen.search == "")
  }

  @Test func `a menu is refused before the first list`() {
    var screen = Screen(size: ScreenSize(columns: 40, rows: 10), options: ScreenOptions())
    _ = screen.handle(.drawn(frame: 1), at: .now)
    for name in ["o", "O", "s", "v", "a"] {
      _ = screen.handle(.input(.key(Key(named: name)), frame: 1), at: .now)
    }
    #expect(!screen.panes.prompt.isOpen)
  }
}
