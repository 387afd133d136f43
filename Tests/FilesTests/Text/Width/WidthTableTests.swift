import Foundation
import Testing

@testable import Files

/// Compares `DisplayWidth` with PyPI's wcwidth, over every character.
@Suite struct WidthTableTests {
  /// The known differences.
  private enum Difference: CaseIterable {
    /// wcwidth gives 0 to a spacing mark that stands alone; the C library gives 1, and so do the
    /// terminals that draw it beside its letter.
    case spacingMark
    /// Half of a flag is a letter in a box, which terminals draw in one column. Two are a flag of
    /// two columns here and there.
    case halfFlag
    /// Characters that are never sent to a terminal: `DisplayText` shows them as escapes.
    case escaped

    func explains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .spacingMark: scalar.properties.generalCategory == .spacingMark
      case .halfFlag: (0x1F1E6...0x1F1FF).contains(scalar.value)
      case .escaped: DisplayText.safe(String(scalar)) == DisplayText.escape(scalar)
      }
    }
  }

  /// The table that `make-widths.py` wrote.
  private struct Table {
    var widths: [UInt32: Int] = [:]
    var pictures: Set<UInt32> = []

    init() throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "widths.txt")
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      where !line.hasPrefix("#") {
        let parts = line.split(separator: " ")
        let first = try #require(UInt32(parts[0], radix: 16))
        let last = try #require(UInt32(parts[1], radix: 16))
        if parts[2] == "+" { pictures.insert(first) }
        guard let width = Int(parts[2]) else { continue }
        for value in first...last { widths[value] = width }
      }
    }

    func columns(of scalar: Unicode.Scalar) -> Int { widths[scalar.value] ?? 1 }
  }

  private static let scalars = (UInt32(0x20)...0x10_FFFF).compactMap(Unicode.Scalar.init)

  @Test func `every character is as wide as in wcwidth, but for the listed differences`() throws {
    let table = try Table()
    #expect(table.widths.count > 100_000)
    var unexplained: [String] = []
    var explained: [Difference: Int] = [:]
    for scalar in Self.scalars where DisplayWidth.columns(of: scalar) != table.columns(of: scalar) {
      if let reason = Difference.allCases.first(where: { $0.explains(scalar) }) {
        explained[reason, default: 0] += 1
      } else {
        unexplained.append(DisplayText.escape(scalar))
      }
    }
    #expect(unexplained == [])
    #expect(
      Set(explained.keys) == Set(Difference.allCases), "a reason that explains nothing is to be removed")
  }

  @Test func `every character that is certain is as wide as in wcwidth, and shown as it is`() throws {
    let table = try Table()
    var count = 0
    for scalar in Self.scalars where DisplayWidth.isCertain(scalar) {
      count += 1
      #expect(DisplayWidth.columns(of: scalar) == table.columns(of: scalar), "\(DisplayText.escape(scalar))")
      #expect(DisplayText.safe(String(scalar)) == String(scalar), "\(DisplayText.escape(scalar))")
    }
    #expect(count > 30_000)
  }

  @Test func `symbols are pictures with the same variation selectors as in wcwidth`() throws {
    let table = try Table()
    #expect(table.pictures.count > 100)
    for value in table.pictures {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(
        DisplayWidth.columns(of: String.UnicodeScalarView([scalar, "\u{FE0F}"])) == 2,
        "\(DisplayText.escape(scalar))")
    }
  }
}
