/// The colours and attributes of the styles.
///
/// Each style is readable before the background is known: until then, its colours have a contrast
/// of at least 4 with black and with white. No style differs from the plain one by its colour
/// alone: the screen draws a sign beside what is marked, and matches are bold.
package struct Palette: Hashable, Sendable {
  package enum Depth: Sendable, CaseIterable {
    /// No colours, only attributes.
    case attributes
    /// The 16 colours that the user of the terminal chooses.
    case sixteen
    /// 256 colours, or more.
    case indexed
  }

  package let depth: Depth
  /// True if the background is light; nil if it is not known.
  package let isLight: Bool?

  package init(_ depth: Depth, isLight: Bool? = nil) {
    self.depth = depth
    self.isLight = isLight
  }

  /// Creates the palette that the environment asks for by `NO_COLOR`, `COLORTERM` and `TERM`.
  package init(environment: [String: String], isLight: Bool? = nil) {
    let term = environment["TERM"] ?? ""
    let colours = environment["COLORTERM"] ?? ""
    if !(environment["NO_COLOR"] ?? "").isEmpty {
      depth = .attributes
    } else if colours == "truecolor" || colours == "24bit" || term.hasSuffix("-direct") {
      depth = .indexed
    } else if term.hasSuffix("-256color")
      || ["xterm-kitty", "alacritty", "foot", "xterm-ghostty", "wezterm"].contains(term)
    {
      depth = .indexed
    } else if term.hasSuffix("-mono") || term.hasPrefix("vt1") || term.hasPrefix("vt2") {
      depth = .attributes
    } else {
      depth = .sixteen
    }
    self.isLight = isLight
  }

  /// Returns the SGR sequence that turns the plain style into another one; empty for those that
  /// look like the plain one.
  package func sequence(for style: Style) -> [UInt8] {
    var bytes: [UInt8] = []
    Attributes.plain.appendChange(to: attributes(for: style), &bytes)
    return bytes
  }

  func attributes(for style: Style) -> Attributes {
    var attributes = attributes(for: style.ink)
    switch style.paper {
    case .plain, .box:
      break
    case .cursor, .bar:
      attributes.flags.formSymmetricDifference(hasTints ? [] : .reverse)
    case .selected:
      if !hasTints { attributes.flags.insert(.bold) }
    }
    if hasTints { attributes.paper = tint(style.paper) }
    return attributes
  }

  /// True if the rows are marked by their background. Needs to know that of the terminal.
  private var hasTints: Bool { depth == .indexed && isLight != nil }
}
