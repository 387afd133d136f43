import Store
import Terminal
import Testing

@testable import Browse

@Suite struct DetailPaneTests {
  /// Returns the lines of the detail of a driver, without the title.
  private func detail(_ driver: ScreenDriver) -> [String] {
    guard let area = driver.screen.layout.detail else { return [] }
    let lines = area.rows.dropFirst().map { row in
      let cells = driver.canvas.cells.dropFirst(row * driver.canvas.size.columns)
      var text = cells.prefix(area.columns.upperBound).dropFirst(area.columns.lowerBound).map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
    return Array(lines.prefix(1 + (lines.lastIndex { !$0.isEmpty } ?? -1)))
  }

  private func loads(_ effects: [ScreenEffect]) -> [String] {
    effects.compactMap { if case .load(let row) = $0 { row.description } else { nil } }
  }

  @Test func `the detail shows the file of the item under the cursor`() {
    var driver = ScreenDriver(
      ["ada.yaml": "name: Ada\n", "bob.yaml": "# Bob\nname: Bob\n"], columns: 60, rows: 16)
    driver.press("tab")
    #expect(detail(driver) == ["  1 name: Ada"])
    driver.press("j")
    #expect(detail(driver) == ["  1 # Bob", "  2 name: Bob"])
    driver.press("tab")
    #expect(driver.screen.layout.detail == nil)
  }

  @Test func `the detail is beside the list in a wide window`() {
    var driver = ScreenDriver(["ada.yaml": "name: Ada\n"], columns: 120, rows: 16)
    driver.press("tab")
    #expect(driver.screen.layout.detail?.columns == 67..<120)
    #expect(detail(driver) == ["  1 name: Ada"])
  }

  @Test func `the detail says what changed last, and marks the lines`() {
    var driver = ScreenDriver(["ada.yaml": "name: Ada\nrating: 5\n"], columns: 60, rows: 20)
    driver.press("tab")
    driver.write("ada.yaml", "name: Ada\nrating: 8\n")
    #expect(detail(driver) == ["~ rating: 5 → 8", "", "  1 name: Ada", "~ 2 rating: 8"])
  }

  @Test func `of a text only the changed lines are marked`() {
    var driver = ScreenDriver(["ada.yaml": "bio: |\n  one\n  two\n"], columns: 60, rows: 20)
    driver.write("ada.yaml", "n: 1\nbio: |\n  one\n  2\n  3\n")
    driver.press("tab")
    #expect(detail(driver).suffix(6) == ["", "~ 1 n: 1", "  2 bio: |", "  3   one", "~ 4   2", "~ 5   3"])
  }

  @Test func `the detail shows a problem at its line`() {
    var driver = ScreenDriver(["ada.yaml": "name: Ada\n"], columns: 60, rows: 20)
    driver.press("tab")
    driver.write("ada.yaml", "name: Ada\nrating: [1\n")
    #expect(detail(driver).first == "  1 name: Ada")
    #expect(detail(driver).contains { $0.hasPrefix("! ") })
    #expect(detail(driver).contains { $0.contains("^ ") })
    driver.write("ada.yaml", "name: Ada\nrating: 1\n")
    #expect(!detail(driver).contains { $0.hasPrefix("! ") })
  }

  @Test func `a held key asks for one file at a time, and for the last one at the end`() {
    var driver = ScreenDriver(
      ["a.yaml": "n: 1\n", "b.yaml": "n: 2\n", "c.yaml": "n: 3\n", "d.yaml": "n: 4\n"], columns: 60, rows: 20)
    driver.readsFiles = false
    driver.press("tab", "j", "j", "j")
    #expect(loads(driver.effects) == ["a"])
    driver.send(.document(driver.store.document(.item("a"))))
    #expect(loads(driver.effects) == ["a", "d"])
    #expect(detail(driver).isEmpty)
    driver.send(.document(driver.store.document(.item("d"))))
    #expect(loads(driver.effects) == ["a", "d"])
    #expect(detail(driver) == ["  1 n: 4"])
  }

  @Test func `a file that changes while it is read is read again`() {
    var driver = ScreenDriver(["a.yaml": "n: 1\n"], columns: 60, rows: 20)
    driver.readsFiles = false
    driver.press("tab")
    let old = driver.store.document(.item("a"))
    driver.write("a.yaml", "n: 2\n")
    #expect(loads(driver.effects) == ["a"])
    driver.send(.document(old))
    #expect(loads(driver.effects) == ["a", "a"])
    driver.send(.document(driver.store.document(.item("a"))))
    #expect(detail(driver).suffix(1) == ["~ 1 n: 2"])
  }

  @Test func `the file is read again after an action`() {
    var driver = ScreenDriver(["a.yaml": "n: 1\n"], columns: 60, rows: 20)
    driver.press("tab")
    driver.readsFiles = false
    driver.send(.outcome(ActionOutcome("Edited a.")))
    #expect(loads(driver.effects) == ["a"])
  }

  @Test func `the detail of an empty list is empty`() {
    var driver = ScreenDriver(["a.yaml": "n: 1\n"], columns: 60, rows: 20)
    driver.press("tab")
    driver.remove("a.yaml")
    #expect(detail(driver).isEmpty)
  }

  @Test func `a file that cannot be read is said to be so`() {
    var driver = ScreenDriver(["a.yaml": "n: 1\n"], columns: 60, rows: 20)
    driver.readsFiles = false
    driver.press("tab")
    driver.send(.document(ItemDocument(.item("a"), path: "a.yaml", format: .yaml, bytes: nil, problems: [])))
    #expect(detail(driver) == ["The file cannot be read."])
  }

  @Test func `the detail scrolls by its keys and by the wheel over it`() {
    let text = (1...60).map { "n\($0): \($0)" }.joined(separator: "\n")
    var driver = ScreenDriver(["a.yaml": text, "b.yaml": "n: 1\n"], columns: 60, rows: 20)
    driver.press("tab", "J", "J")
    #expect(detail(driver).first == "   3 n3: 3")
    driver.press("K")
    #expect(detail(driver).first == "   2 n2: 2")
    driver.mouse(.wheelDown, row: 15)
    #expect(detail(driver).first == "   5 n5: 5")
    #expect(driver.cursor == "a")
    #expect(driver.text.contains("line 5 of 60"))
    driver.press("]", "[", "[")
    #expect(detail(driver).first == "   1 n1: 1")
    driver.press("]", "j", "k")
    #expect(detail(driver).first == "   1 n1: 1")
  }

  @Test func `content never leaves the area of the detail`() {
    var driver = ScreenDriver(
      ["a.yaml": "\u{1B}[2J: \u{9B}31m\n\u{202E}x: \"\u{7}\"\n日本語: e\u{301}\n"], columns: 60, rows: 20)
    driver.press("tab")
    let wide = driver.canvas
    for row in 0..<wide.size.rows {
      #expect(
        !wide.text(row: row).unicodeScalars.contains {
          $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
        })
    }
  }
}
