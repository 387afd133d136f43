@testable import Store
import Terminal
import TestSupport
import Testing

@testable import Browse
@testable import Query

/// The bytes of the frames of a screen of 120 columns and 50 rows.
@Suite struct FrameBytesTests {
  private static let words = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "omicron",
    "upsilon",
  ]

  /// 600 items with a title, an author, a rating, a time, tags and a flag.
  private static let files = {
    var random = SeededGenerator(seed: 1)
    return Dictionary(
      uniqueKeysWithValues: (0..<600).map { number in
        let title = (0..<2 + random.below(4)).map { _ in random.one(of: words) }.joined(separator: " ")
        let text = """
          title: \(title)
          author: \(random.one(of: words)) \(random.one(of: words))
          rating: \(random.below(100))
          created: 20\(10 + random.below(15))-0\(1 + random.below(9))-1\(random.below(10))T10:00:00Z
          tags: [\(random.one(of: words)), \(random.one(of: words))]
          pinned: \(random.oneIn(2))

          """
        return ("\(String(random.next(), radix: 16)).yaml", text)
      })
  }()
  private let palette = Palette(.indexed, isLight: false)

  /// Returns the number of bytes from one frame to the next, and checks them.
  private func bytes(_ old: Canvas?, _ driver: ScreenDriver) -> Int {
    let bytes = FrameWriter(palette: palette, synchronizesFrames: true).bytes(from: old, to: driver.canvas)
    #expect(OutputGrammar.offenders(in: bytes) == [])
    return bytes.count
  }

  @Test func `a key that moves the cursor takes at most 200 bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    for key in ["j", "down", "j", "k", "up", "j"] {
      let old = driver.canvas
      driver.press(key)
      #expect(bytes(old, driver) <= 200, "\(key)")
    }
  }

  /// Presses a key several times, and returns the bytes of each frame.
  private func bytes(_ driver: inout ScreenDriver, _ key: String, _ count: Int) -> [Int] {
    (0..<count).map { _ in
      let old = driver.canvas
      driver.press(key)
      return bytes(old, driver)
    }
  }

  @Test func `a cursor key that scrolls the list takes at most 230 bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    for (page, key) in [("pgdn", "j"), ("pgup", "k")] {
      driver.press(page)
      let first = driver.rows.first
      let sizes = bytes(&driver, key, 20)
      #expect(driver.rows.first != first)
      #expect(sizes.max() ?? .max <= 230, "\(sizes)")
    }
  }

  @Test
  func `a cursor key that scrolls the list takes at most 230 bytes under a heading, 300 with another one`() {
    let files = Self.numbered.filter { $0.key < "note-11300" }
    let request = FetchRequest(sort: ["-rating"], section: SectionDescriptor("pinned"))
    var driver = ScreenDriver(files, request: request, columns: 120, rows: 50)
    for (pages, key) in [(["pgdn", "pgdn"], "j"), (["pgup"], "k")] {
      for page in pages { driver.press(page) }
      let heading = driver.lines[1]
      var (other, same): ([Int], [Int]) = ([], [])
      for _ in 0..<30 {
        let headings = driver.headings
        let size = bytes(&driver, key, 1)[0]
        if driver.headings == headings { same.append(size) } else { other.append(size) }
      }
      #expect(driver.lines[1] != heading)
      #expect(same.max() ?? .max <= 230, "\(same)")
      #expect(other.max() ?? 0 <= 300, "\(other)")
    }
  }

  @Test func `a key that moves the list by half a page takes at most 3 KB`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    driver.press("G")
    for key in ["ctrl-u", "ctrl-u", "ctrl-u"] {
      let old = driver.canvas
      driver.press(key)
      #expect(bytes(old, driver) <= 3_072, "\(key)")
    }
  }

  @Test func `a key of a query takes at most 6 KB`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    driver.press("/")
    var sizes: [Int] = []
    for character in "alpha beta" {
      let old = driver.canvas
      driver.type(String(character))
      sizes.append(bytes(old, driver))
    }
    #expect(sizes.sorted()[sizes.count / 2] <= 6_144, "\(sizes)")
  }

  @Test func `a changed row takes at most 300 bytes`() throws {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    let id = driver.rows[20]
    let text = try #require(Self.files["\(id).yaml"])
    for number in 1..<5 {
      let old = driver.canvas
      driver.write("\(id).yaml", text.replacing("rating: ", with: "rating: \(number)"))
      let count = bytes(old, driver)
      #expect(count > 0)
      #expect(count <= 300)
    }
  }

  /// The files, with names of one width that leave room between them.
  private static let numbered = Dictionary(
    uniqueKeysWithValues: files.sorted { $0.key < $1.key }.enumerated().map { number, file in
      ("note-\(10_000 + number * 10).yaml", file.value)
    })

  /// Returns the name of a file that comes after another one of `numbered`.
  private func name(after id: String, _ distance: Int) -> String {
    "note-\((Int(id.dropFirst(5)) ?? 0) + distance).yaml"
  }

  @Test func `a row that is inserted or deleted in the middle takes at most 300 bytes, as its mark fades`()
    throws
  {
    var driver = ScreenDriver(Self.numbered, columns: 120, rows: 50)
    for page in ["g", "ctrl-d"] {
      driver.press(page)
      for row in [8, 20, 40] {
        let added = name(after: driver.rows[row], 5)
        let text = try #require(Self.numbered["\(driver.rows[row]).yaml"])
        for change in [{ $0.write(added, text) }, { $0.remove(added) }] as [(inout ScreenDriver) -> Void] {
          for step in [change, { $0.time += .seconds(10) }, { $0.send(.tick) }] {
            let old = driver.canvas
            step(&driver)
            #expect(bytes(old, driver) <= 300, "row \(row)")
          }
        }
      }
    }
  }

  @Test func `a row that moves by a few rows takes at most 300 bytes`() throws {
    var driver = ScreenDriver(Self.numbered, request: FetchRequest(sort: ["-rating"]), columns: 120, rows: 50)
    let rating = /rating: \d+/
    for (row, target) in [(20, 14), (20, 29), (35, 5), (5, 44)] {
      let (moved, other) = (driver.rows[row], driver.rows[target])
      let old = driver.canvas
      let (text, model) = (
        try #require(Self.numbered["\(moved).yaml"]), try #require(Self.numbered["\(other).yaml"])
      )
      driver.write(
        "\(moved).yaml", text.replacing(rating, with: try #require(model.firstMatch(of: rating)).output))
      #expect(driver.line(of: Item.ID(moved))?.hasPrefix("→") ?? false)
      #expect(bytes(old, driver) <= 300, "from \(row) to \(target)")
    }
  }

  @Test func `a list that scrolls while marks fade takes at most 300 bytes`() throws {
    var driver = ScreenDriver(Self.numbered, columns: 120, rows: 50)
    driver.press("pgdn")
    for row in stride(from: 30, to: 44, by: 4) {
      driver.write(name(after: driver.rows[row], 3), try #require(Self.numbered["\(driver.rows[row]).yaml"]))
      driver.time += .milliseconds(500)
    }
    for key in Array(repeating: "j", count: 12) + Array(repeating: "k", count: 12) {
      let old = driver.canvas
      driver.press(key)
      driver.time += .milliseconds(200)
      driver.send(.tick)
      #expect(bytes(old, driver) <= 300)
    }
    #expect(driver.screen.area.marks.count == 0)
  }

  @Test func `an idle screen takes no bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    let old = driver.canvas
    driver.send(.tick)
    #expect(bytes(old, driver) == 0)
  }
}

extension ScreenDriver {
  /// The headings of the sections on the screen.
  fileprivate var headings: [String] { lines.filter { $0.hasPrefix("true ") || $0.hasPrefix("false ") } }
}
