/// Finds the keys in backquotes in a text that contains paths. A backquote opens a key only at the start of
/// a path or after a dot, and never in a JSON Pointer.
package struct PathQuotes {
  private enum State {
    case start, componentStart, pointer, bareKey, quotedKey, closed
  }

  private var state = State.start

  package init() {}

  package var isOpen: Bool { state == .quotedKey }

  /// Reads the next scalar. Returns true if it is a part of a quoted key, with its backquotes.
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
