import Files

struct TextLayout {
  let bytes: [UInt8]
  let start: Int
  /// True if U+0085, U+2028 and U+2029 also end a line, as they do for libyaml.
  private let hasWideBreaks: Bool
  /// The offsets after all line breaks, in order. A long line is not searched for each value on it.
  private var lineStarts: [Int] = []

  init(_ bytes: [UInt8], as format: TextFormat) {
    self.bytes = bytes
    start = bytes.withRawBytes { $0.count - SourceText.withoutByteOrderMark($0).count }
    hasWideBreaks = format != .json
    for offset in start..<bytes.count {
      switch bytes[offset] {
      case 0x0A, 0x0D: lineStarts.append(offset + 1)
      case 0x85, 0xA8, 0xA9:
        if hasWideBreaks, breakLength(before: offset + 1) > 0 { lineStarts.append(offset + 1) }
      default: break
      }
    }
  }

  func breakLength(at offset: Int) -> Int {
    guard offset < bytes.count, hasWideBreaks || bytes[offset] < 0x80 else { return 0 }
    return bytes.withRawBytes { $0.breakLength(at: offset) }
  }

  private func breakLength(before offset: Int) -> Int {
    guard offset > start else { return 0 }
    switch bytes[offset - 1] {
    case 0x0A: return offset - 1 > start && bytes[offset - 2] == 0x0D ? 2 : 1
    case 0x0D: return 1
    case 0x85 where offset - 2 >= start && breakLength(at: offset - 2) == 2: return 2
    case 0xA8 where offset - 3 >= start, 0xA9 where offset - 3 >= start:
      return breakLength(at: offset - 3) == 3 ? 3 : 0
    default: return 0
    }
  }

  func lineStart(of offset: Int) -> Int {
    if offset <= start { return offset }
    let index = firstLine(after: offset)
    return index > 0 ? lineStarts[index - 1] : start
  }

  func lineEnd(of offset: Int) -> Int {
    let index = firstLine(after: offset)
    guard index < lineStarts.count else { return max(offset, bytes.count) }
    return max(offset, lineStarts[index] - breakLength(before: lineStarts[index]))
  }

  private func firstLine(after offset: Int) -> Int {
    lineStarts.indices.partitionPoint { lineStarts[$0] > offset }
  }

  /// Returns the end of the previous line, before its line break; nil for the first line.
  func endOfLine(before lineStart: Int) -> Int? {
    let length = breakLength(before: lineStart)
    return length == 0 ? nil : lineStart - length
  }

  /// Returns the column of `offset` in characters, from 0.
  func column(of offset: Int) -> Int {
    bytes.withRawBytes { $0[lineStart(of: offset)..<offset].characterCount }
  }

  func lineBreak(near offset: Int) -> String {
    let end = lineEnd(of: offset)
    let after = breakLength(at: end)
    if after > 0 { return text(end..<end + after) }
    return lineBreak(before: lineStart(of: offset))
  }

  func lineBreak(before lineStart: Int) -> String {
    endOfLine(before: lineStart).map { text($0..<lineStart) } ?? "\n"
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func isBlank(at offset: Int) -> Bool {
    offset >= start && offset < bytes.count && (bytes[offset] == 0x20 || bytes[offset] == 0x09)
  }

  func isBlank(_ range: Range<Int>) -> Bool { range.allSatisfy(isBlank(at:)) }

  func isBlankOrBreaks(_ range: Range<Int>) -> Bool { skip(range, comments: false) == range.upperBound }

  func skipBlanks(from offset: Int) -> Int {
    var index = offset
    while isBlank(at: index) { index += 1 }
    return index
  }

  func skipBlanks(before offset: Int) -> Int {
    var index = offset
    while isBlank(at: index - 1) { index -= 1 }
    return index
  }

  func skip(_ range: Range<Int>, comments: Bool) -> Int {
    var index = range.lowerBound
    while index < range.upperBound {
      if isBlank(at: index) {
        index += 1
      } else if breakLength(at: index) > 0 {
        index += breakLength(at: index)
      } else if comments, bytes[index] == "#" {
        index = lineEnd(of: index)
      } else {
        break
      }
    }
    return min(index, range.upperBound)
  }

  func indentation(of offset: Int) -> String {
    let start = lineStart(of: offset)
    return text(start..<skipBlanks(from: start))
  }

  func beginsLine(_ offset: Int) -> Bool { isBlank(lineStart(of: offset)..<offset) }
}

/// Putting the elements of a list in another order. Each keeps its bytes and its comments.
extension TextLayout {
  /// Returns the old position of each element; nil if `new` is no permutation of `old`.
  static func rearrangement(of old: Value?, into new: Value) -> [Int]? {
    guard case .list(let old)? = old, case .list(let new) = new, old.count == new.count, old != new else {
      return nil
    }
    var known: [Value: [Int]] = [:]
    for (place, element) in old.enumerated().reversed() { known[element, default: []].append(place) }
    var places: [Int] = []
    for element in new {
      guard let place = known[element]?.popLast() else { return nil }
      places.append(place)
    }
    return places
  }

  func splices(_ ranges: [Range<Int>], from places: [Int]) -> [Splice]? {
    guard ranges.count == places.count else { return nil }
    return zip(ranges, places).filter { $0 != ranges[$1] }.map { Splice($0, text(ranges[$1])) }
  }

  /// Returns the splices for a list in brackets, where a comment follows the comma of its element.
  func splices(ofBrackets list: LocatedValue, from places: [Int], hasComments: Bool) -> [Splice]? {
    let items = list.itemRanges
    guard items.count == places.count else { return nil }
    let ends = items.enumerated().map { index, item -> Range<Int>? in
      let limit = index + 1 < items.count ? items[index + 1].lowerBound : list.range.upperBound - 1
      let blanks = skipBlanks(from: item.upperBound)
      let comma = bytes[blanks] == "," ? blanks + 1 : item.upperBound
      // Up to the end of the line only: the line may contain all other elements.
      guard hasComments,
        let end = (comma...max(comma, limit)).first(where: { breakLength(at: $0) > 0 })
      else { return nil }
      return comma..<end
    }
    var splices: [Splice] = []
    for (index, place) in places.enumerated() where index != place {
      splices.append(Splice(items[index], text(items[place])))
      let comment = ends[place].map { text($0) } ?? ""
      if let range = ends[index] {
        splices.append(Splice(range, comment))
      } else if comment.utf8.contains(UInt8(ascii: "#")) {
        return nil
      }
    }
    return splices
  }
}
