@testable import Query
@testable import Values

/// Checks that `LIKE` matches as defined, and that every string matches itself.
public enum LikeProperties {
  /// Checks one input. Its first line is the pattern, the rest the string.
  public static func check(_ bytes: UnsafeRawBufferPointer) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let text = String(decoding: parts[1], as: UTF8.self)
    // A match may be cancelled after its time limit, so longer inputs are only tried.
    let isShort = pattern.utf8.count <= 200 && text.utf8.count <= 1_000
    let matches = PredicateTextTest(.like, pattern, []).holds(text)
    if isShort {
      require(matches == holds(tokens(pattern), Array(text.unicodeScalars)), "LIKE matches as defined.")
    }
    for folding in [Folding.letterCase, .accents, .all] {
      if matches, pattern.utf8.allSatisfy({ $0 < 0x80 }), text.utf8.allSatisfy({ $0 < 0x80 }), isShort {
        require(PredicateTextTest(.like, pattern, folding).holds(text), "Folding loses no match.")
      }
      require(PredicateTextTest(.like, escaped(text), folding).holds(text), "A text matches itself.")
    }
  }

  private enum Token {
    case scalar(Unicode.Scalar), any, star
  }

  private static func tokens(_ pattern: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Array(pattern.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\" where rest.first.map { "*?\\".unicodeScalars.contains($0) } == true:
        tokens.append(.scalar(rest.removeFirst()))
      case "*": tokens.append(.star)
      case "?": tokens.append(.any)
      default: tokens.append(.scalar(scalar))
      }
    }
    return tokens
  }

  private static func holds(_ tokens: [Token], _ text: [Unicode.Scalar]) -> Bool {
    var row = [true] + [Bool](repeating: false, count: text.count)
    for token in tokens {
      var next = [Bool](repeating: false, count: text.count + 1)
      for index in 0...text.count {
        switch token {
        case .star: next[index] = row[index] || (index > 0 && next[index - 1])
        case .any: next[index] = index > 0 && row[index - 1]
        case .scalar(let scalar): next[index] = index > 0 && row[index - 1] && text[index - 1] == scalar
        }
      }
      row = next
    }
    return row[text.count]
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if "*?\\".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}
