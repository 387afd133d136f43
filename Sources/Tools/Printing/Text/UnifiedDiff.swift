import TextEdits

/// The line differences between two versions of a file, in the format of `git apply` and `patch`.
///
/// ```swift
/// let diff = UnifiedDiff(of: Array("note.yaml".utf8), from: Array("rating: 5\n".utf8), to: Array("rating: 6\n".utf8))
/// // diff --git a/note.yaml b/note.yaml
/// // --- a/note.yaml
/// // +++ b/note.yaml
/// // @@ -1 +1 @@
/// // -rating: 5
/// // +rating: 6
/// ```
///
/// A line ends with LF; a CR before it belongs to the line. `bytes` contains the lines unchanged,
/// so they must be escaped before they are written to a terminal.
package struct UnifiedDiff: Sendable, Hashable {
  /// The diff. Empty if both versions are equal.
  package let bytes: [UInt8]

  private static let context = 3

  /// Compares two versions of a file; `old` is nil if it is new, and `new` if it is deleted.
  ///
  /// - Parameter path: The path of the file, below the folder in which the diff is to be applied.
  package init(of path: [UInt8], from old: [UInt8]?, to new: [UInt8]?) {
    guard old != new else {
      bytes = []
      return
    }
    let a = UnifiedDiff.quoted("a/", path)
    let b = UnifiedDiff.quoted("b/", path)
    var text = Array("diff --git ".utf8) + a + [0x20] + b + [0x0A]
    if old == nil { text += Array("new file mode 100644\n".utf8) }
    if new == nil { text += Array("deleted file mode 100644\n".utf8) }
    let hunks = UnifiedDiff.hunks(TextLine.split(old ?? []), TextLine.split(new ?? []))
    if !hunks.isEmpty {
      let nothing = Array("/dev/null".utf8)
      text += Array("--- ".utf8) + (old == nil ? nothing : a + UnifiedDiff.end(of: path)) + [0x0A]
      text += Array("+++ ".utf8) + (new == nil ? nothing : b + UnifiedDiff.end(of: path)) + [0x0A]
    }
    bytes = text + hunks
  }

  /// A path with a blank is followed by a tab. Otherwise `patch` would take the rest for a time.
  private static func end(of path: [UInt8]) -> [UInt8] { path.contains(0x20) ? [0x09] : [] }

  /// Quotes a path as git does (`quote.c`): in double quotes, with control characters, quotes,
  /// backslashes and non-ASCII bytes escaped.
  private static func quoted(_ prefix: String, _ path: [UInt8]) -> [UInt8] {
    let named: [UInt8: Character] = [
      0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", UInt8(ascii: "\""): "\"",
      UInt8(ascii: "\\"): "\\",
    ]
    guard path.contains(where: { $0 < 0x20 || $0 >= 0x7F || named[$0] != nil }) else {
      return Array(prefix.utf8) + path
    }
    var text = "\"" + prefix
    for byte in path {
      if let letter = named[byte] {
        text += "\\\(letter)"
      } else if byte < 0x20 || byte >= 0x7F {
        let digits = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
      } else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return Array((text + "\"").utf8)
  }

  private enum DiffLine {
    case kept(old: Int, new: Int)
    case removed(Int)
    case added(Int)

    var isKept: Bool { if case .kept = self { true } else { false } }
  }

  private static func hunks(_ old: [TextLine], _ new: [TextLine]) -> [UInt8] {
    let lines = lines(old, new)
    var text: [UInt8] = []
    var place = (old: 0, new: 0)
    var next = 0
    for hunk in ranges(of: lines) {
      for line in lines[next..<hunk.lowerBound] { advance(&place, over: line) }
      text += hunkText(lines[hunk], &place, old, new)
      next = hunk.upperBound
    }
    return text
  }

  /// Returns all lines of both versions. Removed lines come before the lines that replace them.
  private static func lines(_ old: [TextLine], _ new: [TextLine]) -> [DiffLine] {
    var lines: [DiffLine] = []
    var place = (old: 0, new: 0)
    for pair in SequenceAlignment(old, new).pairs + [(old.count, new.count)] {
      lines += (place.old..<pair.first).map(DiffLine.removed)
      lines += (place.new..<pair.second).map(DiffLine.added)
      if pair.first < old.count, pair.second < new.count {
        lines.append(.kept(old: pair.first, new: pair.second))
      }
      place = (pair.first + 1, pair.second + 1)
    }
    return lines
  }

  /// Returns the ranges of changes with their context. Ranges that touch are merged.
  private static func ranges(of lines: [DiffLine]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in lines.indices where !lines[index].isKept {
      let range = max(index - context, 0)..<min(index + 1 + context, lines.count)
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  private static func advance(_ place: inout (old: Int, new: Int), over line: DiffLine) {
    switch line {
    case .kept: place = (place.old + 1, place.new + 1)
    case .removed: place.old += 1
    case .added: place.new += 1
    }
  }

  private static func hunkText(
    _ lines: ArraySlice<DiffLine>, _ place: inout (old: Int, new: Int), _ old: [TextLine], _ new: [TextLine]
  ) -> [UInt8] {
    let start = place
    var text: [UInt8] = []
    for line in lines {
      switch line {
      case .kept(let index, _): append(" ", old[index], to: &text)
      case .removed(let index): append("-", old[index], to: &text)
      case .added(let index): append("+", new[index], to: &text)
      }
      advance(&place, over: line)
    }
    let before = span(start.old, place.old - start.old)
    let after = span(start.new, place.new - start.new)
    return Array("@@ -\(before) +\(after) @@\n".utf8) + text
  }

  /// Formats a line number and a count. For an empty range it is the number of the line before it.
  private static func span(_ start: Int, _ count: Int) -> String {
    count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
  }

  private static func append(_ mark: Unicode.Scalar, _ line: TextLine, to text: inout [UInt8]) {
    text.append(UInt8(ascii: mark))
    text += line.bytes
    if line.bytes.last != 0x0A { text += Array("\n\\ No newline at end of file\n".utf8) }
  }
}
