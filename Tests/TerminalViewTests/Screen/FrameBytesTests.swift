import TerminalDevice
import TestSupport
import Testing

@testable import PlainStore
@testable import TerminalView

/// The bytes of the frames of a screen of 120 columns and 50 rows.
@Suite struct FrameBytesTests {
  private static let words = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota", "kappa", "lambda", "omicron", "upsilon",
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

  @Test func `a cursor key at the edge of the list takes at most 300 bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    var sizes: [Int] = []
    for key in Array(repeating: "j", count: 60) {
      let old = driver.canvas
      driver.press(key)
      sizes.append(bytes(old, driver))
    }
    #expect(sizes.max() ?? .max <= 300, "\(sizes)")
    sizes = []
    for key in Array(repeating: "k", count: 55) {
      let old = driver.canvas
      driver.press(key)
      sizes.append(bytes(old, driver))
    }
    #expect(sizes.max() ?? .max <= 300, "\(sizes)")
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

  @Test func `an idle screen takes no bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    let old = driver.canvas
    driver.send(.tick)
    #expect(bytes(old, driver) == 0)
  }
}
