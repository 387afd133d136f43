extension YAMLEditor {
  /// Removes a key with its value, or an element. After the last one, `{}` or `[]` remains.
  func remove(_ path: EditPath, _ writer: YAMLWriter) throws(TextEditError) -> [[Splice]] {
    let slot = path.last
    guard let container = slot.container else {
      throw TextEditError(
        .unwritable, "The body of a Markdown file cannot be removed. Set it to the empty string.")
    }
    let isFrontMatter = text.format == .markdown && path.slots.count == 2
    let isFlow = container.located.style == .flow
    if container.itemRanges.count == 1, !isFrontMatter || isFlow {
      let holder = path.slots[path.slots.count - 2]
      return [try replaceAll(holder, container, writer)]
    }
    guard let index = slot.holder.index else { return [] }
    if container.located.style != .block {
      return [BracketEditor(layout, container, hasComments: true).remove(at: index)]
    }
    return removeLines(of: container, index)
  }

  private func replaceAll(_ holder: EditSlot, _ container: EditPlace, _ writer: YAMLWriter)
    throws(TextEditError) -> [Splice]
  {
    if container.located.style == .flow { return BracketEditor(layout, container, hasComments: true).empty() }
    return try replace(holder, with: container.located.entries == nil ? .list([]) : .map([:]), writer)
  }

  private func removeLines(of container: EditPlace, _ index: Int) -> [[Splice]] {
    let start = start(of: container, index)
    // The comments of an element are removed with it.
    let element = container.located.elements == nil ? nil : elementRanges(container)[index]
    let end = element?.upperBound ?? layout.lineEnd(of: container.itemRanges[index].upperBound)
    let lineStart = layout.lineStart(of: element?.lowerBound ?? start)
    guard layout.beginsLine(start) else {
      // The first item is on the line of a dash or question mark. The second one moves there,
      // unless a comment is in between.
      let next = index + 1 < container.itemRanges.count ? self.start(of: container, index + 1) : end
      return [[Splice(start..<(layout.isBlankOrBreaks(end..<next) ? next : end), "")]]
    }
    let next = end + layout.breakLength(at: end)
    let lines = [Splice(lineStart..<next, "")]
    guard next == end, let before = layout.endOfLine(before: lineStart) else { return [lines] }
    // The text still ends without a line break.
    return [[Splice(before..<end, "")], lines]
  }

  private func start(of container: EditPlace, _ index: Int) -> Int {
    container.located.entries?[index].range.lowerBound ?? dashes(container)[index]
  }
}
