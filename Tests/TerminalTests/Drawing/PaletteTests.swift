import TestSupport
import Testing

@testable import Terminal

@Suite struct PaletteTests {
  private static let styles = Style.Ink.allCases.flatMap { ink in
    Style.Paper.allCases.map { Style(ink, on: $0) }
  }
  private static let palettes = Palette.Depth.allCases.flatMap { depth in
    [nil, true, false].map { Palette(depth, isLight: $0) }
  }

  @Test(arguments: [
    (["NO_COLOR": "1", "COLORTERM": "truecolor"], Palette.Depth.attributes),
    (["NO_COLOR": "", "TERM": "xterm-256color"], .indexed),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .indexed),
    (["TERM": "tmux-256color"], .indexed),
    (["TERM": "xterm-kitty"], .indexed),
    (["TERM": "xterm-direct"], .indexed),
    (["TERM": "linux"], .sixteen),
    (["TERM": "screen"], .sixteen),
    (["TERM": "vt220"], .attributes),
    (["TERM": "xterm-mono"], .attributes),
    ([:], .sixteen),
  ])
  func `the environment says how many colours there are`(environment: [String: String], depth: Palette.Depth)
  {
    #expect(Palette(environment: environment).depth == depth)
  }

  @Test func `without colours, there are only attributes`() {
    for isLight in [nil, true, false] {
      for style in Self.styles {
        let rendition = Rendition(after: Palette(.attributes, isLight: isLight).sequence(for: style))
        #expect([rendition.ink, rendition.paper] == [.standard, .standard], "\(style)")
      }
    }
  }

  @Test func `with sixteen colours, there are no others`() {
    for style in Self.styles {
      let rendition = Rendition(after: Palette(.sixteen).sequence(for: style))
      for case .indexed(let number) in [rendition.ink, rendition.paper] { #expect(number < 16, "\(style)") }
      for case .direct in [rendition.ink, rendition.paper] { Issue.record("\(style)") }
    }
  }

  @Test func `what a person has to find differs from the plain text by more than its colour`() {
    for palette in Self.palettes {
      let plain = palette.attributes(for: Style())
      for style in [Style(.match), Style(.header), Style(.title), Style(.prompt), Style(.plain, on: .cursor)]
      {
        let attributes = palette.attributes(for: style)
        #expect(attributes.flags != plain.flags || attributes.paper != plain.paper, "\(style) \(palette)")
      }
    }
  }

  @Test func `the row of the cursor looks like no other row`() {
    for palette in Self.palettes {
      let cursor = palette.attributes(for: Style(.plain, on: .cursor))
      for paper in Style.Paper.allCases where paper != .cursor && paper != .bar {
        #expect(palette.attributes(for: Style(.plain, on: paper)) != cursor, "\(paper) \(palette)")
      }
    }
  }

  @Test func `texts have a contrast of at least 4, also before the background is known`() {
    var count = 0
    for palette in Self.palettes where palette.depth == .indexed {
      for style in Self.styles {
        let attributes = palette.attributes(for: style)
        let grounds: [[Double]] =
          palette.isLight.map { [$0 ? [255, 255, 255] : [0, 0, 0]] } ?? [[0, 0, 0], [255, 255, 255]]
        guard let ink = parts(of: attributes.ink) else { continue }
        for ground in parts(of: attributes.paper).map({ [$0] }) ?? grounds {
          count += 1
          #expect(contrast(ink, ground) >= 4, "\(style) \(palette)")
        }
      }
    }
    #expect(count > 200)
  }

  @Test func `the shortest sequence leads from each style to each other`() {
    let palette = Palette(.indexed, isLight: false)
    for first in Self.styles {
      for second in Self.styles {
        let (from, to) = (palette.attributes(for: first), palette.attributes(for: second))
        var change: [UInt8] = []
        from.appendChange(to: to, &change)
        let reached = Rendition(after: palette.sequence(for: first) + change)
        #expect(reached == Rendition(after: palette.sequence(for: second)), "\(first) \(second)")
        #expect(change.count <= palette.sequence(for: second).count + 3, "\(first) \(second)")
      }
    }
  }

  /// Returns the red, green and blue parts of a colour that is the same on all terminals.
  private func parts(of colour: Attributes.Colour) -> [Double]? {
    switch colour {
    case .standard, .named: return nil
    case .indexed(let number) where number >= 232:
      return Array(repeating: Double(8 + 10 * (Int(number) - 232)), count: 3)
    case .indexed(let number):
      let levels: [Double] = [0, 95, 135, 175, 215, 255]
      let place = Int(number) - 16
      return [levels[place / 36], levels[place / 6 % 6], levels[place % 6]]
    }
  }

  /// Returns the contrast of two colours as the Web Content Accessibility Guidelines define it.
  private func contrast(_ first: [Double], _ second: [Double]) -> Double {
    let (one, other) = (luminance(first), luminance(second))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  private func luminance(_ parts: [Double]) -> Double {
    let linear = parts.map { part in
      let value = part / 255
      return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// Returns a value to the power of 2.4: its square times the fifth root of its square.
  private func power(_ value: Double) -> Double {
    let square = value * value
    var root = 1.0
    for _ in 0..<60 { root -= (root * root * root * root * root - square) / (5 * root * root * root * root) }
    return square * root
  }
}
