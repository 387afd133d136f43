import Query
@testable import Store
import Synchronization
import Terminal
import Testing

@testable import Browse

@Suite struct AssignLineTests {
  static let three = [
    "ada.yaml": "rating: 9\nname: Ada", "bob.yaml": "rating: 8\nname: Bob",
    "cleo.yaml": "rating: 9\nname: Cleo\ntags: [a, b]",
  ]

  private static var options: ScreenOptions {
    var options = ScreenOptions()
    options.checkWord = { word in
      if !word.contains("=") { return (column: 1, message: "This is not a field assignment.") }
      return word.hasPrefix("bad=") ? (column: 5, message: "This is a mistake.") : nil
    }
    return options
  }

  private func driver(columns: Int = 80) -> ScreenDriver {
    ScreenDriver(Self.three, columns: columns, rows: 12, options: Self.options)
  }

  private func words(_ driver: ScreenDriver) -> [String]? {
    for case .act(.assign(_, let words)) in driver.effects { return words }
    return nil
  }

  private func answer(_ driver: inout ScreenDriver, _ message: String, isFailure: Bool) {
    var outcome = ActionOutcome(message, isFailure: isFailure)
    for case .act(let action) in driver.effects { outcome.action = action }
    driver.send(.outcome(outcome))
  }

  @Test func `a refused line shows the keys that can follow in a small window, too`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 9"], columns: 40, rows: 12)
    driver.press("=")
    driver.type("rating=5")
    driver.press("enter")
    var outcome = ActionOutcome(
      "Could not change ada.yaml: \(String(repeating: "word ", count: 60))", isFailure: true)
    outcome.action = driver.effects.compactMap { if case .act(let action) = $0 { action } else { nil } }.last
    driver.send(.outcome(outcome))
    #expect(driver.text.contains("= rating=5\nCould not change ada.yaml: word"))
    #expect(driver.text.contains("\nPress Enter to set it all the same,\nEscape to leave.\n"))
  }

  @Test func `enter sets the fields of the row under the cursor`() {
    var driver = driver()
    driver.press("j", "=")
    driver.type(#"rating=10 name="Bob Ross""#)
    driver.press("enter")
    #expect(driver.lastTargets == ["bob"])
    #expect(words(driver) == ["rating=10", "name=Bob Ross"])
    #expect(!driver.screen.panes.prompt.isOpen)
  }

  @Test func `the items are those that were there when the line opened`() {
    var driver = driver()
    driver.press("space", "j", "space", "=")
    driver.remove("ada.yaml")
    driver.write("aaa.yaml", "rating: 1")
    driver.type("rating=1")
    driver.press("enter")
    #expect(driver.lastTargets == ["ada", "cleo"])
  }

  @Test func `a mistake is shown at its column, and enter keeps the line open`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=10 bad=x y=1")
    #expect(driver.lines[9] == "= rating=10 bad=x y=1")
    #expect(driver.lines[10] == "                ^ This is a mistake.")
    driver.press("enter")
    #expect(driver.screen.panes.prompt.isOpen)
    #expect(words(driver) == nil)
  }

  @Test func `a word is no mistake while it is being typed`() {
    var driver = driver()
    driver.press("=")
    driver.type("rat")
    #expect(!driver.text.contains("not a field assignment"))
    driver.press("enter")
    #expect(driver.screen.panes.prompt.isOpen)
    #expect(words(driver) == nil)
    driver.type(" ")
    #expect(driver.text.contains("^ This is not a field assignment."))
  }

  @Test func `the value that a field has now is shown`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=")
    #expect(driver.lines[10] == "rating is 9 now.")
    driver.type("1 tags+=c")
    #expect(driver.lines[10] == "tags is missing now.")
    driver.press("esc", "space", "space", "space", "=")
    driver.type("rating=")
    #expect(driver.lines[10] == "rating is 9 in 2, 8 in 1 of 3 items now.")
  }

  @Test func `tab completes the names of fields`() {
    var driver = driver()
    driver.press("=")
    driver.type("na")
    driver.press("tab")
    #expect(driver.lines[9] == "= name=")
    driver.type("x ")
    driver.press("tab")
    #expect(driver.lines[9] == "= name=x rating=")
    #expect(driver.lines[10] == "[rating]  name  tags")
    driver.press("tab")
    #expect(driver.lines[9] == "= name=x name=")
    driver.press("shift-tab")
    #expect(driver.lines[9] == "= name=x rating=")
  }

  @Test func `a refused change opens the line again with its text and the reason`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=10")
    driver.press("enter")
    driver.resize(columns: 60, rows: 8)
    answer(&driver, "ada.yaml was changed by another program.", isFailure: true)
    #expect(driver.screen.panes.prompt.isOpen)
    #expect(driver.lines[4] == "= rating=10")
    #expect(driver.text.contains("ada.yaml was changed by another program. Press Enter to"))
    driver.press("enter")
    #expect(driver.effects.count { if case .act = $0 { true } else { false } } == 2)
    answer(&driver, "Changed ada.", isFailure: false)
    #expect(!driver.screen.panes.prompt.isOpen)
  }

  @Test func `after a refusal, enter is about the items as they are painted then`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=10")
    let before = driver.list[id: "ada"]?.revision.description
    driver.write("ada.yaml", "rating: 12345678\nname: Ada")
    driver.press("enter")
    #expect(lastRevision(driver) == before)
    answer(&driver, "No.", isFailure: true)
    driver.press("enter")
    #expect(lastRevision(driver) != before)
    #expect(lastRevision(driver) == driver.list[id: "ada"]?.revision.description)
  }

  private func lastRevision(_ driver: ScreenDriver) -> String? {
    for case .act(.assign(let items, _)) in driver.effects.reversed() {
      return items.first?.revision.description
    }
    return nil
  }

  @Test func `a refused line waits until another one is closed`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=10")
    driver.press("enter", "/")
    driver.type("bo")
    answer(&driver, "No.", isFailure: true)
    #expect(driver.lines[10] == "/bo")
    driver.press("enter")
    #expect(driver.lines[9] == "= rating=10")
    #expect(driver.rows == ["bob"])
  }

  @Test func `a key checks the word that it changed, and no other one`() {
    var options = Self.options
    let checked = Mutex<[String]>([])
    options.checkWord = { word in
      checked.withLock { $0.append(word) }
      return word == "x=0" ? (column: 1, message: "Zero.") : nil
    }
    var driver = ScreenDriver(Self.three, columns: 80, rows: 12, options: options)
    driver.press("=")
    driver.input(.paste(String(repeating: "x=1 ", count: 50)))
    #expect(checked.withLock { $0 } == Array(repeating: "x=1", count: 50))
    checked.withLock { $0 = [] }
    driver.type("x=0")
    #expect(driver.text.contains("^ Zero."))
    driver.press("left", "right", "home", "end")
    #expect(checked.withLock { $0 } == ["x", "x=", "x=0"])
    driver.press("backspace")
    #expect(!driver.text.contains("Zero."))
    #expect(checked.withLock { $0 } == ["x", "x=", "x=0", "x="])
  }

  @Test func `keys after enter go to the list`() {
    var driver = driver()
    driver.press("=")
    driver.type("rating=10")
    driver.press("enter", "j", "j")
    #expect(driver.cursor == "cleo")
  }
}
