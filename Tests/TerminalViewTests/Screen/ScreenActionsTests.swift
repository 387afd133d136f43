import TerminalDevice
import Testing

@testable import PlainStore
@testable import TerminalView

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
    driver.press("enter", "space", "e")
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
    driver.send(.outcome(ActionOutcome("ada was refused.", isFailure: true, difference: Array("-a\n+b\n".utf8))))
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
}
