@testable import Folder

/// Checks that a list of globs decides as each glob alone does in a second implementation.
public enum GlobProperties {
  /// Checks one input. Its last line is the path; the other lines are patterns.
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.last else { return }
    let path = last.split(separator: "/").joined(separator: "/")
    if path.isEmpty { return }
    let patterns = lines.dropLast().map(String.init)
    let list = IgnoreList(patterns)
    for isFolder in [false, true] {
      let rule = patterns.last { pattern in
        let glob = Glob(pattern)
        return (isFolder || !glob.foldersOnly) && ReferenceGlob(pattern).matches(path.unicodeScalars)
      }
      var text = path
      let ignores = text.withUTF8 { list.ignores(UnsafeRawBufferPointer($0), isFolder: isFolder) }
      require(
        ignores == (rule.map { !Glob($0).isNegated } ?? false), "The last pattern that matches decides.")
    }
  }
}

/// A second implementation of globs, which follows all alternatives at once, scalar by scalar.
private struct ReferenceGlob {
  private let tokens: [Token]

  private enum Token: Sendable, Hashable {
    case scalar(Unicode.Scalar)
    case any
    case set([ClosedRange<Unicode.Scalar>], negated: Bool)
    /// A `*` inside a component.
    case run
    /// A `**/`, which also matches no folder at all.
    case folders
    /// A `**` at the end.
    case everything
  }

  init(_ pattern: String) {
    var rest = Array(pattern.unicodeScalars)[...]
    if rest.first == "!" { rest.removeFirst() }
    if rest.last == "/" { rest.removeLast() }
    let isAnchored = rest.contains("/")
    if rest.first == "/" { rest.removeFirst() }
    tokens = (isAnchored ? [] : [.folders]) + ReferenceGlob.tokens(rest)
  }

  private static func tokens(_ pattern: ArraySlice<Unicode.Scalar>) -> [Token] {
    var rest = pattern
    var tokens: [Token] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*":
        tokens.append(
          stars(&rest, isComponentStart: tokens.last.map { $0 == .scalar("/") || $0 == .folders } ?? true))
      case "?": tokens.append(.any)
      case "[": tokens.append(set(&rest) ?? .scalar("["))
      case "\\": tokens.append(.scalar(rest.popFirst() ?? "\\"))
      default: tokens.append(.scalar(scalar))
      }
    }
    return tokens
  }

  /// Reads the stars that follow a star. Only if they are a complete component do two stars match
  /// across slashes.
  private static func stars(_ rest: inout ArraySlice<Unicode.Scalar>, isComponentStart: Bool) -> Token {
    let isDouble = rest.first == "*"
    rest = rest.drop { $0 == "*" }
    guard isDouble, isComponentStart else { return .run }
    if rest.isEmpty { return .everything }
    guard rest.first == "/" else { return .run }
    rest.removeFirst()
    return .folders
  }

  /// Reads a set in brackets. Returns nil, and reads nothing, if the bracket is not closed.
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

  /// Returns true if the glob matches all of `path`.
  func matches(_ path: some Sequence<Unicode.Scalar>) -> Bool {
    var states = [Bool](repeating: false, count: tokens.count + 1)
    states[0] = true
    passEmpty(&states)
    for scalar in path {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      for (index, token) in tokens.enumerated() where states[index] {
        ReferenceGlob.step(token, index, scalar, &next)
      }
      passEmpty(&next, afterSlash: scalar == "/")
      states = next
      if !states.contains(true) { return false }
    }
    return states[tokens.count]
  }

  /// Marks the states after one more scalar.
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

  /// Passes tokens that can match nothing. Folders end only after a slash.
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
