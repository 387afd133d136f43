@testable import Store
import Terminal
import Testing
import Values

@testable import Browse
@testable import Query

@Suite struct ListAreaTests {
  private static func many(_ count: Int) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("item\($0 + 100).yaml", "{n: \($0), group: g\($0 / 10)}") })
  }

  @Test func `a row that goes gives the cursor to the nearest one`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("j")
    driver.remove("bob.yaml")
    #expect(driver.cursor == "cleo")
    driver.remove("cleo.yaml")
    #expect(driver.cursor == "ada")
    driver.remove("ada.yaml")
    #expect(driver.cursor == nil)
    driver.write("dan.yaml", "rating: 1")
    #expect(driver.cursor == "dan")
  }

  @Test func `the cursor's line stays when rows come above it`() throws {
    var driver = ScreenDriver(Self.many(100), rows: 12)
    driver.press("G", "k", "k", "k")
    let line = driver.canvas.cursor.row
    driver.write("a.yaml", "n: 0")
    #expect(driver.cursor == "item196")
    #expect(driver.canvas.cursor.row == line)
  }

  @Test func `rows that come at the top of the list are seen`() {
    var driver = ScreenDriver(Self.many(100), rows: 12)
    driver.write("a.yaml", "n: 0")
    #expect(driver.rows.first == "a")
    #expect(driver.cursor == "item100")
  }

  @Test func `the page keys and the ends move by the height`() {
    var driver = ScreenDriver(Self.many(100), rows: 12)
    driver.press("pgdn")
    #expect(driver.cursor == "item108")
    driver.press("pgup")
    #expect(driver.cursor == "item100")
    driver.press("ctrl-d")
    #expect(driver.cursor == "item104")
    driver.press("end")
    #expect(driver.cursor == "item199")
    driver.press("home")
    #expect(driver.cursor == "item100")
  }

  @Test func `the wheel scrolls, and moves the cursor only at the edge`() {
    var driver = ScreenDriver(Self.many(100), rows: 12)
    driver.press("j", "j", "j", "j")
    driver.mouse(.wheelDown, row: 3)
    #expect(driver.cursor == "item104")
    #expect(driver.rows.first == "item103")
    driver.mouse(.wheelDown, row: 3)
    #expect(driver.cursor == "item106")
    #expect(driver.rows.first == "item106")
    driver.mouse(.wheelUp, row: 3)
    #expect(driver.cursor == "item106")
    #expect(driver.rows.first == "item103")
  }

  @Test func `columns keep their widths while one scrolls and searches`() {
    var files = Self.many(50)
    files["item100.yaml"] = "{n: 5, group: a rather long group}"
    var driver = ScreenDriver(files, columns: 60, rows: 12)
    let columns = driver.screen.area.columns
    driver.press("G")
    driver.press("/")
    driver.type("g4")
    #expect(driver.screen.area.columns == columns)
    driver.resize(columns: 20, rows: 12)
    #expect(driver.screen.area.columns != columns)
  }

  @Test func `a changed value gets the room that it needs`() {
    var driver = ScreenDriver(ScreenTests.three, columns: 40)
    driver.write("ada.yaml", "rating: 123456789012")
    #expect(driver.line(of: "ada") == "~>  ada   123456789012")
    #expect(driver.line(of: "bob") == "    bob              8")
    driver.write("ada.yaml", "rating: 1")
    #expect(driver.line(of: "ada") == "~>  ada              1")
  }

  @Test func `a list that grows from nothing gets its columns`() {
    var driver = ScreenDriver(["ada.yaml": "rating: 9"], columns: 60)
    driver.change { store in
      for (path, text) in Self.many(20) { store.write(path, text) }
    }
    #expect(driver.lines.first == "    id        n  group")
  }

  private static let wide = Dictionary(
    uniqueKeysWithValues: (1...3).map { number in
      (
        "note-\(number).yaml",
        "title: Note \(number)\nfirst: \(String(repeating: "a", count: 19))\(number)\n"
          + "second: \(String(repeating: "b", count: 19))\(number)\nbody: |\n  One\n  two \(number)\n"
      )
    })

  @Test
  func `left and right scroll the columns, the first one stays, and an ellipsis says that there is more`() {
    var driver = ScreenDriver(Self.wide, columns: 42)
    #expect(driver.lines[0] == "    title   first                 …")
    driver.press("left")
    #expect(driver.lines[0] == "    title   first                 …")
    driver.press("right")
    #expect(driver.lines[0] == "    title … second                …")
    #expect(driver.lines[1].hasPrefix(" >  Note 1  bbbb"))
    driver.press(">")
    #expect(driver.lines[0] == "    title … body")
    #expect(driver.lines[1] == #" >  Note 1  One\ntwo 1"#)
    driver.press("right", "j")
    #expect(driver.lines[0] == "    title … body")
    driver.press("<", "left", "left")
    #expect(driver.lines[0] == "    title   first                 …")
    driver.press("right")
    driver.resize(columns: 100, rows: 24)
    driver.press("left")
    #expect(driver.lines[0].hasSuffix("body"))
  }

  @Test func `an arrow key in the search line moves its cursor only`() {
    var driver = ScreenDriver(Self.wide, columns: 42)
    driver.press("/", "right")
    #expect(driver.lines[0] == "    title   first                 …")
  }

  @Test func `a row without a value in the shown fields shows its id`() {
    let driver = ScreenDriver(
      ["ada.yaml": "x: 1", "bob.yaml": "y: 2"], request: FetchRequest(fields: ["y"]), columns: 40)
    #expect(driver.lines.prefix(3) == ["    y", " >  ada", "    2"])
  }

  @Test func `a title that changes brings the id back`() {
    var driver = ScreenDriver(Self.wide, columns: 100)
    #expect(driver.lines[0].hasPrefix("    title   first"))
    driver.write("note-2.yaml", "title: Other")
    #expect(driver.lines[0].hasPrefix("    title   id      first"))
  }

  @Test func `the matches of a search are highlighted`() throws {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("/")
    driver.type("le")
    #expect(driver.rows == ["cleo"])
    let row = try #require(driver.screen.rows.keys.first)
    let marked = driver.canvas[row: row].filter { $0.style.ink == .match }.map(\.text).joined()
    #expect(marked == "le")
  }

  @Test func `sections have headings with their counts`() {
    let driver = ScreenDriver(
      Self.many(25), request: FetchRequest(section: SectionDescriptor("group")), columns: 40, rows: 8)
    #expect(driver.lines[1] == "g0  10")
    #expect(driver.lines[2].hasPrefix(" >  item100"))
  }

  @Test func `an empty list says so`() {
    let driver = ScreenDriver([:], request: FetchRequest(emptyText: "No friends yet."), columns: 40, rows: 6)
    #expect(driver.text.contains("No friends yet."))
    #expect(driver.status.hasPrefix(" 0 items "))
  }

  @Test func `a search without a match says so`() {
    var driver = ScreenDriver(ScreenTests.three)
    driver.press("/")
    driver.type("zzz")
    #expect(driver.text.contains("No item matches the search."))
    #expect(driver.status.hasPrefix(" 0 of 3"))
  }

  @Test func `the number of files that were read is shown before the first list`() {
    var screen = Screen(size: ScreenSize(columns: 40, rows: 5), options: ScreenOptions())
    _ = screen.handle(.progress(read: 12_345), at: .now)
    #expect(screen.draw().text(row: 4).contains("Reading … 12,345 files"))
  }

  #if DEBUG
    @Test func `a drawing copies a bounded part of long texts`() {
      let long = String(repeating: "word ", count: 60_000)
      var driver = ScreenDriver(
        ["a.yaml": "{text: \(long), n: 1}", "b.yaml": "{text: \(long), n: 2}"],
        request: FetchRequest(fields: ["@id", "text", "n"]))
      let counter = ReadCounter()
      ReadCounter.$current.withValue(counter) {
        driver.press("j", "o", "escape")
        driver.write("c.yaml", "{text: \(long), n: 3}")
      }
      #expect(counter.counts.copied < 250_000)
      #expect(driver.line(of: "a")?.hasPrefix("    a   word word word") == true)
      #expect(driver.line(of: "a")?.contains("…") == true)
    }
  #endif
}
