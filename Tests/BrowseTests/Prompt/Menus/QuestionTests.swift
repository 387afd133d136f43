import Query
@testable import Store
import Terminal
import Testing

@testable import Browse

@Suite struct QuestionTests {
  static let files = Dictionary(
    uniqueKeysWithValues: ["ada", "bob", "cleo", "dan", "eve"].map { ("\($0).yaml", "x: 1") })

  private func actions(_ driver: ScreenDriver) -> Int {
    driver.effects.count { if case .act = $0 { true } else { false } }
  }

  @Test func `y deletes the item that the question names`() {
    var driver = ScreenDriver(Self.files)
    driver.press("j", "d")
    #expect(driver.text.contains("Delete `bob`? (y/n)"))
    driver.press("y")
    #expect(driver.lastTargets == ["bob"])
    #expect(!driver.screen.panes.prompt.isOpen)
  }

  @Test(arguments: ["n", "q", "esc", "enter"]) func `another answer deletes nothing`(key: String) {
    var driver = ScreenDriver(Self.files)
    driver.press("d", key)
    #expect(actions(driver) == 0)
    #expect(!driver.screen.panes.prompt.isOpen)
  }

  @Test func `other keys, clicks and pastes leave the question open`() {
    var driver = ScreenDriver(Self.files)
    driver.press("d", "j", "x", "ctrl-y", "alt-y", "space")
    driver.input(.paste("y"))
    driver.mouse(.press, row: 2)
    #expect(actions(driver) == 0)
    #expect(driver.text.contains("Delete `ada`? (y/n)"))
  }

  @Test func `a question about several items has their number and the first names`() {
    var driver = ScreenDriver(Self.files)
    driver.press("space", "space", "space", "space", "d")
    #expect(driver.text.contains("Delete 4 items: `ada`, `bob`, `cleo` and 1 more? (y/n)"))
    driver.press("y")
    #expect(driver.lastTargets == ["ada", "bob", "cleo", "dan"])
  }

  @Test func `a question keeps its items when the list changes`() {
    var driver = ScreenDriver(Self.files)
    driver.press("j", "d")
    driver.write("aaa.yaml", "x: 2")
    driver.remove("ada.yaml")
    driver.press("y")
    #expect(driver.lastTargets == ["bob"])
  }

  @Test func `a long or hostile id leaves room for the answers`() {
    let name = String(repeating: "very long name ", count: 40) + "\u{1B}[2J"
    var driver = ScreenDriver(["\(name).yaml": "x: 1"], columns: 40, rows: 12)
    driver.press("d")
    #expect(driver.text.contains("(y/n)"))
    #expect(!driver.text.contains("\u{1B}"))
    driver.resize(columns: 5, rows: 3)
    driver.resize(columns: 1, rows: 1)
    driver.press("n")
    #expect(actions(driver) == 0)
  }

  @Test func `one action is undone at once, one of several items after a question`() {
    var driver = ScreenDriver(Self.files)
    var outcome = ActionOutcome("Deleted bob.")
    (outcome.action, outcome.nextUndo) = (.undo, UndoSummary(title: "the deletion of bob", count: 1))
    driver.send(.outcome(outcome))
    driver.press("u")
    #expect(actions(driver) == 1)
    outcome.nextUndo = UndoSummary(title: "the deletion of 2 items (ada, bob)", count: 2)
    driver.send(.outcome(outcome))
    driver.press("u")
    #expect(actions(driver) == 1)
    #expect(driver.text.contains("Undo the deletion of 2 items (ada, bob)? (y/n)"))
    driver.press("y")
    #expect(actions(driver) == 2)
  }

  @Test func `one undo is redone at once, one of several items after a question`() {
    var driver = ScreenDriver(Self.files)
    var outcome = ActionOutcome("Undid the deletion of bob.")
    (outcome.action, outcome.nextRedo) = (.undo, UndoSummary(title: "the deletion of bob", count: 1))
    driver.send(.outcome(outcome))
    driver.press("U")
    #expect(actions(driver) == 1)
    (outcome.action, outcome.nextRedo) = (.redo, UndoSummary(title: "the deletion of 2 items", count: 2))
    driver.send(.outcome(outcome))
    driver.press("U")
    #expect(actions(driver) == 1)
    #expect(driver.text.contains("Redo the deletion of 2 items? (y/n)"))
    driver.press("y")
    #expect(actions(driver) == 2)
  }

  @Test func `an undo waits for the action before it, and then asks`() {
    var driver = ScreenDriver(Self.files)
    driver.press("space", "space", "d", "y", "u")
    #expect(actions(driver) == 1)
    var outcome = ActionOutcome("Deleted 2 items.")
    (outcome.action, outcome.nextUndo) = (
      .delete([]), UndoSummary(title: "the deletion of 2 items", count: 2)
    )
    driver.send(.outcome(outcome))
    #expect(actions(driver) == 1)
    #expect(driver.text.contains("Undo the deletion of 2 items? (y/n)"))
    driver.press("y")
    #expect(actions(driver) == 2)
  }

  @Test func `a question about an undo closes when there is another step to undo`() {
    var driver = ScreenDriver(Self.files)
    var outcome = ActionOutcome("Deleted 2 items.")
    (outcome.action, outcome.nextUndo) = (
      .delete([]), UndoSummary(title: "the deletion of 2 items", count: 2)
    )
    driver.send(.outcome(outcome))
    driver.press("u")
    var next = ActionOutcome("Changed 3 items.")
    (next.action, next.nextUndo) = (.undo, UndoSummary(title: "the change of 3 items", count: 3))
    driver.send(.outcome(next))
    driver.press("y")
    #expect(actions(driver) == 0)
  }
}
