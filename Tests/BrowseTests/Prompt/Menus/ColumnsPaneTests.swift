@testable import Store
import Terminal
import Testing
import Streams

@testable import Browse
@testable import Folder
@testable import Query

@Suite struct ColumnsPaneTests {
  private static var settings: Settings {
    var view = ViewDefinition()
    (view.sort, view.query) = (["-rating"], SearchQuery(typed: "a"))
    var settings = Settings()
    settings.views["best"] = view
    return settings
  }

  private func driver(columns: Int = 90, view: String? = nil) -> ScreenDriver {
    var options = ScreenOptions()
    options.view = view
    let request = view.flatMap { Self.settings.views[$0]?.request } ?? FetchRequest()
    return ScreenDriver(
      MenuTests.files, request: request, columns: columns, options: options, settings: Self.settings)
  }

  @Test func `each key changes the list, and Enter keeps it`() {
    var driver = driver()
    driver.press("c")
    #expect(driver.text.contains("> [x] name"))
    #expect(driver.text.contains("  [x] rating"))
    #expect(driver.text.contains("  [ ] @modified"))
    driver.press("j", "space")
    #expect(!driver.request.fields.contains("rating"))
    #expect(driver.request.fields.first == "name")
    driver.press("space", "K")
    #expect(driver.request.fields.prefix(2) == ["rating", "name"])
    driver.press("enter")
    #expect(driver.lines[0].contains("rating  name"))
    #expect(driver.effects.isEmpty)
  }

  @Test func `Escape brings back the columns of before`() {
    var driver = driver()
    let lines = driver.lines
    driver.press("c", "j", "space", "right", "r", "space", "esc")
    #expect(driver.request.fields.isEmpty)
    #expect(driver.request.widths.isEmpty)
    #expect(driver.lines == lines)
  }

  @Test func `a width is that of the screen and more or less, and 0 takes it away`() {
    var driver = driver()
    driver.press("c", "right", "right", "right")
    let width = driver.request.widths["name"] ?? 0
    #expect(width > 8)
    #expect(driver.request.fields.isEmpty)
    driver.press("left", "left")
    #expect(driver.request.widths["name"] == width - 4)
    for _ in 0..<20 { driver.press("left") }
    #expect(driver.request.widths["name"] == 4)
    #expect(driver.text.contains("> [x] name  width 4"))
    driver.press("enter")
    #expect(driver.line(of: "cleo")?.hasPrefix("    Cleo  ") == true)
    driver.press("c", "0")
    #expect(driver.request.widths.isEmpty)
  }

  @Test func `the last column stays`() {
    var driver = driver()
    driver.press("c")
    for _ in 0..<4 { driver.press("space", "j") }
    #expect(driver.request.fields == ["tags"])
    #expect(driver.text.contains("[x] tags"))
    driver.press("r")
    #expect(driver.request.fields.isEmpty)
    #expect(driver.text.contains("[x] name"))
  }

  @Test func `the mouse shows and hides`() {
    var driver = driver()
    driver.press("c")
    let row = driver.lines.firstIndex { $0.contains("[x] rating") } ?? 0
    driver.mouse(.press, row: row, column: 40)
    #expect(!driver.request.fields.isEmpty)
    #expect(!driver.request.fields.contains("rating"))
  }

  @Test func `a view is saved under a name, without what is typed in the search`() {
    var driver = driver(view: "best")
    driver.press("/")
    driver.type("o")
    driver.press("tab", "c", "j", "space", "s")
    #expect(driver.text.contains("name: best"))
    #expect(driver.text.contains("Replaces the view `best`"))
    driver.type(" two")
    #expect(driver.text.contains("Adds the view `best two`"))
    driver.press("enter")
    guard case .act(.saveView(let name, let view, let settings))? = driver.effects.last else {
      Issue.record("nothing is saved: \(driver.effects)")
      return
    }
    #expect(name == "best two")
    #expect(settings == Self.settings)
    #expect(view.query?.text == "a")
    #expect(view.sort == ["-rating"])
    #expect(view.fields?.first == "name")
    #expect(view.fields?.contains("rating") == false)
    driver.change { $0.settings.views["best two"] = view }
    driver.answer(ActionOutcome("Saved the view best two."))
    #expect(driver.screen.view == "best two")
  }

  @Test func `a view without a name is not saved`() {
    var driver = driver()
    driver.press("c", "s", "enter", "space", "enter")
    #expect(driver.effects.isEmpty)
    #expect(driver.text.contains("Type a name for the view."))
    driver.press("esc")
    #expect(driver.text.contains("[x] name"))
  }

  @Test func `when an added view is gone again, the view of before is shown`() {
    var driver = driver(view: "best")
    driver.press("c", "s")
    driver.type("2")
    driver.press("enter")
    driver.change { $0.settings.views["best2"] = ViewDefinition() }
    driver.answer(ActionOutcome("Saved the view best2."))
    #expect(driver.screen.view == "best2")
    driver.change { $0.settings.views["best2"] = nil }
    #expect(driver.screen.view == "best")
  }

  @Test(arguments: [1, 3, 11, 12, 30]) func `the box fits every window`(columns: Int) {
    for rows in 1...12 {
      var driver = driver(columns: columns)
      driver.resize(columns: columns, rows: rows)
      driver.press("c", "j", "G", "space", "s", "x", "esc", "g", "esc")
      #expect(driver.lines.count == rows)
    }
  }
}

extension ScreenDriver {
  /// Answers the last action.
  fileprivate mutating func answer(_ outcome: ActionOutcome) {
    var outcome = outcome
    for case .act(let action) in effects { outcome.action = action }
    effects = []
    send(.outcome(outcome))
  }
}
