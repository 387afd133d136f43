/// Edits of the elements of a block list together with the comments that belong to them.
extension YAMLEditor {
  /// Returns the range of each element, from its dash or the comment above it to the end of its
  /// last line.
  func elementRanges(_ list: EditPlace) -> [Range<Int>] {
    if let ranges = list.elementRanges { return ranges }
    let dashes = dashes(list)
    let comments = dashes.map(comment(above:))
    let items = list.itemRanges
    let ranges = dashes.indices.map { index in
      let owned = ownsComment(index, dashes, comments) ? comments[index] ?? dashes[index] : dashes[index]
      return owned..<end(of: items[index].upperBound, dashes[index])
    }
    list.elementRanges = ranges
    return ranges
  }

  /// Returns true if the comment above an element belongs to it. It does not if it may be the
  /// heading of a group of elements or of the list.
  private func ownsComment(_ index: Int, _ dashes: [Int], _ comments: [Int?]) -> Bool {
    guard comments[index] != nil else { return false }
    if index == 0, !comments.dropFirst().contains(where: { $0 != nil }) { return false }
    guard index + 1 < dashes.count, comments[index + 1] == nil else { return true }
    guard let above = layout.endOfLine(before: layout.lineStart(of: dashes[index + 1])) else { return true }
    return layout.isBlank(layout.lineStart(of: above)..<above)
  }

  /// Returns the start of the comment lines directly above a dash, in the same column.
  private func comment(above dash: Int) -> Int? {
    guard layout.beginsLine(dash) else { return nil }
    let column = layout.column(of: dash)
    var found: Int?
    var line = layout.lineStart(of: dash)
    while let end = layout.endOfLine(before: line) {
      line = layout.lineStart(of: end)
      let start = layout.skipBlanks(from: line)
      guard start < end, layout.bytes[start] == UInt8(ascii: "#"), layout.column(of: start) == column else {
        return found
      }
      found = start
    }
    return found
  }

  /// Returns the end of an element's last line. Comments directly below it with more indentation
  /// belong to it.
  private func end(of offset: Int, _ dash: Int) -> Int {
    let column = layout.column(of: dash)
    var end = layout.lineEnd(of: offset)
    while layout.breakLength(at: end) > 0 {
      let start = layout.skipBlanks(from: end + layout.breakLength(at: end))
      guard start < layout.bytes.count, layout.bytes[start] == UInt8(ascii: "#"),
        layout.column(of: start) > column
      else { break }
      end = layout.lineEnd(of: start)
    }
    return end
  }

  /// Returns the splices that put the elements of a list in another order; nil if the edit does
  /// more.
  func rearrange(_ old: EditPlace?, _ rearrangement: ListRearrangement?) -> [Splice]? {
    guard let old, old.located.elements != nil, let rearrangement else { return nil }
    if old.located.style == .block { return rearrangement.splices(elementRanges(old), layout) }
    return rearrangement.splices(ofBrackets: old.located, layout, hasComments: true)
  }
}
