@testable import Store
import Terminal
import Testing

@testable import Browse
@testable import Query

@Suite struct ScreenActionsTests {
  private static func filter(isMulti: Bool = false) -> ScreenOptions {
    var options = ScreenOptions()
    options.isFilter = true
    options.isMulti = isMulti
    options.expected = [Key(.character("x"), .control)]
    return options
  }

  private func quits(_ driver: ScreenDriver) -> [BrowseEnd] {
    driver.effects.compactMap { if case .quit(let end) = $0 { end } else { nil } }
  }

  @Test func `space selects rows for the next action`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "space")
    #expect(driver.cursor == "cleo")
    #expect(driver.line(of: "ada")?.hasPrefix("  * ada") == true)
    #expect(driver.status.contains("2 selected"))
    driver.press("e")
    #expect(driver.lastTargets == ["ada", "bob"])
    driver.press("esc", "e")
    #expect(driver.lastTargets == ["cleo"])
  }

  @Test func `a selected row stays selected while a search hides it`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "/")
    driver.type("cleo")
    driver.press("tab", "space", "e")
    #expect(driver.lastTargets == ["ada", "cleo"])
  }

  @Test func `a selected row that is deleted is not selected any more`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "space")
    driver.remove("ada.yaml")
    driver.press("e")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `an item that is selected in two sections is one target`() {
    let files = ["ada.yaml": "tags: [a, b]"]
    var driver = ScreenDriver(files, request: FetchRequest(section: SectionDescriptor("tags", by: .element)))
    driver.press("space", "space", "e")
    #expect(driver.lastTargets == ["ada"])
  }

  @Test func `enter chooses in a filter`() {
    var driver = ScreenDriver(ScreenTests.three, options: Self.filter())
    driver.press("j", "enter")
    #expect(quits(driver) == [.chosen(["bob"], Key(.enter))])
  }

  @Test func `an expected key chooses in a filter`() {
    var driver = ScreenDriver(ScreenTests.three, options: Self.filter())
    driver.press("ctrl-x")
    #expect(quits(driver) == [.chosen(["ada"], Key(.character("x"), .control))])
  }

  @Test func `a filter for one item selects no second one`() {
    var driver = ScreenDriver(ScreenTests.three, options: Self.filter())
    driver.press("space")
    #expect(driver.status.contains("Only one item can be chosen"))
    driver.press("enter")
    #expect(driver.lastTargets == ["ada"])
  }

  @Test func `a filter for several items gives them in the order of selecting`() {
    var driver = ScreenDriver(ScreenTests.three, options: Self.filter(isMulti: true))
    driver.press("j", "space", "g", "space", "enter")
    #expect(driver.lastTargets == ["bob", "ada"])
  }

  @Test(arguments: ["q", "esc"])
  func `a filter ends with nothing chosen`(key: String) {
    var driver = ScreenDriver(ScreenTests.three, options: Self.filter())
    driver.press(key)
    #expect(quits(driver) == [.nothing])
  }

  @Test func `escape ends no list that is not a filter`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("esc", "esc")
    #expect(quits(driver) == [])
    driver.press("ctrl-c")
    #expect(quits(driver) == [.interrupted])
  }

  @Test func `a pause counts what waits, and ends with marks`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("p")
    driver.write("dan.yaml", "rating: 1")
    driver.write("ada.yaml", "rating: 2")
    driver.remove("bob.yaml")
    #expect(driver.rows == ["ada", "bob", "cleo"])
    #expect(driver.status.contains("paused, 3 waiting"))
    driver.press("p")
    #expect(driver.rows == ["ada", "cleo", "dan"])
    #expect(driver.line(of: "ada")?.hasPrefix("~>") == true)
    #expect(driver.line(of: "dan")?.hasPrefix("+") == true)
    #expect(!driver.status.contains("paused"))
  }

  @Test func `a search during a pause shows the list as it is`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("p")
    driver.write("adam.yaml", "rating: 1")
    driver.press("/")
    driver.type("ada")
    #expect(driver.rows == ["ada", "adam"])
  }

  @Test func `n and N go through the rows that changed last`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("n")
    #expect(driver.status.contains("No row has changed yet."))
    driver.write("cleo.yaml", "rating: 1")
    driver.write("bob.yaml", "rating: 1")
    driver.press("n")
    #expect(driver.cursor == "bob")
    driver.press("n")
    #expect(driver.cursor == "cleo")
    driver.press("n")
    #expect(driver.cursor == "bob")
    driver.press("N")
    #expect(driver.cursor == "cleo")
  }

  @Test func `an id is sent to the clipboard`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("y", "Y")
    let copied = driver.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(copied == ["ada", "ada.yaml"])
    #expect(driver.status.contains("Sent ada.yaml to the clipboard"))
  }

  @Test func `the ids of selected items are sent one per line`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "space", "y")
    let copied = driver.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    #expect(copied == ["ada\nbob"])
    #expect(driver.status.contains("Sent 2 lines to the clipboard"))
  }

  @Test func `keys that were pressed before a difference was painted are not for it`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.paintsAtOnce = false
    driver.send(
      .outcome(ActionOutcome("ada was refused.", isFailure: true, difference: Array("-a\n+b\n".utf8))))
    driver.press("q", "e")
    #expect(driver.screen.panes.difference != nil)
    #expect(driver.effects.isEmpty)
    driver.paint()
    driver.press("esc")
    #expect(driver.screen.panes.difference == nil)
  }

  @Test func `the origin and the time of the last change are shown`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.write("ada.yaml", "rating: 1", origin: .git)
    #expect(driver.status.hasPrefix(" 3 items · last change: git "))
  }

  // MARK: Actions that are under way

  private func outcome(of driver: ScreenDriver, _ message: String, isFailure: Bool = false) -> ActionOutcome {
    var outcome = ActionOutcome(message, isFailure: isFailure)
    outcome.action = driver.effects.compactMap { if case .act(let action) = $0 { action } else { nil } }.last
    return outcome
  }

  private func actions(_ driver: ScreenDriver) -> Int {
    driver.effects.count { if case .act = $0 { true } else { false } }
  }

  @Test func `the end waits for an action, and a refused line opens again instead`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("=")
    driver.type("rating=5")
    driver.press("enter", "q")
    #expect(quits(driver) == [])
    driver.send(.outcome(outcome(of: driver, "Refused.", isFailure: true)))
    #expect(quits(driver) == [])
    #expect(driver.text.contains("rating=5"))
    driver.press("enter", "q")
    driver.send(.outcome(outcome(of: driver, "Changed ada.")))
    #expect(quits(driver) == [.nothing])
  }

  @Test func `an undo that waits is done before the end`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("d", "y", "u", "q")
    driver.send(.outcome(outcome(of: driver, "Deleted ada.")))
    #expect(actions(driver) == 2)
    #expect(quits(driver) == [])
    driver.send(.outcome(outcome(of: driver, "Undid the deletion of ada.")))
    #expect(quits(driver) == [.nothing])
  }

  @Test func `a key that is typed while the end waits keeps the list open`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("d", "y", "q", "j")
    driver.send(.outcome(outcome(of: driver, "Deleted ada.")))
    #expect(quits(driver) == [])
  }

  @Test func `a click or a paste while the end waits keeps the list open`() {
    for input in [TerminalInput.mouse(.press, CellPosition(row: 2, column: 5), []), .paste("text")] {
      var driver = ScreenDriver(ScreenTests.three)
      driver.press("d", "y", "q")
      driver.input(input)
      driver.send(.outcome(outcome(of: driver, "Deleted ada.")))
      #expect(quits(driver) == [])
    }
  }

  @Test func `a second key ends the wait for an action`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("d", "y", "q", "q")
    #expect(quits(driver) == [.nothing])
  }

  @Test func `an undo that waits is not made of an older action if the last one fails`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("d", "y", "u")
    var refused = outcome(of: driver, "Could not delete ada.", isFailure: true)
    refused.nextUndo = UndoSummary(title: "the change of bob", count: 1)
    driver.send(.outcome(refused))
    #expect(actions(driver) == 1)
    driver.press("u")
    #expect(actions(driver) == 2)
  }

  @Test func `a notice ends no wait for an action`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "space", "d", "y", "u")
    driver.send(.outcome(ActionOutcome("The folder is read at intervals.")))
    #expect(actions(driver) == 1)
    var deleted = outcome(of: driver, "Deleted 2 items.")
    deleted.nextUndo = UndoSummary(title: "the deletion of 2 items", count: 2)
    driver.send(.outcome(deleted))
    driver.send(.outcome(ActionOutcome("The folder is watched again.")))
    driver.press("y")
    #expect(actions(driver) == 2)
    driver.send(.outcome(outcome(of: driver, "Undid it.")))
  }

  @Test func `a notice does not let an undo of several items forget its question`() {
    var driver = ScreenDriver(ScreenTests.three)
    var deleted = ActionOutcome("Deleted 2 items.")
    (deleted.action, deleted.nextUndo) = (.undo, UndoSummary(title: "the deletion of 2 items", count: 2))
    driver.send(.outcome(deleted))
    driver.send(.outcome(ActionOutcome("The folder is read at intervals.")))
    driver.press("u")
    #expect(actions(driver) == 0)
    #expect(driver.text.contains("Undo the deletion of 2 items? (y/n)"))
  }

  @Test func `a key that was pressed before a refused line opened again does not submit it`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("=")
    driver.type("rating=5")
    driver.press("enter", "/")
    driver.send(.outcome(outcome(of: driver, "Refused.", isFailure: true)))
    driver.paintsAtOnce = false
    driver.press("tab", "enter")
    #expect(actions(driver) == 1)
    driver.paint()
    #expect(driver.text.contains("rating=5"))
    driver.press("enter")
    #expect(actions(driver) == 2)
  }

  @Test func `a line that was refused for some items is set for these alone`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "space", "=")
    driver.type("tags+=new")
    driver.press("enter")
    var refused = outcome(of: driver, "Changed 1 of 2 items.", isFailure: true)
    refused.refused = ["bob"]
    driver.send(.outcome(refused))
    driver.press("enter")
    #expect(actions(driver) == 2)
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `items that were deleted while a search hid them are not selected any more`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("space", "/")
    driver.type("cleo")
    driver.press("enter", "d", "y")
    driver.remove("ada.yaml")
    #expect(driver.status.contains("1 selected"))
    driver.send(.outcome(outcome(of: driver, "Deleted ada.")))
    #expect(!driver.status.contains("selected"))
    driver.press("e")
    #expect(driver.lastTargets == ["cleo"])
  }
}
