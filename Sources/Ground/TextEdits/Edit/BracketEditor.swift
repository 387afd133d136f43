/// Plans edits of the contents of brackets or braces, in JSON and in YAML.
struct BracketEditor {
  private let layout: TextLayout
  private let items: [Range<Int>]
  private let inside: Range<Int>
  private let hasComments: Bool
  private let defaultGap: String

  init(_ layout: TextLayout, _ container: EditPlace, hasComments: Bool, defaultGap: String = " ") {
    self.layout = layout
    items = container.itemRanges
    inside = container.located.range.lowerBound + 1..<container.located.range.upperBound - 1
    self.hasComments = hasComments
    self.defaultGap = defaultGap
  }

  func empty() -> [Splice] {
    if layout.skip(inside.lowerBound..<items[0].lowerBound, comments: false) == items[0].lowerBound,
      let last = items.last, isPlain(last.upperBound..<inside.upperBound)
    {
      return [Splice(inside, "")]
    }
    let last = items[items.count - 1]
    return [Splice(items[0].lowerBound..<(comma(after: last).map { $0 + 1 } ?? last.upperBound), "")]
  }

  /// Inserts an item before the item `number`, or after the last one of a container that is not empty.
  func insert(_ text: String, at number: Int) -> [Splice] {
    guard number == items.count else {
      let next = items[number]
      let gap = gap(before: number > 0 ? number : min(1, items.count - 1), of: next)
      return [Splice(at: next.lowerBound, text + "," + gap)]
    }
    let last = items[items.count - 1]
    let gap = gap(before: items.count - 1, of: last)
    if let comma = comma(after: last) {
      let at = isLines(gap) ? layout.lineEnd(of: comma) : comma + 1
      return [Splice(at: min(at, inside.upperBound), gap + text + ",")]
    }
    let end = layout.lineEnd(of: last.upperBound)
    let hasComment = hasComments && end < inside.upperBound && layout.skipBlanks(from: last.upperBound) < end
    guard hasComment else { return [Splice(at: last.upperBound, "," + gap + text)] }
    let lines = isLines(gap) ? gap : layout.lineBreak(near: end) + layout.indentation(of: last.lowerBound)
    return [Splice(at: last.upperBound, ","), Splice(at: end, lines + text)]
  }

  func remove(at number: Int) -> [Splice] {
    let item = items[number]
    if number + 1 < items.count {
      let next = items[number + 1].lowerBound
      if isPlain(item.upperBound..<next) { return [Splice(item.lowerBound..<next, "")] }
      let comma = comma(after: item) ?? item.upperBound
      return [Splice(item.lowerBound..<layout.skipBlanks(from: comma + 1), "")]
    }
    let previous = items[number - 1].upperBound
    if isPlain(previous..<item.lowerBound) { return [Splice(previous..<item.upperBound, "")] }
    return [Splice(layout.skipBlanks(before: item.lowerBound)..<item.upperBound, "")]
  }

  private func gap(before number: Int, of item: Range<Int>) -> String {
    let start = items[number].lowerBound
    if layout.beginsLine(start), number > 0 || isLineBroken(inside.lowerBound..<start) {
      return layout.lineBreak(before: layout.lineStart(of: start)) + layout.indentation(of: start)
    }
    if number == 0 { return defaultGap }
    let blanks = layout.skipBlanks(before: start)
    return layout.text(blanks..<start)
  }

  private func isLineBroken(_ range: Range<Int>) -> Bool { range.contains { layout.breakLength(at: $0) > 0 } }

  private func isLines(_ gap: String) -> Bool { gap.utf8.contains { $0 == 0x0A || $0 == 0x0D } }

  private func isPlain(_ range: Range<Int>) -> Bool {
    let comma = layout.skip(range, comments: false)
    guard comma < range.upperBound, layout.bytes[comma] == "," else {
      return comma == range.upperBound
    }
    return layout.isBlankOrBreaks(comma + 1..<range.upperBound)
  }

  private func comma(after item: Range<Int>) -> Int? {
    let offset = layout.skip(item.upperBound..<inside.upperBound, comments: hasComments)
    return offset < inside.upperBound && layout.bytes[offset] == "," ? offset : nil
  }
}
