import Files

/// A line of text in pieces of one style each. The texts may contain anything: the canvas makes
/// them safe when it writes them.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  public struct Piece: Hashable, Sendable {
    public var text: String
    public var style: Style

    public init(_ text: String, _ style: Style = Style()) {
      self.text = text
      self.style = style
    }
  }

  public var pieces: [Piece]

  public init(_ pieces: [Piece] = []) {
    self.pieces = pieces
  }

  public init(_ text: String, _ style: Style = Style()) {
    pieces = [Piece(text, style)]
  }

  public init(_ text: String, _ ink: Style.Ink, on paper: Style.Paper = .plain) {
    self.init(text, Style(ink, on: paper))
  }

  public init(stringLiteral text: String) {
    self.init(text)
  }

  public mutating func append(_ text: String, _ style: Style = Style()) {
    pieces.append(Piece(text, style))
  }

  public mutating func append(_ text: String, _ ink: Style.Ink, on paper: Style.Paper = .plain) {
    append(text, Style(ink, on: paper))
  }

  /// The number of columns that the line needs, as the canvas writes it. Linear in the text.
  public var columns: Int {
    pieces.reduce(0) { $0 + DisplayText.width(of: $1.text) }
  }
}

/// How a text looks, by its meaning. The palette turns it into colours, or into attributes where
/// there are no colours.
public struct Style: Hashable, Sendable {
  /// The meaning of the text itself.
  public enum Ink: UInt8, Sendable, CaseIterable {
    case plain, dim, strong, title, header, match, key, string, number, comment, inserted, deleted, moved,
      changed, problem, prompt
  }

  /// The meaning of the row or box that the text is in.
  public enum Paper: UInt8, Sendable, CaseIterable {
    case plain, cursor, selected, bar, box
  }

  public var ink: Ink
  public var paper: Paper

  public init(_ ink: Ink = .plain, on paper: Paper = .plain) {
    self.ink = ink
    self.paper = paper
  }
}
