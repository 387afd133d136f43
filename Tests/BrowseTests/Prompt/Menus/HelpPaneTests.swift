import Terminal
import Testing

@testable import Browse

@Suite struct HelpPaneTests {
  /// Returns all lines of the help, as a person sees them who scrolls through it.
  private func seen(_ driver: inout ScreenDriver) -> String {
    driver.press("?")
    var text = driver.text
    for _ in 0..<40 {
      driver.press("pgdn")
      text += "\n" + driver.text
    }
    return text
  }

  @Test(arguments: [40, 80, 200]) func `each action and its keys can be read at any width`(columns: Int) {
    var driver = ScreenDriver(columns: columns, rows: 12)
    let text = seen(&driver)
    for action in BrowseAction.allCases {
      let words = action.summary.split(separator: " ").prefix(2).joined(separator: " ")
      #expect(text.contains(words), "\(action)")
      for key in action.defaultKeys { #expect(text.contains(key.description), "\(action), \(key)") }
    }
    #expect(!text.contains("…"))
  }

  @Test func `the help shows remapped keys`() {
    var options = ScreenOptions()
    options.keys = KeyMap.reading([("delete", ["f9"]), ("copy", [])]).map
    var driver = ScreenDriver(columns: 80, rows: 100, options: options)
    driver.press("?")
    #expect(driver.text.contains("f9                 Delete the item"))
    #expect(driver.text.contains("no key             Send the id"))
  }

  @Test(arguments: ["esc", "q", "?", "enter"]) func `a key closes the help`(key: String) {
    var driver = ScreenDriver(["a.yaml": "x: 1"])
    driver.press("?", key)
    #expect(!driver.screen.panes.prompt.isOpen)
    #expect(driver.effects.isEmpty)
  }

  @Test func `scrolling ends at the last line and comes back at once`() {
    var driver = ScreenDriver(columns: 80, rows: 12)
    driver.press("?")
    let top = driver.text
    driver.press("G")
    let bottom = driver.text
    driver.press("j", "pgdn", "ctrl-d")
    #expect(driver.text == bottom)
    driver.press("k")
    #expect(driver.text != bottom)
    driver.press("g")
    #expect(driver.text == top)
    driver.press("G")
    driver.resize(columns: 80, rows: 200)
    #expect(driver.text.contains("Move"))
  }
}
