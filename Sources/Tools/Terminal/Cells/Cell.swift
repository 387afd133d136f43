extension Canvas {
  /// One cell. A wide character has its text in the first cell; the cells after it are its
  /// continuation, without a text.
  ///
  /// Only the canvas makes cells with a text, so each text is safe for a terminal.
  package struct Cell: Hashable, Sendable {
    /// The first scalar of the text; 0 in a continuation.
    private let first: UInt32
    /// The scalars after the first one: marks, joiners and what they join.
    private let rest: String
    package var style: Style

    init(_ scalar: Unicode.Scalar, _ style: Style) {
      first = scalar.value
      rest = ""
      self.style = style
    }

    /// Creates a cell with a safe text; a continuation if the text is empty.
    init(_ scalars: String.UnicodeScalarView, _ style: Style) {
      first = scalars.first?.value ?? 0
      rest = scalars.count > 1 ? String(String.UnicodeScalarView(scalars.dropFirst())) : ""
      self.style = style
    }

    init(ascii: UInt8, _ style: Style) {
      first = UInt32(ascii)
      rest = ""
      self.style = style
    }

    static func continuation(_ style: Style) -> Cell { Cell(ascii: 0, style) }

    static let blank = Cell(ascii: 0x20, Style())

    /// The text: one character, safe for a terminal; empty for a continuation.
    package var text: String { scalars.isEmpty ? "" : String(scalars) }

    var scalars: String.UnicodeScalarView {
      var scalars = String.UnicodeScalarView()
      if first != 0, let scalar = Unicode.Scalar(first) { scalars.append(scalar) }
      if !rest.isEmpty { scalars.append(contentsOf: rest.unicodeScalars) }
      return scalars
    }

    /// True if the cell is covered by the wide character before it.
    package var isContinuation: Bool { first == 0 }

    /// True if nothing is drawn in the cell but its background.
    var isSpace: Bool { first == 0x20 && rest.isEmpty }

    var onlyScalar: Unicode.Scalar? { rest.isEmpty && first != 0 ? Unicode.Scalar(first) : nil }

    func mixText(into hash: inout UInt64) {
      hash = (hash ^ UInt64(first)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      for byte in rest.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Compares the scalars. Strings would be equal if they are canonically equivalent, and a frame
    /// would then keep the old form.
    package static func == (left: Cell, right: Cell) -> Bool {
      guard left.first == right.first, left.style == right.style else { return false }
      if left.rest.isEmpty, right.rest.isEmpty { return true }
      return left.rest.utf8.elementsEqual(right.rest.utf8)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(first)
      hasher.combine(style)
    }
  }
}
