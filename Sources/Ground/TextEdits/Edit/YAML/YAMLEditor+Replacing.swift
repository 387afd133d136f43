extension YAMLEditor {
  func replace(_ slot: EditSlot, with value: Value, _ writer: YAMLWriter) throws(TextEditError) -> [Splice] {
    guard let old = slot.value else {
      throw TextEditError(.wrongKind, "The file does not contain a map. Write `key: value` lines.")
    }
    if slot.isBody { return try replaceBody(old, value) }
    let kept = keptProperties(of: old, for: value)
    var writer = writer
    if slot.isInFlow {
      let inline = try writer.text(value, slot.name, old: old, at: .flow)[0]
      return fill(slot, old, kept, [inline], writer)
    }
    let place = self.place(of: slot, old, isBare: kept == nil)
    writer.oldColumn = oldColumn(of: old, for: value, at: place)
    writer.end = end(of: old)
    return fill(slot, old, kept, try writer.text(value, slot.name, old: old, at: place), writer)
  }

  /// Returns the column of the old lines if those of the new value can begin there.
  private func oldColumn(of old: LocatedValue, for value: Value, at place: YAMLWriter.Place) -> Int? {
    if value.isScalar { return isBlockScalar(old) ? blockColumn(of: old) : nil }
    guard case .entry(let parent) = place, old.style == .block, parent >= 0 else { return nil }
    let column = layout.column(of: old.range.lowerBound)
    if column > parent { return column }
    if case .list = value { return old.elements == nil ? nil : column }
    return nil
  }

  private func place(of slot: EditSlot, _ old: LocatedValue, isBare: Bool) -> YAMLWriter.Place {
    guard let container = slot.container else { return .entry(column: -1) }
    if let entry = slot.entry { return .entry(column: layout.column(of: entry.range.lowerBound)) }
    let dash = dashes(container)[slot.index]
    let column = layout.column(of: dash)
    guard isBare else { return .element(column: column, content: nil) }
    let start = old.range.lowerBound
    let isAfterDash = !old.isUnwritten && layout.isBlank(dash + 1..<start)
    return .element(column: column, content: isAfterDash ? layout.column(of: start) : column + 2)
  }

  /// Puts text in the place of a value. `kept` is the anchor and the tag that remain.
  private func fill(
    _ slot: EditSlot, _ old: LocatedValue, _ kept: String?, _ new: [String], _ writer: YAMLWriter
  ) -> [Splice] {
    let properties = old.properties.map { layout.text($0) }
    // Removing an anchor or a tag removes the spaces after it.
    let start = properties == kept ? old.range.lowerBound : old.fullRange.lowerBound
    let lead = properties == kept ? "" : kept.map { $0 + " " } ?? ""
    let lineBreak = layout.lineBreak(near: start)
    let below = new[1...].map { lineBreak + $0 }.joined()
    if old.isUnwritten {
      return fillUnwritten(
        slot, properties == kept ? start..<start : start..<old.range.upperBound, lead + new[0], below)
    }
    let end = old.range.upperBound
    let beginsLine = layout.beginsLine(old.range.lowerBound) && slot.container != nil
    if old.style == .block, beginsLine {
      return fillLines(slot, old, start, lead, new, lineBreak)
    }
    if new[0].isEmpty {
      // The new lines are below the key; the old value after the key is removed.
      let from =
        beginsLine
        ? layout.endOfLine(before: layout.lineStart(of: start)) ?? start : layout.skipBlanks(before: start)
      return [
        Splice(from..<end, kept.map { properties == kept ? "" : " " + $0 } ?? ""),
        Splice(at: layout.lineEnd(of: end), below),
      ]
    }
    let inline = lead + new[0] + (isBlockScalar(old) ? headerTail(of: old) : "")
    return below.isEmpty
      ? [Splice(start..<end, inline)]
      : [Splice(start..<end, inline), Splice(at: layout.lineEnd(of: end), below)]
  }

  private func fillLines(
    _ slot: EditSlot, _ old: LocatedValue, _ start: Int, _ lead: String, _ new: [String], _ lineBreak: String
  ) -> [Splice] {
    let end = old.range.upperBound
    let first = layout.lineStart(of: old.range.lowerBound)
    let lines = new[1...].joined(separator: lineBreak)
    let head =
      start < old.range.lowerBound
      ? old.properties ?? start..<start : headEnd(of: slot, old)..<headEnd(of: slot, old)
    let inline = lead + new[0]
    if inline.isEmpty {
      // Removing a tag removes the spaces before it.
      let below = Splice(first..<end, lines)
      return head.isEmpty
        ? [below] : [Splice(layout.skipBlanks(before: head.lowerBound)..<head.upperBound, ""), below]
    }
    // The value moves to the line of its key. Comments in between are removed, because they would
    // become part of a block scalar.
    let above =
      new.count == 1 ? layout.endOfLine(before: first) ?? first : layout.lineEnd(of: head.upperBound)
    return [
      Splice(head, (layout.isBlank(at: head.lowerBound - 1) ? "" : " ") + inline),
      Splice(above..<layout.lineEnd(of: end), new[1...].map { lineBreak + $0 }.joined()),
    ]
  }

  private func fillUnwritten(_ slot: EditSlot, _ range: Range<Int>, _ inline: String, _ below: String)
    -> [Splice]
  {
    let at = range.lowerBound
    var lead = inline.isEmpty || layout.isBlank(at: at - 1) ? "" : " "
    if let entry = slot.entry, colon(of: entry) == nil {
      lead =
        slot.isInFlow
        ? ":" + lead
        : layout.lineBreak(near: at)
          + String(repeating: " ", count: layout.column(of: entry.range.lowerBound)) + ":" + lead
    }
    let splice = Splice(range, lead + inline)
    return below.isEmpty ? [splice] : [splice, Splice(at: layout.lineEnd(of: range.upperBound), below)]
  }

  private func colon(of entry: LocatedEntry) -> Int? {
    let offset = layout.skip(entry.keyRange.upperBound..<layout.bytes.count, comments: true)
    return offset < layout.bytes.count && layout.bytes[offset] == ":" ? offset : nil
  }

  private func headEnd(of slot: EditSlot, _ old: LocatedValue) -> Int {
    if let properties = old.properties { return properties.upperBound }
    guard let container = slot.container else { return old.range.lowerBound }
    if let entry = slot.entry { return colon(of: entry).map { $0 + 1 } ?? old.range.lowerBound }
    return dashes(container)[slot.index] + 1
  }

  private func isBlockScalar(_ value: LocatedValue) -> Bool {
    value.style == .literal || value.style == .folded
  }

  private func end(of old: LocatedValue) -> YAMLWriter.End {
    guard layout.lineEnd(of: old.range.upperBound) == layout.bytes.count else { return .withLineBreak }
    guard isBlockScalar(old), old.range.upperBound == layout.bytes.count else { return .nowhere }
    let header = layout.text(old.range.lowerBound..<layout.lineEnd(of: old.range.lowerBound)).utf8.prefix(3)
    return header.contains(UInt8(ascii: "-")) || header.contains(UInt8(ascii: "+")) ? .nowhere : .nowhereBare
  }

  private func headerTail(of value: LocatedValue) -> String {
    let end = min(layout.lineEnd(of: value.range.lowerBound), value.range.upperBound)
    let header = value.range.lowerBound..<end
    return header.first { layout.isBlank(at: $0) }.map { layout.text($0..<end) } ?? ""
  }

  private func blockColumn(of value: LocatedValue) -> Int? {
    let end = layout.lineEnd(of: value.range.lowerBound)
    guard end < value.range.upperBound else { return nil }
    let first = layout.skip(end..<value.range.upperBound, comments: false)
    // With an indentation indicator, leading spaces can be part of the string.
    let hasNumber = layout.text(value.range.lowerBound..<end).utf8.prefix(3).contains { $0 &- 0x31 < 9 }
    return hasNumber || first == value.range.upperBound ? nil : layout.column(of: first)
  }

  /// Returns the anchor and the tag of a value, without a tag that does not fit the new value.
  private func keptProperties(of old: LocatedValue, for value: Value) -> String? {
    guard let range = old.properties else { return nil }
    let properties = layout.text(range)
    if fits(old, value) { return properties }
    return old.anchor.map { "&" + $0 }
  }

  private func fits(_ old: LocatedValue, _ value: Value) -> Bool {
    guard let tag = old.tag else { return true }
    let core = Array(tag.utf8).withRawBytes { YAMLTag($0) }
    switch (core, value) {
    case (.string, .string), (.string, .date), (.timestamp, .date), (.bool, .bool), (.null, .null),
      (.float, .number), (.map, .map):
      return true
    case (.integer, .number(let number)): return number.isWrittenAsInteger
    case (.list, .list): return tag == "tag:yaml.org,2002:seq"
    case (nil, .map): return old.entries != nil
    case (nil, .list): return old.elements != nil
    case (nil, _): return !old.isCollection
    default: return false
    }
  }

  private func replaceBody(_ old: LocatedValue, _ value: Value) throws(TextEditError) -> [Splice] {
    let text: String
    switch value {
    case .string(let string): text = string
    case .date(let date): text = date.text
    default:
      throw TextEditError(.unwritable, "The body of a Markdown file must be a string. Set it to a string.")
    }
    // The line that ends the front matter may have no line break at the end of the file.
    let isLineOpen =
      old.range.lowerBound > layout.start && layout.lineStart(of: old.range.lowerBound) < old.range.lowerBound
    return [Splice(old.range, (isLineOpen ? layout.lineBreak(near: old.range.lowerBound) : "") + text)]
  }
}
