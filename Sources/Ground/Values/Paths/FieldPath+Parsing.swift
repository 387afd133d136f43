extension FieldPath {
  /// Parses a path. An error has the column of the mistake. Linear in the text.
  public init(parsing text: String) throws(TextError) {
    try self.init(text, isWritten: false)
  }

  /// Parses a path for writing, which consists of keys and element numbers. A key with brackets
  /// must be in backquotes here, because without them it is more likely a mistake.
  package init(parsingWritable text: String) throws(TextError) {
    try self.init(text, isWritten: true)
  }

  private init(_ text: String, isWritten: Bool) throws(TextError) {
    var parser = FieldPathParser(text, isWritten: isWritten)
    let steps =
      text.utf8.first == "/" ? try parser.parsePointer() : try parser.parseComponents()
    self.init(steps: steps, description: text)
  }
}

extension FieldPath: ExpressibleByStringInterpolation {
  /// Creates a path from a literal: `let path: FieldPath = "address.city"`.
  ///
  /// A malformed literal is a mistake in the program: it traps with the reason. For a text from outside,
  /// use `init(parsing:)`, which throws.
  public init(stringLiteral text: String) { self.init(literal: text) }

  /// Creates a path from a literal with values. A string is data: it is a key, or a part of one, whatever its
  /// characters. `"address.\(key)"` has two keys, also for the key `a.b`.
  public init(stringInterpolation parts: StringInterpolation) { self = parts.path { FieldPath(literal: $0) } }

  private init(literal text: String) {
    do throws(TextError) {
      try self.init(parsing: text)
    } catch {
      fatalError("The FieldPath literal is malformed: \(error)")  // A literal is a constant.
    }
  }

  /// The parts of an interpolated literal. The compiler creates it.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    /// The text of the literal, with a placeholder for each value. Placeholders are scalars for private use.
    package private(set) var text = ""
    private var values: [String] = []

    private static let firstPlaceholder = 0xF0000
    private static let maxCount = 0xFFFD

    /// Creates an empty literal. Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends a part of the path's text.
    public mutating func appendLiteral(_ literal: String) {
      for scalar in literal.unicodeScalars {
        if isPlaceholder(scalar) { append(String(scalar)) } else { text.unicodeScalars.append(scalar) }
      }
    }

    /// Appends a key, or a part of one.
    public mutating func appendInterpolation(_ key: String) { append(key) }

    /// Appends the number of an element: `"tags[\(2)]"`.
    public mutating func appendInterpolation(_ number: Int) {
      if number < 0 { append(String(number)) } else { text += String(number) }
    }

    /// Appends a path.
    public mutating func appendInterpolation(_ path: FieldPath) {
      for (index, step) in path.steps.enumerated() {
        switch step {
        case .key(let key):
          if index > 0 { text += "." }
          append(key)
        case .listOperator(let listOperator): text += (index > 0 ? "." : "") + listOperator.rawValue
        case .index, .first, .last, .size: text += step.description
        }
      }
    }

    private mutating func append(_ value: String) {
      let number = StringInterpolation.firstPlaceholder + min(values.count, StringInterpolation.maxCount)
      guard values.count <= StringInterpolation.maxCount, let scalar = Unicode.Scalar(UInt32(number)) else {
        return
      }
      text.unicodeScalars.append(scalar)
      values.append(value)
    }

    private func isPlaceholder(_ scalar: Unicode.Scalar) -> Bool {
      let first = StringInterpolation.firstPlaceholder
      return (first...first + StringInterpolation.maxCount).contains(Int(scalar.value))
    }

    private func filled(_ key: String) -> String {
      var result = ""
      for scalar in key.unicodeScalars {
        let place = Int(scalar.value) - StringInterpolation.firstPlaceholder
        if values.indices.contains(place) {
          result += values[place]
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
      return result
    }

    /// Returns the path of a text of this literal, with its values. If the values make it malformed, as two
    /// operators do, it is one key: no value can end the program.
    package func path(of literal: String? = nil, _ parse: (String) -> FieldPath) -> FieldPath {
      let literal = literal ?? text
      if values.isEmpty { return parse(literal) }
      guard let path = try? FieldPath(parsing: literal) else { return FieldPath(keys: [filled(literal)]) }
      return FieldPath(
        steps: path.steps.map { step in if case .key(let key) = step { .key(filled(key)) } else { step } })
    }
  }
}

/// Parses a path by its Unicode scalars, so that a dot before a combining accent is still a dot.
private struct FieldPathParser {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var steps: [FieldPath.Step] = []
  private var hasOperator = false
  private let isWritten: Bool

  init(_ text: String, isWritten: Bool) {
    self.text = text
    self.isWritten = isWritten
    scalars = Array(text.unicodeScalars)
  }

  private func error(at offset: Int, _ message: String) -> TextError {
    TextError(path: text, column: offset + 1, message)
  }

  private func computed(at offset: Int) -> TextError {
    error(at: offset, "`\(text)` is computed and cannot be changed. Write the list, or an element of it.")
  }

  private func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  mutating func parsePointer() throws(TextError) -> [FieldPath.Step] {
    while position < scalars.count {
      position += 1
      let start = position
      let token = try token()
      if let listOperator = ListOperator(rawValue: token), !steps.isEmpty {
        try append(listOperator, at: start)
      } else if let index = Int(elementNumber: token), !steps.isEmpty {
        try append([.index(index)], at: start)
      } else {
        try append([.key(token)], at: start)
      }
    }
    return steps
  }

  private mutating func token() throws(TextError) -> String {
    var token = String.UnicodeScalarView()
    while position < scalars.count, scalars[position] != "/" {
      if scalars[position] == "~" {
        position += 1
        switch position < scalars.count ? scalars[position] : nil {
        case "0": token.append("~")
        case "1": token.append("/")
        default:
          throw error(at: position - 1, "In a JSON Pointer, write `~` as `~0`, and `/` in a key as `~1`.")
        }
      } else {
        token.append(scalars[position])
      }
      position += 1
    }
    return String(token)
  }

  mutating func parseComponents() throws(TextError) -> [FieldPath.Step] {
    if scalars.isEmpty { throw error(at: 0, "The path is empty. Write the name of a field.") }
    while true {
      if position < scalars.count, scalars[position] == "`" {
        try parseQuotedComponent()
      } else {
        try parseBareComponent()
      }
      guard position < scalars.count else { return steps }
      position += 1
    }
  }

  private mutating func parseBareComponent() throws(TextError) {
    let start = position
    while position < scalars.count, scalars[position] != "." { position += 1 }
    var end = position
    var places: [FieldPath.Step] = []
    while let (place, open) = try place(endingAt: end, after: start) {
      places.append(place)
      end = open
    }
    let key = string(start..<end)
    if key.isEmpty {
      throw error(
        at: start,
        "A key is missing here. Write single dots between keys, and two backquotes for an empty key.")
    }
    // A single name that begins with @ is a pseudo-field.
    let isAlone = steps.isEmpty && position == scalars.count && places.isEmpty
    if isWritten, let bracket = scalars[start..<end].firstIndex(where: { $0 == "[" || $0 == "]" }) {
      throw error(
        at: bracket,
        "Brackets are only for the number of an element, as in tags[0]. Write a key with brackets in backquotes: `\(key)`."
      )
    }
    if let bracket = unpairedBracket(in: start..<end) {
      throw error(
        at: bracket,
        "This bracket has no counterpart. Write the number of an element as in tags[0], and a key with brackets in backquotes."
      )
    }
    if let listOperator = ListOperator(rawValue: key), !isAlone {
      try append(listOperator, at: start)
      if !places.isEmpty {
        throw error(at: end, "The result of \(key) has no elements. Write the brackets before it.")
      }
    } else {
      if key.unicodeScalars.first == "@", !steps.isEmpty {
        throw error(at: start, FieldPathParser.unknownOperator(key))
      }
      try append([.key(key)] + places.reversed(), at: start)
    }
  }

  private func unpairedBracket(in range: Range<Int>) -> Int? {
    var open: [Int] = []
    for place in range {
      if scalars[place] == "[" { open.append(place) }
      if scalars[place] == "]", open.popLast() == nil { return place }
    }
    return open.first
  }

  private static func unknownOperator(_ key: String) -> String {
    let known = ListOperator.allCases.map(\.rawValue).joined(separator: ", ")
    return
      "There is no operator `\(key)`. The operators are \(known). Write a key of this name in backquotes."
  }

  private mutating func parseQuotedComponent() throws(TextError) {
    let start = position
    let key = try quotedKey()
    try append([.key(key)], at: start)
    let first = position
    while position < scalars.count, scalars[position] != "." { position += 1 }
    var places: [FieldPath.Step] = []
    var end = position
    while end > first {
      guard let (place, open) = try place(endingAt: end, after: first - 1) else {
        throw error(
          at: first,
          "Only `.`, a place such as [0] or the end can follow a key in backquotes. Double a backquote that is part of the key."
        )
      }
      places.append(place)
      end = open
    }
    if !places.isEmpty { try append(places.reversed(), at: first) }
  }

  private mutating func quotedKey() throws(TextError) -> String {
    let start = position
    var key = String.UnicodeScalarView()
    position += 1
    while position < scalars.count {
      let scalar = scalars[position]
      position += 1
      if scalar == "`" {
        guard position < scalars.count, scalars[position] == "`" else { return String(key) }
        position += 1
      }
      key.append(scalar)
    }
    throw error(at: start, "This key is not closed. Add the closing backquote.")
  }

  /// Parses the place in brackets that ends at `end`; nil if there is none, or no key before it.
  private func place(endingAt end: Int, after start: Int) throws(TextError) -> (
    FieldPath.Step, open: Int
  )? {
    guard end > start, scalars[end - 1] == "]", let open = scalars[start..<end].lastIndex(of: "["),
      open > start
    else { return nil }
    let content = scalars[(open + 1)..<(end - 1)]
    if let place = FieldPathParser.namedPlaces[content.map { $0.properties.lowercaseMapping }.joined()] {
      if isWritten, place == .size { throw computed(at: open) }
      if isWritten {
        throw error(at: open, "An element that is changed must be named by its number, as in tags[0].")
      }
      return (place, open)
    }
    let digits = content.first == "-" ? content.dropFirst() : content
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    if digits.count < content.count {
      throw error(at: open + 1, "Element numbers count from 0 and have no sign. Write it as in tags[0].")
    }
    guard let index = Int(string(digits.startIndex..<digits.endIndex)) else {
      throw error(at: open + 1, "This element number is too large. Write a smaller one.")
    }
    return (.index(index), open)
  }

  private static let namedPlaces: [String: FieldPath.Step] = ["first": .first, "last": .last, "size": .size]

  private mutating func append(_ more: [FieldPath.Step], at offset: Int) throws(TextError) {
    if hasOperator, more.count > 1 || !more[0].isKey {
      throw error(
        at: offset, "Only keys can follow an operator such as @max. Write a place in brackets before it.")
    }
    steps += more
  }

  private mutating func append(_ listOperator: ListOperator, at offset: Int) throws(TextError) {
    if isWritten { throw computed(at: offset) }
    if hasOperator {
      throw error(
        at: offset,
        "A path can have only one operator such as @count. Write a key of this name in backquotes.")
    }
    hasOperator = true
    steps.append(.listOperator(listOperator))
  }
}

extension FieldPath.Step {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}

extension Int {
  /// The number of an element; nil for a key with anything but digits, or with leading zeros.
  package init?(elementNumber key: String) {
    let digits = key.utf8
    guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }),
      digits.count == 1 || digits.first != "0"
    else { return nil }
    self.init(key)
  }
}
