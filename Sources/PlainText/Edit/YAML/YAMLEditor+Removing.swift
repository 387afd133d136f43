extension YAMLEditor {
  /// Takes out a key with its value or an element. The last one leaves `{}` or `[]`.
  func remove(_ path: EditPath, _ writer: YAMLWriter) throws(EditRefusal) -> [[Splice]] {
    let slot = path.last
    guard let container = slot.container else {
      throw EditRefusal(.unwritable, "The body of a Markdown file is always there. Set it to the empty text.")
    }
    let isFrontMatter = text.format == .markdown && path.slots.count == 2
    if container.itemRanges.count == 1, !isFrontMatter || container.style == .flow {
      let holder = path.slots[path.slots.count - 2]
      return [try replaceAll(holder, container, writer)]
    }
    guard let index = slot.index else { return [] }
    if container.style != .block { return [BracketEditor(layout, container, hasComments: true).remove(at: index)] }
    return removeLines(of: container, index)
  }

  /// Braces or brackets with nothing in them.
  private func replaceAll(_ holder: EditSlot, _ container: LocatedValue, _ writer: YAMLWriter) throws(EditRefusal) -> [Splice] {
    if container.style == .flow { return BracketEditor(layout, container, hasComments: true).empty() }
    return try replace(holder, with: container.entries == nil ? .list([]) : .map([:]), writer)
  }

  private func removeLines(of container: LocatedValue, _ index: Int) -> [[Splice]] {
    let starts = container.entries?.map(\.range.lowerBound) ?? dashes(container)
    let start = starts[index]
    // The comments of an element go with it.
    let element = container.elements == nil ? nil : elementRanges(container)[index]
    let end = element?.upperBound ?? layout.lineEnd(of: container.itemRanges[index].upperBound)
    let lineStart = layout.lineStart(of: element?.lowerBound ?? start)
    guard layout.beginsLine(start) else {
      // The first item stands behind a dash or a question mark: the second one moves up, but not past a comment.
      let next = index + 1 < starts.count ? starts[index + 1] : end
      return [[Splice(start..<(layout.isBlankOrBreaks(end..<next) ? next : end), "")]]
    }
    let behind = end + layout.breakLength(at: end)
    let whole = [Splice(lineStart..<behind, "")]
    guard behind == end, let before = layout.endOfLine(before: lineStart) else { return [whole] }
    // The text goes on ending without a line break.
    return [[Splice(before..<end, "")], whole]
  }
}
