@testable import Store
import Terminal
import Testing
import Streams

@testable import Browse
@testable import Folder
@testable import Query

@Suite struct StatusTextTests {
  private static let three = ScreenTests.three

  @Test func `the status line has the key of the help at its right end`() {
    let driver = ScreenDriver(Self.three, columns: 30, rows: 6)
    #expect(driver.status == " 3 items               ? help")
  }

  @Test func `the status line has no key of the help while it would be typed`() {
    var driver = ScreenDriver(Self.three)
    for key in ["/", ":", "=", "a", "o", "d"] {
      driver.press(key)
      #expect(!driver.status.contains("help"), "\(key)")
      driver.press("esc")
      #expect(driver.status.hasSuffix("? help"), "\(key)")
    }
  }

  @Test func `the status line leaves out what has no room, the help last`() {
    var driver = ScreenDriver(Self.three, request: FetchRequest(sort: ["-rating"]), columns: 40, rows: 6)
    #expect(driver.status.hasSuffix("sort -rating · ? help"))
    driver.resize(columns: 24, rows: 6)
    #expect(driver.status == " 3 items         ? help")
    driver.resize(columns: 14, rows: 6)
    #expect(driver.status == " 3 items")
  }

  @Test func `the status line shows the order, the sections and the filters of the list`() {
    var driver = ScreenDriver(
      Self.three, request: FetchRequest(sort: ["rating"], section: SectionDescriptor("rating")))
    #expect(driver.status.hasSuffix("sort rating · section rating · ? help"))
    driver.press(":")
    driver.type("rating > 8")
    #expect(driver.status.hasPrefix(" 2 of 3  "))
    driver.press("enter")
    #expect(driver.status.hasPrefix(" 2 of 3 · :rating > 8 "))
    driver.press("/")
    driver.type("ad")
    driver.press("enter")
    #expect(driver.status.hasPrefix(" 1 of 3 · :rating > 8 · /ad "))
  }

  @Test func `the status line names the view`() {
    var view = ViewDefinition()
    view.sort = ["-rating"]
    let settings = Settings(views: ["best": view])
    var driver = ScreenDriver(Self.three, settings: settings)
    driver.press("v", "down", "enter")
    #expect(driver.status.hasSuffix("view best · sort -rating · ? help"))
  }

  @Test func `a long message has the status line alone`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 6)
    driver.send(.outcome(ActionOutcome("Could not delete ada: it has changed.", isFailure: true)))
    #expect(driver.status == " Could not delete ada: it has changed.")
  }

  @Test func `a message that does not fit has rows of its own until the next key`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 12)
    let before = driver.lines
    driver.send(
      .outcome(ActionOutcome("Could not delete ada.yaml: It was changed in the meantime.", isFailure: true)))
    #expect(
      driver.lines.suffix(3) == [
        " Could not delete ada.yaml: It was", " changed in the meantime.", before.last,
      ])
    #expect(driver.rows == ["ada", "bob", "cleo"])
    driver.press("j")
    #expect(driver.lines.last == before.last)
    #expect(!driver.text.contains("meantime"))
  }

  @Test func `a message leaves room for the list, and shows that it goes on`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 7)
    driver.send(.outcome(ActionOutcome(String(repeating: "word ", count: 60), isFailure: true)))
    #expect(driver.rows == ["ada", "bob", "cleo"])
    #expect(driver.lines[5].hasSuffix("…"))
    #expect(driver.status.hasPrefix(" 3 items"))
    // In a smaller window it is in the status line, as far as it fits.
    driver.resize(columns: 40, rows: 5)
    #expect(driver.status.hasPrefix(" word word"))
  }

  @Test func `a line that is edited keeps its rows when a message comes`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 12)
    driver.press("/")
    driver.send(
      .outcome(ActionOutcome("Could not delete ada.yaml: It was changed in the meantime.", isFailure: true)))
    #expect(driver.lines[10] == "/")
    #expect(driver.status.hasPrefix(" Could not delete ada.yaml"))
  }

  @Test func `the last change is shortened, then left out, where there is no room`() {
    var driver = ScreenDriver(Self.three, columns: 40, rows: 6)
    driver.write("ada.yaml", "rating: 1", origin: .git)
    #expect(driver.status.hasPrefix(" 3 items · last change: git"))
    driver.resize(columns: 24, rows: 6)
    #expect(driver.status == " 3 items · git   ? help")
    driver.resize(columns: 12, rows: 6)
    #expect(driver.status == " 3 items")
  }

  @Test func `the number of items is that of the folder in a limited list, too`() {
    var driver = ScreenDriver(Self.three, request: FetchRequest(limit: 2))
    #expect(driver.status.hasPrefix(" 2 of 3 "))
    driver.press("/")
    driver.type("nothing")
    #expect(driver.status == " 0 of 3")
  }

  // MARK: The person's own changes

  private func outcome(changing ids: [Item.ID], of driver: ScreenDriver) -> ActionOutcome {
    var outcome = ActionOutcome("Done.")
    outcome.action = driver.effects.compactMap { if case .act(let action) = $0 { action } else { nil } }.last
    outcome.changed = ids
    return outcome
  }

  private func set(_ driver: inout ScreenDriver) {
    driver.press("=")
    driver.type("rating=5")
    driver.press("enter")
  }

  @Test func `the person's own change is the last change, whichever of update and outcome comes first`() {
    var driver = ScreenDriver(Self.three, columns: 120)
    set(&driver)
    driver.write("ada.yaml", "rating: 5")
    #expect(driver.status.contains("last change: files"))
    driver.send(.outcome(outcome(changing: ["ada"], of: driver)))
    #expect(driver.status.contains("last change: you"))
    driver.write("ada.yaml", "rating: 6")
    #expect(driver.status.contains("last change: files"))
    set(&driver)
    driver.send(.outcome(outcome(changing: ["ada"], of: driver)))
    driver.write("ada.yaml", "rating: 5")
    #expect(driver.status.contains("last change: you"))
  }

  @Test func `a change of another program beside the person's own is one of files`() {
    var driver = ScreenDriver(Self.three, columns: 120)
    set(&driver)
    driver.change { store in
      store.write("ada.yaml", "rating: 5")
      store.write("bob.yaml", "rating: 5")
    }
    driver.send(.outcome(outcome(changing: ["ada"], of: driver)))
    #expect(driver.status.contains("last change: files"))
    set(&driver)
    driver.send(.outcome(outcome(changing: ["ada"], of: driver)))
    driver.time += .seconds(2)
    driver.write("ada.yaml", "rating: 6")
    #expect(driver.status.contains("last change: files"))
  }

  @Test func `a message leaves the last change visible where there is room`() {
    var driver = ScreenDriver(Self.three)
    driver.write("ada.yaml", "rating: 1", origin: .git)
    driver.send(.outcome(ActionOutcome("Changed ada.")))
    #expect(driver.status.hasPrefix(" 3 items · Changed ada. · last change: git "))
  }

  @Test func `a predicate without a match says so, with hints`() {
    var driver = ScreenDriver(Self.three)
    driver.press(":")
    driver.type("rating > 99")
    #expect(driver.text.contains("No item matches the predicate."))
    driver.send(.list(report(driver, hints: ["no item has the field `ratin`."])))
    #expect(driver.text.contains("Hint: no item has the field `ratin`."))
    driver.send(.list(report(driver, hints: nil)))
    #expect(driver.text.contains("Hint: no item has"))
    driver.send(.list(report(driver, hints: [])))
    #expect(!driver.text.contains("Hint:"))
  }

  @Test func `a warning about quotes stays until it no longer holds`() {
    var driver = ScreenDriver(["ada.yaml": "group: work", "bob.yaml": "name: Bob"], columns: 60, rows: 16)
    driver.press(":")
    driver.type("group = done OR name = 'Bob'")
    driver.press("enter")
    #expect(driver.text.contains("Warning: no item has the field `done`"), "\(driver.text)")
    driver.press("j", "k")
    #expect(driver.text.contains("Warning: no item has the field `done`"))
    driver.write("ada.yaml", "group: work\ndone: 5")
    #expect(!driver.text.contains("Warning"), "\(driver.text)")
  }

  @Test func `a list that is empty because of forgotten quotes shows the warning while one types`() {
    var driver = ScreenDriver(["ada.yaml": "group: work"], columns: 60, rows: 16)
    driver.press(":")
    driver.type("group = done")
    #expect(driver.text.contains("Warning: no item has the field `done`"), "\(driver.text)")
  }

  private func report(_ driver: ScreenDriver, hints: [String]?) -> ListReport {
    var report = ListReport(driver.list, nil, settings: Settings(), isPolled: false)
    report.hints = hints
    return report
  }

  @Test func `the cursor goes to an item that came back, unless a key was pressed`() {
    var driver = ScreenDriver(Self.three)
    driver.remove("cleo.yaml")
    driver.press("u")
    driver.write("cleo.yaml", "rating: 1")
    driver.send(.outcome(restored("cleo")))
    #expect(driver.cursor == "cleo")
    driver.press("u", "k")
    driver.send(.outcome(restored("cleo")))
    #expect(driver.cursor == "bob")
  }

  @Test func `the cursor goes to an item that comes back after the outcome`() {
    var driver = ScreenDriver(["ada.yaml": "", "bob.yaml": ""])
    driver.press("u")
    driver.send(.outcome(restored("cleo")))
    #expect(driver.cursor == "ada")
    driver.write("cleo.yaml", "rating: 1")
    #expect(driver.cursor == "cleo")
    driver.press("g")
    driver.write("cleo.yaml", "rating: 2")
    #expect(driver.cursor == "ada")
  }

  @Test func `the mouse keeps the cursor where the person puts it`() {
    var driver = ScreenDriver(Self.three)
    driver.press("u")
    driver.mouse(.press, row: 2)
    driver.send(.outcome(restored("cleo")))
    #expect(driver.cursor == "bob")
    driver = ScreenDriver(Self.three)
    driver.press("u")
    driver.send(.outcome(restored("dan")))
    driver.mouse(.wheelDown, row: 2)
    driver.write("dan.yaml", "rating: 1")
    #expect(driver.cursor == "cleo")
  }

  @Test func `the release of a button does not keep the cursor from an item that came back`() {
    var driver = ScreenDriver(Self.three)
    driver.press("u")
    driver.mouse(.release, row: 2)
    driver.send(.outcome(restored("cleo")))
    #expect(driver.cursor == "cleo")
  }

  private func restored(_ id: Item.ID) -> ActionOutcome {
    var outcome = ActionOutcome("Undid the deletion of \(id).")
    outcome.focus = id
    return outcome
  }
}
