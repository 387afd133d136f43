/// How much of the window is drawn, and how.
package struct TerminalOptions: Hashable, Sendable {
  /// The part of the window below the prompt that is used; nil for the complete window, on the
  /// alternate screen.
  package var height: TerminalHeight?
  var usesMouse = true
  /// True to use colours, false to use attributes alone; nil for what `NO_COLOR` says.
  package var usesColors: Bool?

  /// The keys that end the program, such as Ctrl-C. A long series of input that waits before one of
  /// them is discarded, as a terminal does when it sends SIGINT.
  package var interruptKeys: Set<Key> = []

  package init() {}
}

/// The height of the part of the window below the prompt: rows, or a percentage of the window.
package enum TerminalHeight: Hashable, Sendable {
  case rows(Int)
  case percent(Int)

  /// Parses `12` or `40%`; nil if it is neither, or not positive, or above 100 percent.
  package init?(parsing text: String) {
    let isPercentage = text.hasSuffix("%")
    let digits = isPercentage ? text.dropLast() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      number > 0
    else { return nil }
    if isPercentage, number > 100 { return nil }
    self = isPercentage ? .percent(number) : .rows(number)
  }

  /// Returns the rows to use of a window with `rows` rows: at least 3 where the window has them.
  package func rows(of rows: Int) -> Int {
    let wanted =
      switch self {
      case .rows(let count): count
      case .percent(let percent): Int((Double(rows) * Double(percent) / 100).rounded())
      }
    return min(max(wanted, 3), max(rows, 1))
  }
}
