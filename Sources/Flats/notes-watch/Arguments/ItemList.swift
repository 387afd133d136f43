import Store

/// The items that an input names: a JSON array, JSON Lines, or one printed id per line.
///
/// The first byte that is not blank decides: `[`, `{` or any other. In an id, a leading `[` is
/// written `%5B`, and `{` is written `%7B`.
struct ItemList {
  struct Entry {
    let line: ItemLine
    let number: Int

    var id: Item.ID { line.id }
  }

  private(set) var entries: [Entry] = []
  private(set) var errors: [TextError] = []

  private let usesValues: Bool
  private let idsArePaths: Bool
  private let limits: ReadLimits
  private var known: [Item.ID: Int] = [:]

  /// - Parameters:
  ///   - usesValues: False if only the ids are used, so that lines of ids are enough.
  ///   - idsArePaths: True if an id is the path of its file without the extension, so that a line with
  ///     another `path` is damaged.
  init(
    _ text: [UInt8], usesValues: Bool = true, idsArePaths: Bool = false, limits: ReadLimits = ReadLimits()
  ) {
    self.usesValues = usesValues
    self.idsArePaths = idsArePaths
    self.limits = limits.forLines
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
    switch bytes.first(where: { !ItemList.isBlank($0) }) {
    case nil: break
    case UInt8(ascii: "[")?: readArray(bytes)
    case UInt8(ascii: "{")?: readLines(bytes)
    case _ where !usesValues: readIDs(bytes)
    default:
      fail(
        1, 1,
        "Expected JSON, as `list -o jsonl` or `list -o json` prints it. Ids alone do not say what to set.")
    }
  }

  /// Reads standard input. An empty one is not an error, but is reported.
  static func standardInput(usesValues: Bool, idsArePaths: Bool = false, _ limits: ReadLimits)
    throws(Failure) -> ItemList
  {
    // All of it has to be in memory.
    let text = try readInput("-", upTo: 1 << 30, limit: "for input")
    let list = ItemList(text, usesValues: usesValues, idsArePaths: idsArePaths, limits: limits)
    if list.entries.isEmpty, list.errors.isEmpty {
      StandardError.report("Standard input contains no items.")
    }
    return list
  }

  var messages: [String] {
    errors.map { "Standard input, line \($0.line), column \($0.column): \($0.message)" }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func fail(_ line: Int, _ column: Int, _ message: String) {
    errors.append(TextError(line: line, column: column, message: message))
  }

  // MARK: Lines

  private static func lines(_ bytes: ArraySlice<UInt8>) -> some Sequence<(Int, ArraySlice<UInt8>)> {
    zip(1..., bytes.split(separator: 0x0A, omittingEmptySubsequences: false)).lazy
      .filter { !$0.1.allSatisfy(isBlank) }
  }

  private mutating func readLines(_ bytes: ArraySlice<UInt8>) {
    for (number, line) in ItemList.lines(bytes) {
      if line.filter({ !ItemList.isBlank($0) }) == [UInt8(ascii: "{")] {
        // Each following line would be an error too.
        return fail(
          number, 1, "This object spans several lines. Write one object per line (`jq -c`), or an array.")
      }
      readObject(line, number, 1)
    }
  }

  private mutating func readIDs(_ bytes: ArraySlice<UInt8>) {
    for (number, line) in ItemList.lines(bytes) {
      guard let text = String(validating: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self) else {
        fail(
          number, 1, "This line is not UTF-8. Write such bytes of an id as %XX, as `list -o id` prints them.")
        continue
      }
      add(Entry(line: ItemLine(id: Item.ID(printed: text)), number: number))
    }
  }

  // MARK: Objects

  private mutating func readObject(_ bytes: ArraySlice<UInt8>, _ line: Int, _ column: Int) {
    do throws(TextError) {
      let item = try ItemLine(Array(bytes), usesValue: usesValues, limits: limits)
      if idsArePaths, let path = item.path, Item.ID(path: path) != item.id {
        fail(
          line, column,
          "The `path` belongs to the item `\(Item.ID(path: path))`, but the `id` is `\(item.id)`. Both must name one item."
        )
      } else {
        add(Entry(line: item, number: line))
      }
    } catch {
      fail(line + error.line - 1, error.line == 1 ? column + error.column - 1 : error.column, error.message)
    }
  }

  /// Adds an item. It may be named twice, but not with two values.
  private mutating func add(_ entry: Entry) {
    guard let index = known[entry.id] else {
      known[entry.id] = entries.count
      entries.append(entry)
      return
    }
    if usesValues, entries[index].line != entry.line {
      fail(
        entry.number, 1,
        "The item `\(entry.id)` is also in line \(entries[index].number), with another value. Remove one of these lines."
      )
    }
  }

  // MARK: Arrays

  private mutating func readArray(_ bytes: ArraySlice<UInt8>) {
    var cursor = ArrayCursor(bytes)
    cursor.skipBlanks()
    cursor.skip()
    var mayEnd = true
    while true {
      cursor.skipBlanks()
      let line = cursor.line
      let column = cursor.column
      guard let byte = cursor.byte else { return failCutOff(line, column) }
      if byte == UInt8(ascii: "]") {
        if !mayEnd { fail(line, column, "An element is missing after the comma.") }
        break
      }
      guard let element = cursor.element() else { return failCutOff(cursor.line, cursor.column) }
      readObject(element, line, column)
      cursor.skipBlanks()
      mayEnd = cursor.byte != UInt8(ascii: ",")
      if !mayEnd {
        cursor.skip()
      } else if let next = cursor.byte, next != UInt8(ascii: "]") {
        return fail(cursor.line, cursor.column, "Expected a `,` or the `]` that ends the array.")
      }
    }
    cursor.skip()
    cursor.skipBlanks()
    if cursor.byte != nil {
      fail(cursor.line, cursor.column, "Nothing may follow the `]` that ends the array.")
    }
  }

  private mutating func failCutOff(_ line: Int, _ column: Int) {
    fail(line, column, "The array does not end here: the input may have been cut off.")
  }
}

/// Splits a JSON array into its elements. Of their content it reads only strings and brackets.
private struct ArrayCursor {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private(set) var line = 1
  private var lineStart: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
    lineStart = bytes.startIndex
  }

  var byte: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  var column: Int { bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1 }

  mutating func skip() {
    guard index < bytes.endIndex else { return }
    if bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    index += 1
  }

  mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { skip() }
  }

  /// Returns the next element without surrounding blanks; nil if it does not end.
  mutating func element() -> ArraySlice<UInt8>? {
    let start = index
    var depth = 0
    while let byte {
      switch byte {
      case UInt8(ascii: "\""): guard skipString() else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        skip()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return bytes[start..<index] }
        depth -= 1
        skip()
        if depth == 0 { return bytes[start..<index] }
      case UInt8(ascii: ",") where depth == 0: return bytes[start..<index]
      default: skip()
      }
    }
    return nil
  }

  private mutating func skipString() -> Bool {
    skip()
    while let byte {
      skip()
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") { skip() }
    }
    return false
  }
}

extension ReadLimits {
  /// JSON needs more bytes than the file, and the item is nested in an object.
  fileprivate var forLines: ReadLimits {
    var limits = ReadLimits(
      depth: depth, expandedSize: expandedSize,
      maxSize: maxSize.multipliedReportingOverflow(by: 8).partialValue)
    limits.depth += 2
    return limits
  }
}
