import TerminalDevice
import Testing

@testable import PlainStore
@testable import TerminalView

@Suite struct StatusTextTests {
  private static let three = ScreenTests.three

  @Test func `the status line has the key of the help at its right end`() {
    let driver = ScreenDriver(Self.three, columns: 30, rows: 6)
    #expect(driver.status == " 3 items               ? help")
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
    var driver = ScreenDriver(Self.three, request: FetchRequest(sort: ["rating"], section: SectionDescriptor("rating")))
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

  private func restored(_ id: Item.ID) -> ActionOutcome {
    var outcome = ActionOutcome("Undid the deletion of \(id).")
    outcome.focus = id
    return outcome
  }
}
