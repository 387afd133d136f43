/// Plans edits of YAML text and of front matter, as splices. `ItemText` checks the result of each plan.
struct YAMLEditor {
  let text: LocatedText
  let layout: TextLayout
  let style: YAMLStyle
  private let places: EditPath.Roots

  init(_ text: LocatedText, _ places: EditPath.Roots, like style: YAMLStyle? = nil) {
    self.text = text
    self.places = places
    layout = TextLayout(text.bytes, as: text.format)
    self.style = style ?? YAMLStyle(text, layout)
  }

  /// Returns candidates for an edit, the best one first. Each is a list of splices.
  func plan(_ edit: TextEdit, _ caution: YAMLWriter.Caution) throws(TextEditError) -> [[Splice]] {
    let writer = YAMLWriter(style: style, caution: caution)
    let keys = edit.path.keys
    switch edit {
    case .set(_, let new):
      let path = try EditPath(keys, from: places)
      guard path.rest.isEmpty else { return try add(new, path, writer) }
      let rearranged = rearrange(path.last.place, into: new)
      return try (rearranged.map { [$0] } ?? []) + [replace(path.last, with: new, writer)]
    case .insert(_, let new):
      let path = try EditPath(keys.dropLast(), from: places)
      guard path.rest.isEmpty, let elements = path.last.value?.elements,
        let number = keys.last.flatMap(Int.init(elementNumber:))
      else {
        return try add(new, EditPath(keys, from: places), writer)
      }
      return [try insert(new, number, elements, path.last, writer)]
    case .append(let new, _):
      let path = try EditPath(keys, from: places)
      try path.checkNoAlias()
      guard path.rest.isEmpty, let elements = path.last.value?.elements else {
        return try path.rest.isEmpty
          ? [replace(path.last, with: .list([new]), writer)] : add(.list([new]), path, writer)
      }
      return [try insert(new, elements.count, elements, path.last, writer)]
    case .remove:
      let path = try EditPath(keys, from: places)
      return try remove(path, writer)
    case .removeValue:
      let path = try EditPath(keys, from: places)
      guard let removal = try edit.removal(from: path.rest.isEmpty ? path.last.place?.read : nil) else {
        return []
      }
      return try plan(removal, caution)
    case .rename(_, let name):
      return [try rename(EditPath(keys, from: places).last, to: name, writer)]
    }
  }

  private func rename(_ slot: EditSlot, to name: String, _ writer: YAMLWriter) throws(TextEditError)
    -> [Splice]
  {
    if slot.isBody {
      throw TextEditError(.unwritable, "The body of a Markdown file cannot be renamed.")
    }
    guard let entry = slot.entry else { return [] }
    let key = try writer.key(name, like: layout.text(entry.keyRange), inFlow: slot.isInFlow)
    return [Splice(entry.keyRange, key)]
  }

  private func add(_ value: Value, _ path: EditPath, _ writer: YAMLWriter) throws(TextEditError) -> [[Splice]]
  {
    guard let key = path.rest.first else { return [] }
    let value = value.below(path.rest.dropFirst())
    let slot = path.last
    guard let map = slot.place, let entries = map.located.entries, let last = entries.last else {
      return [try addFirst(key, value, slot, writer)]
    }
    let like = entries.last { !$0.isMerge }.map { layout.text($0.keyRange) }
    switch map.located.style {
    case .flow:
      let entry = try writer.flowEntry(key, value, like: like)
      return [BracketEditor(layout, map, hasComments: true).insert(entry, at: entries.count)]
    case .pair:
      throw TextEditError(
        .unwritable, "This map in a list has no braces, so no key can be added to it. Write braces around it."
      )
    default:
      let column = layout.column(of: last.range.lowerBound)
      let lineBreak = layout.lineBreak(near: last.range.upperBound)
      let lines = try writer.entry(key, value, like: like, column: column)
      let after = Splice(at: layout.lineEnd(of: last.range.upperBound), lines.map { lineBreak + $0 }.joined())
      // If the text ends in a block scalar without a line break, an entry after it would become part of it.
      let before = Splice(
        at: last.range.lowerBound,
        unindented(lines, column, lineBreak) + lineBreak + String(repeating: " ", count: column))
      return [[after], [before]]
    }
  }

  private func addFirst(_ key: String, _ value: Value, _ slot: EditSlot, _ writer: YAMLWriter)
    throws(TextEditError) -> [Splice]
  {
    guard slot.container == nil, !slot.isBody, slot.value?.style != .flow else {
      return try replace(slot, with: .map([key: value]), writer)
    }
    let lines = try writer.entry(key, value, column: 0)
    return addToNothing(lines)
  }

  private func addToNothing(_ lines: [String]) -> [Splice] {
    if text.format == .markdown, text.frontMatter == nil {
      let lineBreak = layout.lineBreak(near: layout.start)
      return [
        Splice(
          at: layout.start,
          ["---", lines.joined(separator: lineBreak), "---", ""].joined(separator: lineBreak))
      ]
    }
    let end = text.frontMatter?.upperBound ?? layout.bytes.count
    let lineBreak = layout.lineBreak(near: max(layout.start, end - 1))
    let isLineOpen = end > layout.start && layout.lineStart(of: end) < end
    return [
      Splice(
        at: end,
        (isLineOpen ? lineBreak : "") + lines.joined(separator: lineBreak) + (isLineOpen ? "" : lineBreak))
    ]
  }

  private func insert(
    _ value: Value, _ number: Int, _ elements: [LocatedValue], _ slot: EditSlot, _ writer: YAMLWriter
  ) throws(TextEditError) -> [Splice] {
    guard let list = slot.place, !elements.isEmpty else {
      return try replace(slot, with: .list([value]), writer)
    }
    let sibling = elements[max(0, number - 1)]
    let name = EditSlot.Name(elementOf: slot.name)
    if list.located.style != .block {
      let text = try writer.text(value, name, old: sibling.isCollection ? nil : sibling, at: .flow)[0]
      return BracketEditor(layout, list, hasComments: true).insert(text, at: number)
    }
    let dashes = self.dashes(list)
    let column = layout.column(of: dashes[0])
    let lineBreak = layout.lineBreak(near: dashes[0])
    let gap = self.gap(dashes[max(0, number - 1)], sibling)
    let lines = try writer.element(value, name, column: column, gap: gap, old: sibling, level: 0)
    let empty = hasEmptyLines(dashes, elements) ? lineBreak : ""
    // An element keeps its comments.
    let ranges = elementRanges(list)
    if number == 0 {
      return [
        Splice(
          at: ranges[0].lowerBound,
          unindented(lines, column, lineBreak) + lineBreak + empty + String(repeating: " ", count: column))
      ]
    }
    return [Splice(at: ranges[number - 1].upperBound, empty + lines.map { lineBreak + $0 }.joined())]
  }

  func dashes(_ list: EditPlace) -> [Int] {
    if let dashes = list.dashes { return dashes }
    var position = list.located.range.lowerBound
    let dashes = (list.located.elements ?? []).map { element in
      defer { position = element.range.upperBound }
      return layout.skip(position..<layout.bytes.count, comments: true)
    }
    list.dashes = dashes
    return dashes
  }

  private func gap(_ dash: Int, _ element: LocatedValue) -> String {
    let start = element.fullRange.lowerBound
    let isSpaces = start > dash + 1 && layout.bytes[dash + 1..<start].allSatisfy { $0 == 0x20 }
    return isSpaces ? layout.text(dash + 1..<start) : " "
  }

  private func hasEmptyLines(_ dashes: [Int], _ elements: [LocatedValue]) -> Bool {
    guard let dash = dashes.last, dashes.count > 1 else { return false }
    let end = layout.lineEnd(of: elements[dashes.count - 2].range.upperBound)
    let next = end + layout.breakLength(at: end)
    return next < layout.lineStart(of: dash) && layout.isBlank(next..<layout.lineEnd(of: next))
  }

  private func unindented(_ lines: [String], _ column: Int, _ lineBreak: String) -> String {
    String(lines.joined(separator: lineBreak).unicodeScalars.dropFirst(column))
  }

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
    if container.located.style != .block {
      return [BracketEditor(layout, container, hasComments: true).remove(at: slot.index)]
    }
    return removeLines(of: container, slot.index)
  }

  private func replaceAll(_ holder: EditSlot, _ container: EditPlace, _ writer: YAMLWriter)
    throws(TextEditError) -> [Splice]
  {
    if container.located.style == .flow { return BracketEditor(layout, container, hasComments: true).empty() }
    return try replace(holder, with: container.located.entries == nil ? .list([]) : .map([:]), writer)
  }

  private func removeLines(of container: EditPlace, _ index: Int) -> [[Splice]] {
    let start = start(of: container, index)
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

  /// Returns the range of each element with the comment above it, to the end of its last line.
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

  /// Returns true if the comment above belongs to an element, not to a group of them or to the list.
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
      guard start < end, layout.bytes[start] == "#", layout.column(of: start) == column else {
        return found
      }
      found = start
    }
    return found
  }

  /// Returns the end of an element's last line, with the comments below that are indented more.
  private func end(of offset: Int, _ dash: Int) -> Int {
    let column = layout.column(of: dash)
    var end = layout.lineEnd(of: offset)
    while layout.breakLength(at: end) > 0 {
      let start = layout.skipBlanks(from: end + layout.breakLength(at: end))
      guard start < layout.bytes.count, layout.bytes[start] == "#",
        layout.column(of: start) > column
      else { break }
      end = layout.lineEnd(of: start)
    }
    return end
  }

  /// Returns the splices that reorder the elements of a list; nil if the edit does more.
  func rearrange(_ old: EditPlace?, into new: Value) -> [Splice]? {
    guard let old, old.located.elements != nil,
      let places = TextLayout.rearrangement(of: old.read, into: new)
    else { return nil }
    if old.located.style == .block { return layout.splices(elementRanges(old), from: places) }
    return layout.splices(ofBrackets: old.located, from: places, hasComments: true)
  }
}
