/// Finds the keys in backquotes in a text of paths and other signs, scalar by scalar: signs between backquotes belong to a key.
///
/// A backquote opens a key only where a component begins: at the start of a path or after a dot. A JSON Pointer has no such keys.
package struct PathQuotes {
  private enum State {
    case start, componentStart, pointer, bareKey, quotedKey, closed
  }

  private var state = State.start

  package init() {}

  /// True while a key in backquotes is open.
  package var isOpen: Bool { state == .quotedKey }

  /// Reads the next scalar. Returns true if it is in a key in backquotes, the backquotes included.
  package mutating func read(_ scalar: Unicode.Scalar) -> Bool {
    switch (state, scalar) {
    case (.quotedKey, "`"): state = .closed
    case (.quotedKey, _): break
    case (.start, "`"), (.componentStart, "`"), (.closed, "`"): state = .quotedKey
    case (.pointer, _): return false
    case (.start, "/"):
      state = .pointer
      return false
    case (_, "."):
      state = .componentStart
      return false
    default:
      state = .bareKey
      return false
    }
    return true
  }
}
