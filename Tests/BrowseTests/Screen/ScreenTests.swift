@testable import Store
import Terminal
import Testing

@testable import Browse
@testable import Query

@Suite struct ScreenTests {
  static let three = ["ada.yaml": "rating: 9", "bob.yaml": "rating: 8", "cleo.yaml": "rating: 10"]

  @Test func `a screen fills its window`() {
    let size = ScreenSize(columns: 4, rows: 2)
    #expect(Screen(size: size, options: ScreenOptions()).draw().size == size)
  }

  @Test func `a list has titles, rows and a status line`() {
    let driver = ScreenDriver(Self.three, columns: 30, rows: 6)
    let rows = ["    id    rating", " >  ada        9", "    bob        8", "    cleo      10", ""]
    #expect(driver.lines == rows + [" 3 items               ? help"])
  }

  @Test func `keys move the cursor`() {
    var driver = ScreenDriver(Self.three)
    #expect(driver.cursor == "ada")
    driver.press("j")
    #expect(driver.cursor == "bob")
    driver.press("G")
    #expect(driver.cursor == "cleo")
    driver.press("j")
    #expect(driver.cursor == "cleo")
    driver.press("g")
    #expect(driver.cursor == "ada")
    driver.press("k")
    #expect(driver.cursor == "ada")
  }

  @Test func `the cursor stays on its item when rows move around it`() {
    var driver = ScreenDriver(Self.three, request: FetchRequest(sort: ["-rating"]))
    driver.press("j")
    #expect(driver.cursor == "ada")
    driver.write("ada.yaml", "rating: 1")
    #expect(driver.rows == ["cleo", "bob", "ada"])
    #expect(driver.cursor == "ada")
  }

  @Test func `an update marks its rows for three seconds`() {
    var driver = ScreenDriver(Self.three)
    driver.write("ada.yaml", "rating: 7")
    driver.write("dan.yaml", "rating: 1")
    #expect(driver.line(of: "ada") == "~>  ada        7")
    #expect(driver.line(of: "dan") == "+   dan        1")
    driver.time += RowMarks.lifetime
    driver.send(.tick)
    #expect(driver.line(of: "ada") == " >  ada        7")
    #expect(driver.screen.deadline == nil)
  }
}
