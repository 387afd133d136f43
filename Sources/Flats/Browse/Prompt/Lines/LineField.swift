import Files
import Terminal

/// One editable line of text with a caret, in grapheme clusters.
///
/// The text may contain anything: the canvas shows it safely. It is bounded, so that no paste makes
/// a key slow.
struct LineField: Sendable {
  static let maxLength = 4096
  /// The maximum size in bytes: a character may have any number of marks.
  static let maxSize = 4 * maxLength

  private(set) var characters: [Character] = [] {
    didSet { columnStarts = LineField.columnStarts(of: characters) }
  }
  /// The column at which each character begins, and the one after the last. A character has the
  /// width that it is shown with.
  private(set) var columnStarts = [0]
  private var size = 0
  /// The place of the caret: the number of characters before it.
  private(set) var caret = 0
  /// The text that was removed last by a key that keeps it, for ctrl-y.
  var killed = ""
  /// True if the last insertion did not fit and was left out.
  private(set) var refusedInput = false

  /// The number of lines back in a history, 0 for the line that is being typed, and that line.
  var past = (steps: 0, draft: "")

  init(_ text: String = "") {
    set(text)
  }

  var text: String { String(characters) }

  var isEmpty: Bool { characters.isEmpty }

  mutating func set(_ text: String) {
    (characters, caret, size) = ([], 0, 0)
    insert(text)
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    let range = range.clamped(to: 0..<characters.count)
    // A full line refuses keys at once: to make its clusters again for each one of a flood takes
    // minutes, in which no other key acts.
    refusedInput = !text.isEmpty && range.isEmpty && characters.count >= LineField.maxLength
    if refusedInput || replacePlain(range, with: text) { return }
    let before = String(characters[..<range.lowerBound])
    let after = String(characters[range.upperBound...])
    let inserted = LineField.oneLine(text)
    let newSize = before.utf8.count + inserted.utf8.count + after.utf8.count
    refusedInput = newSize > LineField.maxSize
    if refusedInput { return }
    // Marks and joiners join their neighbours, so the clusters are made again.
    let joined = Array(before + inserted + after)
    refusedInput = joined.count > LineField.maxLength
    if refusedInput { return }
    (characters, size) = (joined, newSize)
    caret = LineField.boundary(in: joined, atOrAfter: before.utf8.count + inserted.utf8.count)
  }

  /// Replaces a range by at most one character, if nothing can join its neighbours: that is quick in
  /// a long line.
  ///
  /// - Returns: False if nothing was done.
  private mutating func replacePlain(_ range: Range<Int>, with text: String) -> Bool {
    let inserted = text.unicodeScalars
    guard inserted.count <= 1, inserted.allSatisfy({ (0x20..<0x7F).contains($0.value) }) else { return false }
    let neighbours = [range.lowerBound - 1, range.upperBound].filter(characters.indices.contains).map {
      characters[$0]
    }
    guard neighbours.allSatisfy(\.isASCII) else { return false }
    let newSize = size - characters[range].reduce(0) { $0 + $1.utf8.count } + inserted.count
    guard newSize <= LineField.maxSize else { return false }
    characters.replaceSubrange(range, with: text)
    (size, caret) = (newSize, range.lowerBound + inserted.count)
    return true
  }

  /// Inserts a text at the caret, with its line ends as spaces. A text that does not fit is
  /// refused.
  mutating func insert(_ text: String) { replace(caret..<caret, with: text) }

  /// Puts the caret at a place, or at the nearest one that exists.
  mutating func moveCaret(to place: Int) { caret = min(max(place, 0), characters.count) }

  /// Removes the characters of a range; keeps them for ctrl-y if `keeping`.
  mutating func remove(_ range: Range<Int>, keeping: Bool = false) {
    let range = range.clamped(to: 0..<characters.count)
    if range.isEmpty { return }
    if keeping { killed = String(characters[range]) }
    replace(range, with: "")
  }

  private static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isLineEnd) else { return text }
    return String(text.map { $0.unicodeScalars.contains(where: isLineEnd) ? " " : $0 })
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Returns the number of characters that begin before an offset in UTF-8.
  private static func boundary(in characters: [Character], atOrAfter offset: Int) -> Int {
    var begin = 0
    for (index, character) in characters.enumerated() {
      if begin >= offset { return index }
      begin += character.utf8.count
    }
    return characters.count
  }
}
