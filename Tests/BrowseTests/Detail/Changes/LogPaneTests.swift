import Terminal
import Testing

@testable import Browse

@Suite struct LogPaneTests {
  private func log(_ driver: ScreenDriver) -> [String] {
    guard let area = driver.screen.layout.log else { return [] }
    return area.rows.dropFirst().map { driver.lines[$0] }.filter { !$0.isEmpty }
  }

  @Test func `the log lists the last changes`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 5\n"], columns: 80, rows: 24)
    driver.write("ada.yaml", "rating: 8\n")
    driver.press("l")
    #expect(log(driver).count == 2)
    #expect(log(driver).first?.hasSuffix("files  1 updated · 1 item") == true)
    #expect(log(driver).last == "  ~ 0  ada  rating: 5 → 8")
    driver.press("l")
    #expect(log(driver).isEmpty)
  }

  @Test func `an empty log says so`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 5\n"], columns: 80, rows: 24)
    driver.press("l")
    #expect(log(driver) == ["No changes yet. Every change to the list appears here."])
  }

  @Test func `the log stays at its end, unless it was scrolled`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 0\n"], columns: 80, rows: 24)
    driver.press("l")
    for number in 1...9 { driver.write("ada.yaml", "rating: \(number)\n") }
    #expect(log(driver).last == "  ~ 0  ada  rating: 8 → 9")
    driver.press("K")
    let scrolled = log(driver)
    driver.write("ada.yaml", "rating: 10\n")
    #expect(log(driver) == scrolled)
    for _ in 0..<9 { driver.press("J") }
    #expect(log(driver).last == "  ~ 0  ada  rating: 9 → 10")
  }

  @Test func `a log that opens for the first time shows its end`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 0\n"], columns: 40, rows: 12)
    for number in 1...9 { driver.write("ada.yaml", "rating: \(number)\n") }
    driver.press("l")
    #expect(log(driver).last == "  ~ 0  ada  rating: 8 → 9")
    driver.press("l", "l")
    driver.resize(columns: 20, rows: 30)
    driver.resize(columns: 90, rows: 12)
    #expect(log(driver).last == "  ~ 0  ada  rating: 8 → 9")
  }

  @Test func `a wrapped change is complete in the log of a small window`() {
    var driver = ScreenDriver(
      ["garden/ada.yaml": "title: Mend the fence behind the shed\n"], columns: 40, rows: 12)
    driver.write("garden/ada.yaml", "title: Order the seeds\n")
    driver.press("l")
    #expect(log(driver).count == 3)
    #expect(log(driver).first?.hasSuffix("files  1 updated · 1 item") == true)
    driver.resize(columns: 40, rows: 8)
    #expect(driver.screen.layout.log?.rows.count == 3)
    #expect(driver.rows == ["garden/ada"])
  }

  @Test func `an outcome has its time of day`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 0\n"], columns: 40, rows: 12)
    var outcome = ActionOutcome("Changed ada.")
    outcome.time = "12:00:00"
    driver.send(.outcome(outcome))
    driver.press("l")
    #expect(log(driver) == ["12:00:00  Changed ada."])
  }
}
