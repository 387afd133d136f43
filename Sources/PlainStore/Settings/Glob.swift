/// A pattern for paths, with the meaning that `.gitignore` gives it: `*` and `?` within a folder, `**/` any folders, `[a-z]`, a leading `/` or an inner one
/// ties it to the root, a trailing `/` means folders only, a leading `!` takes back what an earlier pattern left out.
///
/// Matched by following all alternatives at once, so the time is at most the length of the path times that of the pattern, whatever the pattern.
package struct Glob: Sendable, Hashable {
  package let isNegated: Bool
  package let foldersOnly: Bool
  private let tokens: [Token]

  private enum Token: Sendable, Hashable {
    case scalar(Unicode.Scalar)
    case any
    case set([ClosedRange<Unicode.Scalar>], negated: Bool)
    /// `*`
    case run
    /// `**/`, nothing included
    case folders
    /// `**` at the end
    case everything
  }

  package init(_ pattern: String) {
    var rest = Array(pattern.unicodeScalars)[...]
    isNegated = rest.first == "!"
    if isNegated { rest.removeFirst() }
    foldersOnly = rest.last == "/"
    if foldersOnly { rest.removeLast() }
    let isAnchored = rest.contains("/")
    if rest.first == "/" { rest.removeFirst() }
    tokens = (isAnchored ? [] : [.folders]) + Glob.tokens(rest)
  }

  private static func tokens(_ pattern: ArraySlice<Unicode.Scalar>) -> [Token] {
    var rest = pattern
    var tokens: [Token] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": tokens.append(stars(&rest, isComponentStart: tokens.last.map { $0 == .scalar("/") || $0 == .folders } ?? true))
      case "?": tokens.append(.any)
      case "[": tokens.append(set(&rest) ?? .scalar("["))
      case "\\": tokens.append(.scalar(rest.popFirst() ?? "\\"))
      default: tokens.append(.scalar(scalar))
      }
    }
    return tokens
  }

  /// What a star and those right behind it mean: only as a whole component do several of them reach over slashes.
  private static func stars(_ rest: inout ArraySlice<Unicode.Scalar>, isComponentStart: Bool) -> Token {
    let isDouble = rest.first == "*"
    rest = rest.drop { $0 == "*" }
    guard isDouble, isComponentStart else { return .run }
    if rest.isEmpty { return .everything }
    guard rest.first == "/" else { return .run }
    rest.removeFirst()
    return .folders
  }

  /// Nil, taking nothing, where the bracket is never closed.
  private static func set(_ rest: inout ArraySlice<Unicode.Scalar>) -> Token? {
    var inside = rest
    let negated = inside.first == "!" || inside.first == "^"
    if negated { inside.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while var low = inside.popFirst() {
      if low == "]", !ranges.isEmpty {
        rest = inside
        return .set(ranges, negated: negated)
      }
      if low == "\\", let escaped = inside.popFirst() { low = escaped }
      if inside.first == "-", let high = inside.dropFirst().first, high != "]", high >= low {
        inside.removeFirst(2)
        ranges.append(low...high)
      } else {
        ranges.append(low...low)
      }
    }
    return nil
  }

  /// Whether all of `path` fits.
  package func matches(_ path: some Sequence<Unicode.Scalar>) -> Bool {
    var states = [Bool](repeating: false, count: tokens.count + 1)
    states[0] = true
    passEmpty(&states)
    for scalar in path {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      for (index, token) in tokens.enumerated() where states[index] {
        Glob.step(token, index, scalar, &next)
      }
      passEmpty(&next, afterSlash: scalar == "/")
      states = next
      if !states.contains(true) { return false }
    }
    return states[tokens.count]
  }

  /// Where one more scalar leads from the token at `index`.
  private static func step(_ token: Token, _ index: Int, _ scalar: Unicode.Scalar, _ next: inout [Bool]) {
    switch token {
    case .scalar(let wanted): if scalar == wanted { next[index + 1] = true }
    case .any: if scalar != "/" { next[index + 1] = true }
    case .set(let ranges, let negated):
      if scalar != "/", ranges.contains(where: { $0.contains(scalar) }) != negated { next[index + 1] = true }
    case .run: if scalar != "/" { next[index] = true }
    case .folders, .everything: next[index] = true
    }
  }

  /// Tokens that may stand for nothing are passed over; folders end only behind a slash.
  private func passEmpty(_ states: inout [Bool], afterSlash: Bool = true) {
    for (index, token) in tokens.enumerated() where states[index] {
      switch token {
      case .run, .everything: states[index + 1] = true
      case .folders: if afterSlash { states[index + 1] = true }
      default: break
      }
    }
  }
}
