import Files

/// A line of text in pieces of one style each. The texts may contain anything: the canvas makes
/// them safe when it writes them.
package struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  package struct Piece: Hashable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = Style()) {
      self.text = text
      self.style = style
    }
  }

  package var pieces: [Piece]

  package init(_ pieces: [Piece] = []) {
    self.pieces = pieces
  }

  package init(_ text: String, _ style: Style = Style()) {
    pieces = [Piece(text, style)]
  }

  package init(_ text: String, _ ink: Style.Ink, on paper: Style.Paper = .plain) {
    self.init(text, Style(ink, on: paper))
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  package mutating func append(_ text: String, _ style: Style = Style()) {
    pieces.append(Piece(text, style))
  }

  package mutating func append(_ text: String, _ ink: Style.Ink, on paper: Style.Paper = .plain) {
    append(text, Style(ink, on: paper))
  }

  /// The number of columns that the line needs, as the canvas writes it. Linear in the text.
  package var columns: Int {
    pieces.reduce(0) { $0 + DisplayText.width(of: $1.text) }
  }
}

/// How a text looks, by its meaning. The palette turns it into colours, or into attributes where
/// there are no colours.
package struct Style: Hashable, Sendable {
  /// The meaning of the text itself.
  package enum Ink: UInt8, Sendable, CaseIterable {
    case plain, dim, strong, title, header, match, key, string, number, comment, inserted, deleted, moved,
      changed, problem, prompt
  }

  /// The meaning of the row or box that the text is in.
  package enum Paper: UInt8, Sendable, CaseIterable {
    case plain, cursor, selected, bar, box
  }

  package var ink: Ink
  package var paper: Paper

  package init(_ ink: Ink = .plain, on paper: Paper = .plain) {
    self.ink = ink
    self.paper = paper
  }
}
