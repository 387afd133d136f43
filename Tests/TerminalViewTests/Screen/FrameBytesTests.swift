import TerminalDevice
import TestSupport
import Testing

@testable import PlainStore
@testable import TerminalView

/// The bytes of the frames of a screen of 120 columns and 50 rows.
@Suite struct FrameBytesTests {
  private static let files = Dictionary(
    uniqueKeysWithValues: (0..<600).map { number in
      (
        "product-\(number * 7919 % 600).yaml",
        "title: Product \(number) of \(["Amber", "Basil", "Cedar", "Dahlia"][number % 4])\nrating: \(number % 11)\n"
          + "category: \(["tools", "toys", "books"][number % 3])\nupdated: 2026-0\(1 + number % 9)-1\(number % 10)\n"
      )
    })
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

  @Test func `a key of a query takes at most 6 KB`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    driver.press("/")
    var sizes: [Int] = []
    for character in "product 1" {
      let old = driver.canvas
      driver.type(String(character))
      sizes.append(bytes(old, driver))
    }
    #expect(sizes.sorted()[sizes.count / 2] <= 6_144, "\(sizes)")
  }

  @Test func `a changed row takes at most 300 bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    for number in 0..<4 {
      let old = driver.canvas
      driver.write("product-1.yaml", "title: Product of Amber\nrating: \(number)\ncategory: tools\nupdated: 2026-11-22\n")
      #expect(bytes(old, driver) <= 300)
    }
  }

  @Test func `an idle screen takes no bytes`() {
    var driver = ScreenDriver(Self.files, columns: 120, rows: 50)
    let old = driver.canvas
    driver.send(.tick)
    #expect(bytes(old, driver) == 0)
  }
}
