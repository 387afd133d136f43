import Query

/// A pattern for paths, with the same meaning as in `.gitignore`.
///
/// - `*` and `?` match within one folder, `**/` matches any folders, `[a-z]` a set of characters.
/// - With a leading or inner `/`, the pattern begins at the root. Otherwise it begins at any folder.
/// - A trailing `/` matches only folders.
/// - A leading `!` includes paths that an earlier pattern excluded.
///
/// A pattern is compiled once. Matching allocates nothing and tries no star twice, so its time is
/// about linear in the path for any pattern.
struct Glob: Hashable {
  let isNegated: Bool
  let foldersOnly: Bool
  /// The groups of components that `**/` separates. The first group begins at the root, and the
  /// last one ends the path.
  private let groups: [[WildcardPattern]]
  /// True if the pattern ends in `/**`, which matches everything below the groups.
  private let endsInAnything: Bool

  init(_ pattern: String) {
    var rest = Array(pattern.unicodeScalars)[...]
    isNegated = rest.first == "!"
    if isNegated { rest.removeFirst() }
    foldersOnly = rest.last == "/"
    if foldersOnly { rest.removeLast() }
    let isAnchored = rest.contains("/")
    if rest.first == "/" { rest.removeFirst() }
    var parser = GlobParser(rest)
    parser.parse()
    groups = (isAnchored ? [] : [[]]) + parser.groups
    endsInAnything = parser.endsInAnything
  }

  /// Returns true if all of `path`, the UTF-8 of a path below the root, matches.
  package func matches(_ path: UnsafeRawBufferPointer) -> Bool {
    matches(path, name: Glob.start(ofLast: 1, in: path) ?? 0)
  }

  /// Matches a path whose last component begins at the offset `name`, to test many patterns on it.
  func matches(_ path: UnsafeRawBufferPointer, name: Int) -> Bool {
    guard var position = Glob.end(of: groups[0], in: path, at: 0) else { return false }
    if groups.count == 1 { return endsInAnything ? position <= path.count : position > path.count }
    let last = groups.count - 1
    for group in groups[1..<(endsInAnything ? groups.count : last)] {
      guard let end = Glob.firstEnd(of: group, in: path, from: position) else { return false }
      position = end
    }
    if endsInAnything { return position <= path.count }
    let components = groups[last].count
    guard let start = components == 1 ? name : Glob.start(ofLast: components, in: path), start >= position
    else { return false }
    return Glob.end(of: groups[last], in: path, at: start) != nil
  }

  /// Matches a group from the component at `start`. Returns the start of the component after it:
  /// one past the end of the path if there is none. Returns nil if the group does not match.
  private static func end(of group: [WildcardPattern], in path: UnsafeRawBufferPointer, at start: Int) -> Int?
  {
    var position = start
    for pattern in group {
      guard position <= path.count else { return nil }
      // This check excludes most components.
      if let byte = pattern.firstByte, position == path.count || path[position] != byte { return nil }
      var end = position
      while end < path.count, path[end] != slash { end += 1 }
      var steps = Int.max
      guard pattern.matches(UnsafeRawBufferPointer(rebasing: path[position..<end]), &steps) else {
        return nil
      }
      position = end + 1
    }
    return position
  }

  private static func firstEnd(of group: [WildcardPattern], in path: UnsafeRawBufferPointer, from start: Int)
    -> Int?
  {
    var position = start
    while position <= path.count {
      if let end = end(of: group, in: path, at: position) { return end }
      while position < path.count, path[position] != slash { position += 1 }
      position += 1
    }
    return nil
  }

  /// Returns the offset at which the last `components` components begin; nil if the path has fewer.
  static func start(ofLast components: Int, in path: UnsafeRawBufferPointer) -> Int? {
    var rest = components
    var position = path.count
    while position > 0 {
      if path[position - 1] == slash {
        rest -= 1
        if rest == 0 { return position }
      }
      position -= 1
    }
    return rest == 1 ? 0 : nil
  }

  private static let slash = UInt8(ascii: "/")

  /// A pattern that is literal text, possibly after a star. Such patterns are found in an index
  /// instead of being tried.
  struct Literal {
    enum Start {
      /// Anywhere in the name: `*.md`.
      case inName
      /// At the start of a component: `README.md`.
      case component
      /// At the root: `/docs/README.md`.
      case root
    }

    let start: Start
    let bytes: [UInt8]
  }

  /// The literal text of the pattern; nil if it has other wildcards.
  var literal: Literal? {
    guard !endsInAnything, groups.count == 1 || (groups.count == 2 && groups[0].isEmpty),
      let components = groups.last,
      !components.isEmpty
    else { return nil }
    if groups.count == 2, components.count == 1, let suffix = components[0].literalSuffix {
      return Literal(start: .inName, bytes: suffix)
    }
    var bytes: [UInt8] = []
    for (index, component) in components.enumerated() {
      guard let text = component.literalText else { return nil }
      if index > 0 { bytes.append(Glob.slash) }
      bytes += text
    }
    return bytes.isEmpty ? nil : Literal(start: groups.count == 1 ? .root : .component, bytes: bytes)
  }
}

/// Splits a pattern, without a leading `!` or `/` and a trailing `/`, into components.
private struct GlobParser {
  private var rest: ArraySlice<Unicode.Scalar>
  private var component = WildcardPattern()
  private var isComponentStart = true
  private var hasUnclosedSet = false
  private(set) var groups: [[WildcardPattern]] = [[]]
  private(set) var endsInAnything = false

  package init(_ pattern: ArraySlice<Unicode.Scalar>) {
    rest = pattern
  }

  mutating func parse() {
    while let scalar = rest.popFirst() {
      let isStart = isComponentStart
      isComponentStart = false
      switch scalar {
      case "/": endComponent()
      case "*":
        if isStart, parseFolders() { return }
      case "?": component.append(.anyScalar)
      case "[":
        if let set = parseSet() { component.append(set) } else { component.append("[" as Unicode.Scalar) }
      case "\\" where rest.first == "/":
        rest.removeFirst()
        endComponent()
      case "\\": component.append(rest.popFirst() ?? "\\")
      default: component.append(scalar)
      }
      if scalar == "*", !isComponentStart { appendStar() }
    }
    endComponent()
  }

  private mutating func appendStar() {
    rest = rest.drop { $0 == "*" }
    component.appendStar()
  }

  private mutating func endComponent() {
    component.endLiteral()
    groups[groups.count - 1].append(component)
    component = WildcardPattern()
    isComponentStart = true
  }

  /// Parses the rest of a component that begins with a star. Only a component of several stars
  /// matches across slashes. Returns true if it ends the pattern.
  private mutating func parseFolders() -> Bool {
    guard rest.first == "*" else { return false }
    let after = rest.drop { $0 == "*" }
    if after.isEmpty {
      endsInAnything = true
      return true
    }
    guard after.first == "/" else { return false }
    rest = after.dropFirst()
    // Several `**/` in a row are one.
    if groups.count == 1 || !groups[groups.count - 1].isEmpty { groups.append([]) }
    isComponentStart = true
    return false
  }

  /// Parses a set in brackets. Returns nil and reads nothing if the bracket is not closed.
  private mutating func parseSet() -> WildcardPattern.Piece? {
    // If one bracket is not closed, no later one is.
    if hasUnclosedSet { return nil }
    var inside = rest
    let isNegated = inside.first == "!" || inside.first == "^"
    if isNegated { inside.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while var low = inside.popFirst() {
      if low == "]", !ranges.isEmpty {
        rest = inside
        return .set(WildcardPattern.ScalarSet(ranges), isNegated: isNegated)
      }
      if low == "\\", let escaped = inside.popFirst() { low = escaped }
      if inside.first == "-", let high = inside.dropFirst().first, high != "]", high >= low {
        inside.removeFirst(2)
        ranges.append(low...high)
      } else {
        ranges.append(low...low)
      }
    }
    hasUnclosedSet = true
    return nil
  }
}
