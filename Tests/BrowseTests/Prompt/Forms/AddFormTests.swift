import Query
@testable import Store
import Synchronization
import Terminal
import Testing

@testable import Browse
@testable import Folder

@Suite struct AddFormTests {
  static let files = [
    "a/ada.yaml": "name: Ada\nrating: 9\ntags: [x]\ndone: true",
    "a/bob.yaml": "name: Bob\nrating: 8\ntags: [y]\ndone: false",
    "a/cleo.yaml": "name: Cleo\nrating: 10\nodd: 1",
  ]

  private func driver(
    _ defaults: String = "{createdAt: \"@now\", friends/: {group: friends}}", columns: Int = 80
  ) throws -> ScreenDriver {
    var settings = Settings()
    guard case .map(let fields) = try PackedValue(reading: Array(defaults.utf8), as: .yaml).value else {
      return ScreenDriver()
    }
    settings.defaults = try ItemDefaults(fields, at: ["defaults"])
    var options = ScreenOptions()
    options.checkWord = {
      $0.hasSuffix("[") ? (column: 1, message: "This list is not closed.") : nil
    }
    return ScreenDriver(Self.files, columns: columns, rows: 24, options: options, settings: settings)
  }

  private func added(_ driver: ScreenDriver) -> (id: String, words: [String])? {
    for case .act(.add(let id, let words)) in driver.effects.reversed() { return (id, words) }
    return nil
  }

  private func labels(_ driver: ScreenDriver) -> [String] {
    (driver.screen.panes.prompt.pane as? AddForm)?.rows.map(\.label) ?? []
  }

  @Test func `a form has the id, the common fields and the defaults`() throws {
    var driver = try driver()
    driver.press("a")
    #expect(labels(driver) == ["id", "name", "rating", "tags", "done", "createdAt"])
    #expect(driver.text.contains("createdAt  @now (default)"))
  }

  @Test func `the defaults are those of the folder that is typed`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("friends/z")
    #expect(labels(driver).contains("group"))
    driver.press("ctrl-u")
    #expect(!labels(driver).contains("group"))
    driver.type("friends/z")
    driver.press("up")
    driver.type("mine")
    driver.press("down", "ctrl-u")
    #expect(labels(driver).contains("group"))
  }

  @Test func `a key in a field does not check it, and leaving the field does`() throws {
    var options = ScreenOptions()
    let checked = Mutex<[String]>([])
    options.checkWord = { word in
      checked.withLock { $0.append(word) }
      return (column: 1, message: "Never.")
    }
    var driver = ScreenDriver(Self.files, columns: 80, rows: 24, options: options)
    driver.press("a", "down")
    driver.type("Zed")
    #expect(checked.withLock { $0 } == [])
    driver.press("down")
    #expect(driver.text.contains("Never."))
    driver.type("7")
    #expect(checked.withLock { $0 } == [#"name:="Zed""#])
  }

  @Test func `enter goes on, and on the last field adds`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("z")
    for text in ["Zed", "7", "a, b ,", "true", ""] {
      driver.press("enter")
      driver.type(text)
    }
    #expect(added(driver) == nil)
    driver.press("enter")
    #expect(added(driver)?.id == "z")
    #expect(
      added(driver)?.words == [
        "name:=\"Zed\"", "rating=7", "tags:=[]", "tags+:=\"a\"", "tags+:=\"b\"", "done=true",
      ])
    #expect(!driver.screen.panes.prompt.isOpen)
  }

  @Test func `ctrl-s adds from any field, and empty fields are left out`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("z")
    driver.press("tab")
    driver.type("1984")
    driver.press("ctrl-s")
    #expect(added(driver)?.words == ["name:=\"1984\""])
  }

  @Test func `an id is needed`() throws {
    var driver = try driver()
    driver.press("a", "ctrl-s")
    #expect(added(driver) == nil)
    #expect(driver.text.contains("The id is missing."))
  }

  @Test func `a value of another kind needs a second ctrl-s`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("z")
    driver.press("tab", "tab")
    driver.type("good")
    #expect(driver.text.contains("This is not a number, as in the other items."))
    driver.press("ctrl-s")
    #expect(added(driver) == nil)
    driver.press("ctrl-s")
    #expect(added(driver)?.words == ["rating=good"])
  }

  @Test func `a mistake in a field keeps the form open`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("z")
    driver.press("tab", "tab", "tab")
    driver.type("[")
    driver.press("ctrl-s", "ctrl-s")
    #expect(added(driver) == nil)
    #expect(driver.text.contains("This list is not closed."))
  }

  @Test func `a refused addition opens the form again with everything`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("ada")
    driver.press("tab")
    driver.type("Other Ada")
    driver.press("ctrl-s")
    driver.write("a/new.yaml", "name: x")
    driver.resize(columns: 50, rows: 30)
    var outcome = ActionOutcome("There is already an item with this id.", isFailure: true)
    for case .act(let action) in driver.effects { outcome.action = action }
    driver.send(.outcome(outcome))
    #expect(driver.text.contains("Other Ada"))
    #expect(driver.text.contains("There is already an item with this id."))
    #expect((driver.screen.panes.prompt.pane as? AddForm)?.focus == 0)
    driver.type("2")
    driver.press("ctrl-s")
    #expect(added(driver)?.id == "ada2")
  }

  @Test func `a refused word is shown at its row`() throws {
    var driver = try driver()
    driver.press("a")
    driver.type("zoe")
    driver.press("tab", "tab")
    driver.type("@none")
    driver.press("ctrl-s", "ctrl-s")
    let words = try #require(added(driver)?.words)
    var outcome = ActionOutcome("zoe: There is no file none.", isFailure: true)
    for case .act(let action) in driver.effects { outcome.action = action }
    outcome.word = words.last
    driver.send(.outcome(outcome))
    #expect((driver.screen.panes.prompt.pane as? AddForm)?.focus == 2)
  }

  @Test func `escape has to be pressed twice once something was typed`() throws {
    var driver = try driver()
    driver.press("a", "esc")
    #expect(!driver.screen.panes.prompt.isOpen)
    driver.press("a", "z", "esc")
    #expect(driver.text.contains("Escape again discards this"))
    driver.press("y", "esc")
    #expect(driver.screen.panes.prompt.isOpen)
    driver.press("esc")
    #expect(!driver.screen.panes.prompt.isOpen)
    #expect(driver.effects.isEmpty)
  }

  @Test func `a form is usable in a small window`() throws {
    var driver = try driver(columns: 40)
    driver.press("a")
    for (columns, rows) in [(40, 12), (20, 6), (10, 3), (1, 1), (300, 50)] {
      driver.resize(columns: columns, rows: rows)
      driver.press("tab")
      #expect(driver.canvas.cursor.row < rows)
      #expect(driver.canvas.cursor.column < columns)
    }
    driver.press("shift-tab", "shift-tab", "shift-tab", "shift-tab", "shift-tab")
    driver.type("z")
    driver.press("ctrl-s")
    #expect(added(driver)?.id == "z")
  }

  @Test func `a click goes to a field`() throws {
    var driver = try driver()
    driver.press("a")
    let row = driver.lines.firstIndex { $0.contains("│ rating") } ?? 0
    driver.mouse(.press, row: row, column: 40)
    #expect((driver.screen.panes.prompt.pane as? AddForm)?.focus == 2)
  }
}
