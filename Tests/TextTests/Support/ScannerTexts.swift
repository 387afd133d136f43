import TestSupport
import TextEdits
import Values

/// Makes YAML texts near the border of what `YAMLScanner` accepts: block and flow lists and maps of
/// all scalars, with comments, blanks and line breaks in all places, and about one in four wrong.
struct ScannerTexts {
  var random: SeededGenerator
  private var text: [UInt8] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Makes a text: by the grammar, mutated, of short pieces, or of single bytes.
  mutating func next() -> [UInt8] {
    switch random.below(16) {
    case 0...6: document()
    case 7...11: mutated(document())
    case 12: noise()
    default: pieces()
    }
  }

  private mutating func document() -> [UInt8] {
    text = []
    if random.oneIn(60) {
      extreme()
      return text
    }
    if random.oneIn(10) { put(of: ScannerWords.starts) }
    let column = random.oneIn(30) ? random.below(3) : 0
    switch random.below(60) {
    case 0: flow(depth: 3)
    case 1, 2: list(column, depth: 3)
    default: map(column, depth: 3)
    }
    if random.oneIn(8) { text.removeSubrange(random.below(text.count + 1)...) }
    if random.oneIn(30) { put(of: ["...\n", "---\n", "--- x\n", "# end", " ", "\t"]) }
    if random.oneIn(12) { text = text.flatMap { $0 == 0x0A && !random.oneIn(50) ? [0x0D, 0x0A] : [$0] } }
    return text
  }

  private mutating func put(_ piece: String) { text += piece.utf8 }
  private mutating func put(of pieces: [String]) { put(random.one(of: pieces)) }
  private mutating func spaces(_ count: Int) { text += repeatElement(0x20, count: max(0, count)) }
  private mutating func end() { put(of: random.oneIn(2) ? ["\n"] : ScannerWords.ends) }

  private mutating func scalar() {
    put(of: random.oneIn(4) ? ScannerWords.plain : random.oneIn(3) ? ScannerWords.quoted : ScannerWords.usual)
  }

  private mutating func key() {
    put(
      of: random.oneIn(25) ? ScannerWords.plain : random.oneIn(25) ? ScannerWords.quoted : ScannerWords.keys)
  }
}

/// Blocks.
extension ScannerTexts {
  private mutating func map(_ column: Int, depth: Int) {
    for _ in 0...random.below(4) {
      beforeEntry(column)
      key()
      if random.oneIn(30) { put(" ") }
      if !random.oneIn(60) { put(":") }
      value(column, depth: depth)
    }
  }

  private mutating func list(_ column: Int, depth: Int) {
    for _ in 0...random.below(3) {
      beforeEntry(column)
      put("-")
      guard depth > 0, random.oneIn(3) else {
        value(column, depth: depth)
        continue
      }
      let gap = random.oneIn(6) ? 1 + random.below(3) : 1
      spaces(gap)
      if random.oneIn(4) {
        put("-")
        value(column + 1 + gap, depth: depth - 1)
      } else {
        key()
        put(":")
        value(column + 1 + gap, depth: depth - 1)
        if random.oneIn(2) { map(column + 1 + gap, depth: depth - 1) }
      }
    }
  }

  private mutating func beforeEntry(_ column: Int) {
    if random.oneIn(10) {
      put(of: random.oneIn(4) ? ScannerWords.lines : ["\n", "  \n", "# c\n", "  # c\n"])
    }
    spaces(random.oneIn(40) ? column + random.below(3) - 1 : column)
  }

  /// Writes what follows `key:` or `-`.
  private mutating func value(_ column: Int, depth: Int) {
    switch random.below(depth > 0 ? 10 : 7) {
    case 0...2:
      spaces(random.oneIn(8) ? 1 + random.below(3) : 1)
      scalar()
      end()
    case 3:
      put(" ")
      block(column)
    case 4:
      put(" ")
      flow(depth: 3)
      end()
    case 5: end()
    case 6:
      end()
      spaces(column + random.below(4))
      if random.oneIn(3) { flow(depth: 2) } else if random.oneIn(3) { block(column) } else { scalar() }
      end()
    case 7:
      end()
      map(column + (random.oneIn(12) ? random.below(4) : 2), depth: depth - 1)
    case 8:
      end()
      list(column + (random.oneIn(2) ? 0 : random.oneIn(12) ? random.below(4) : 2), depth: depth - 1)
    default:
      put(" ")
      scalar()
      end()
      if random.oneIn(3) {
        spaces(column + random.below(4))
        scalar()
        end()
      }
    }
  }

  private mutating func block(_ column: Int) {
    put(of: ["|", ">"])
    put(of: ["", "", "", "-", "+", "2", "1", "+1", "-2", "--", " ", "x"])
    if random.oneIn(5) { put(of: ScannerWords.ends) } else { put("\n") }
    let indentation = column + random.one(of: [1, 2, 2, 2, 4, 0, 3])
    for _ in 0..<random.below(6) {
      switch random.below(10) {
      case 0: spaces(random.below(8))
      case 1: break
      case 2:
        spaces(indentation)
        put(of: ["\tx", " x", "# c", "---", "x ", "x\t", "é: b", "a\n\n", "  ", "2024-01-31"])
      case 3:
        spaces(indentation + random.below(5) - 2)
        put(of: ["x", "y z", "", "\tx"])
      default:
        spaces(indentation)
        put(of: ["x", "two words", "a: b", "- c", "#d"])
      }
      put("\n")
    }
    if random.oneIn(8) { spaces(random.below(6)) }
    if random.oneIn(20) { put("x") }
  }
}

/// Brackets, and texts at the limits.
extension ScannerTexts {
  private mutating func flow(depth: Int) {
    let kind = random.below(depth > 0 ? 6 : 3)
    guard kind > 2 else { return scalar() }
    let isList = kind < 5
    put(isList ? "[" : "{")
    let count = random.below(4)
    for index in 0..<count {
      gap()
      if !isList { flowKey() }
      if isList || !random.oneIn(12) { flow(depth: depth - 1) }
      gap()
      if index < count - 1 || random.oneIn(6) { put(",") }
    }
    gap()
    put(isList == random.oneIn(40) ? "}" : "]")
  }

  private mutating func flowKey() {
    key()
    if random.oneIn(8) { gap() }
    if !random.oneIn(20) { put(random.oneIn(10) ? ":" : ": ") }
  }

  private mutating func gap() {
    switch random.below(12) {
    case 0...5: break
    case 6...8: put(" ")
    case 9:
      put("\n")
      spaces(random.below(4))
    case 10: put(of: [" # c\n", "  ", "  "])
    default: put(of: ["\t", "#c\n", "", "", "", ""])
    }
  }

  /// Writes long keys, deep nesting or many keys.
  private mutating func extreme() {
    switch random.below(5) {
    case 0: longKey()
    case 1:
      let depth = 10 + random.below(10)
      for column in 0..<depth {
        spaces(column)
        put("k:\n")
      }
      spaces(depth)
      flow(depth: 4)
      end()
    case 2:
      put("a: ")
      let depth = 10 + random.below(10)
      for _ in 0..<depth { put(random.oneIn(3) ? "{a: " : "[") }
      put("x")
      for _ in 0..<depth { put(random.oneIn(3) ? "}" : "]") }
    case 3:
      let choice = random.oneIn(2) ? 100_000 : 300
      for _ in 0..<10 + random.below(40) { put("key\(random.below(choice)): x\n") }
    default:
      put("a:\n")
      let depth = random.below(20)
      for _ in 0..<depth { put(random.oneIn(8) ? "- a: 1\n" : "- ") }
      value(2 * depth, depth: 2)
    }
  }

  private mutating func longKey() {
    let key = String(repeating: random.oneIn(3) ? "é" : "k", count: 1_010 + random.below(25))
    let blanks = String(repeating: " ", count: random.below(6))
    switch random.below(4) {
    case 0: put("\(key)\(blanks): 1\n")
    case 1: put("a: {\(key)\(blanks): 1}\n")
    case 2: put("a:\n- '\(key)'\(blanks): 1\n")
    default: put("a: [x, \(key)\(blanks), y]\nb: \(key)\n")
    }
  }
}

/// Changes of texts, and texts without a grammar.
extension ScannerTexts {
  /// Removes, repeats, changes or inserts a few bytes.
  mutating func mutated(_ source: [UInt8]) -> [UInt8] {
    var bytes = source
    for _ in 0...random.below(3) {
      let index = random.below(bytes.count + 1)
      let end = min(bytes.count, index + random.below(6))
      switch random.below(8) {
      case 0: bytes.removeSubrange(index..<end)
      case 1: bytes.insert(contentsOf: Array(bytes[index..<end]), at: random.below(bytes.count + 1))
      case 2, 3: if index < bytes.count { bytes[index] = random.one(of: ScannerWords.bytes) }
      case 4: bytes.insert(random.one(of: ScannerWords.bytes), at: index)
      case 5: bytes.insert(contentsOf: random.one(of: ScannerWords.plain).utf8, at: index)
      case 6: bytes.insert(contentsOf: random.one(of: ScannerWords.ends).utf8, at: index)
      default: bytes.insert(contentsOf: random.one(of: ScannerWords.pieces).utf8, at: index)
      }
    }
    return bytes
  }

  private mutating func noise() -> [UInt8] {
    (0...random.below(24)).map { _ in random.one(of: ScannerWords.bytes) }
  }

  private mutating func pieces() -> [UInt8] {
    (0...random.below(8)).flatMap { _ in Array(random.one(of: ScannerWords.pieces).utf8) }
  }
}

/// The words of `ScannerTexts`.
enum ScannerWords {
  static let usual = [
    "x", "two words", "é", "12", "true", "http://x", "2024-01-31", "a b c", "x-y", "1.5", "~", "'q'", "\"d\"",
  ]
  static let keys = [
    "a", "b", "c", "d", "title", "two words", "é", "'q k'", "\"d k\"", "x-y", "12", "e", "f", "g", "h",
    "tags", "<<", "body", "a.b", "'a'",
    "~", "k ",
  ]
  static let plain = [
    "a:b", "http://x.org/?a=b#c", "-1.5", "null", "2024-01-31T10:00:00Z", "- x", "a#b", "a #b", "a: b", "-",
    "--", "---", "...", ".5",
    "0x1F",
    "1e3", "x ", " x", "1_000", "007", "+1", "-0", ".inf", "<<", "?", "? x", ":", ":x", "*a", "&a", "&a x",
    "!t", "!!str 1", "%x", "@x",
    "`x",
    "|x", ">x", ",x", "[", "]", "{", "}", "a,b", "a]", "a}", "x:", "=", "no", "yes", "NaN", "null ", "a\tb",
    "\ta", "a\t", "#", "x#", "12 ",
    "😀", "日本", "body", "a", "b", "c", "\u{A0}x", "a\u{85}b", "\u{FEFF}x", "a\u{2028}b", "1234567890123456789",
    "12345678901234567890",
    "0.1", "1.10", "3.0", "1e400", "x\\n", "'", "\"", "a'b", "a\"b", "a''b", "$x", "(x)", "a;b", "^", "_",
    "/", "\\", ".", "..", "-x", "-é",
    "+",
  ]
  static let quoted = [
    "''", "\"\"", "'x'", "\"x\"", "'it''s'", "\"a\\\"b\"", "\"a\\nb\"", "\"\\x41\"", "'a: b'", "\"a #b\"",
    "' x '", "\" x \"",
    "'2024-01-31'", "\"\\u00e9\"", "\"a\\\\\"", "'a\nb'", "\"a\n b\"", "\"a\\\n b\"", "'a", "\"a", "'a'b",
    "\"a\"b", "'''", "'<<'",
    "\"\\/\"",
    "\"\t\"", "'\t'", "\"\\t\\r\"", "\"2024-01-31\"", "'é'", "\"\\\"", "'body'",
  ]
  static let ends = [
    "\n", "\n", "\n", "\n", "\n", "\n", " # c\n", "  \n", "#c\n", "\t\n", "\t# c\n", "\n\n", "\n  \n", "\r\n",
    "\n# c\n", "\n   # c\n", "",
    " ",
  ]
  static let starts = [
    "# c\n", "\n", "---\n", "--- # c\n", "# c\n---\n", "%YAML 1.2\n---\n", "\u{FEFF}", "--- \n", "---\n---\n",
    " ---\n", "--- a: 1\n",
  ]
  static let lines = ["\t\n", "---\n", "...\n", " \t# c\n", "%YAML 1.2\n", "\r\n", "#\u{FEFF}\n"]
  static let pieces = [
    "a: ", "a:\n", "b: ", "- ", "-\n", "  ", " ", "\n", "x", "\"q\"", "'s'", "[", "]", "{", "}", ", ", "c: ",
    "|\n", ">\n", "|-\n", ">+\n",
    "# c\n", " # c\n", "  x\n", "   y\n", "\n\n", "2024-01-31", "12", "    ", "\r\n", "d:", "-", "---\n",
  ]
  static let bytes = Array("abx01-:#,[]{}'\"|>\n\n\n    \\?&*!%~.<\t\r+é2".utf8)
}
