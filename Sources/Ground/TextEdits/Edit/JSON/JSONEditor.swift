struct JSONEditor {
  let text: LocatedText
  let layout: TextLayout
  private let style: JSONStyle
  private let places: EditPath.Roots

  init(_ text: LocatedText, _ places: EditPath.Roots, like style: JSONStyle? = nil) {
    self.text = text
    self.places = places
    layout = TextLayout(text.bytes, as: .json)
    self.style = style ?? JSONStyle(text, layout)
  }

  func plan(_ edit: TextEdit) throws(TextEditError) -> [Splice] {
    let path = try EditPath(edit.path.keys, from: places)
    switch edit {
    case .set(_, let new):
      guard path.rest.isEmpty else { return try add(new, path) }
      if let list = path.last.value,
        let places = TextLayout.rearrangement(of: path.last.place?.read, into: new),
        let splices = layout.splices(ofBrackets: list, from: places, hasComments: false)
      {
        return splices
      }
      return try replace(path.last, with: new)
    case .insert(let whole, let new):
      let holder = try EditPath(whole.keys.dropLast(), from: places)
      guard holder.rest.isEmpty, let list = holder.last.place, list.located.elements != nil,
        let number = whole.keys.last.flatMap(Int.init(elementNumber:))
      else { return try add(new, path) }
      return try insert(new, number, list, holder.last.name)
    case .append(let new, _):
      guard path.rest.isEmpty else { return try add(.list([new]), path) }
      guard let list = path.last.place, let elements = list.located.elements else {
        return try replace(path.last, with: .list([new]))
      }
      return try insert(new, elements.count, list, path.last.name)
    case .remove:
      guard let container = path.last.container else { return [] }
      let editor = BracketEditor(layout, container, hasComments: false)
      return container.itemRanges.count > 1 ? editor.remove(at: path.last.index) : editor.empty()
    case .removeValue:
      guard let removal = try edit.removal(from: path.rest.isEmpty ? path.last.place?.read : nil) else {
        return []
      }
      return try plan(removal)
    case .rename(_, let name):
      guard let entry = path.last.entry else { return [] }
      return [Splice(entry.keyRange, string(name))]
    }
  }

  private func replace(_ slot: EditSlot, with value: Value) throws(TextEditError) -> [Splice] {
    guard let old = slot.value else { return [] }
    let start = layout.indentation(of: old.range.lowerBound)
    return [Splice(old.range, try written(value, slot.name, indentation: start, near: old.range.lowerBound))]
  }

  private func add(_ value: Value, _ path: EditPath) throws(TextEditError) -> [Splice] {
    guard let key = path.rest.first else { return [] }
    let value = value.below(path.rest.dropFirst())
    guard let map = path.last.place, map.located.entries?.isEmpty == false else {
      return try replace(path.last, with: .map([key: value]))
    }
    let entry = string(key) + style.colon + (try itemText(value, EditSlot.Name(key: key), in: map))
    return BracketEditor(layout, map, hasComments: false, defaultGap: style.gap).insert(
      entry, at: map.itemRanges.count)
  }

  private func insert(_ value: Value, _ number: Int, _ list: EditPlace, _ name: EditSlot.Name?)
    throws(TextEditError) -> [Splice]
  {
    guard !list.itemRanges.isEmpty else {
      let range = list.located.range
      let start = layout.indentation(of: range.lowerBound)
      return [Splice(range, try written(.list([value]), name, indentation: start, near: range.lowerBound))]
    }
    let item = try itemText(value, EditSlot.Name(elementOf: name), in: list)
    return BracketEditor(layout, list, hasComments: false, defaultGap: style.gap).insert(item, at: number)
  }

  private func itemText(_ value: Value, _ name: EditSlot.Name, in container: EditPlace) throws(TextEditError)
    -> String
  {
    let sibling = container.itemRanges.last?.lowerBound ?? container.located.range.lowerBound
    // On one line if the other items are on one line.
    let isOnOneLine = !layout.beginsLine(sibling)
    return try written(
      value, name, indentation: layout.indentation(of: sibling), near: sibling, isOnOneLine: isOnOneLine)
  }

  private enum Piece {
    case value(Value, EditSlot.Name?, indentation: String, isOnOneLine: Bool)
    case text(String)
  }

  /// Collections that are nested deeper are written on one line.
  private static let maxIndentedLevels = 64

  private func written(
    _ value: Value, _ name: EditSlot.Name?, indentation: String, near offset: Int, isOnOneLine: Bool = false
  ) throws(TextEditError) -> String {
    let lineBreak = layout.lineBreak(near: offset)
    let maxIndentation = indentation.utf8.count + style.indent.utf8.count * JSONEditor.maxIndentedLevels
    var written = ""
    var pieces = [
      Piece.value(value, name, indentation: indentation, isOnOneLine: isOnOneLine || !style.isInLines)
    ]
    while let piece = pieces.popLast() {
      guard case .value(let value, let name, let indentation, let isOnOneLine) = piece else {
        if case .text(let text) = piece { written += text }
        continue
      }
      let parts: [(key: String, name: EditSlot.Name, value: Value)]
      let brackets: (open: String, close: String)
      switch value {
      case .list(let elements):
        let name = EditSlot.Name(elementOf: name)
        parts = elements.map { ("", name, $0) }
        brackets = ("[", "]")
      case .map(let fields):
        parts = fields.map { (string($0.key) + style.colon, EditSlot.Name(key: $0.key), $0.value) }
        brackets = ("{", "}")
      default:
        written += try scalar(value)
        continue
      }
      let kind = JSONStyle.Kind(
        name: name, isMap: brackets.open == "{", isNested: parts.contains { !$0.value.isScalar })
      let isOneLine = isOnOneLine || !style.hasLines(kind) || indentation.utf8.count >= maxIndentation
      let inner = indentation + style.indent
      let spaces = style.padding(brackets.open)
      let padding = parts.isEmpty ? "" : isOneLine ? spaces : lineBreak + inner
      pieces.append(
        .text((parts.isEmpty ? "" : isOneLine ? spaces : lineBreak + indentation) + brackets.close))
      for (index, part) in parts.enumerated().reversed() {
        pieces.append(.value(part.value, part.name, indentation: inner, isOnOneLine: isOneLine))
        let separator = index == 0 ? "" : isOneLine ? style.comma : "," + lineBreak + inner
        pieces.append(.text(separator + part.key))
      }
      pieces.append(.text(brackets.open + padding))
    }
    return written
  }

  private func scalar(_ value: Value) throws(TextEditError) -> String {
    if case .number(.double(let number)) = value, !number.isFinite {
      throw TextEditError(.unwritable, "JSON has no number `\(Number.double(number))`. Set a string or null.")
    }
    return text(of: value)
  }

  private func string(_ string: String) -> String { text(of: .string(string)) }

  private func text(of value: Value) -> String {
    let text = JSONWriter.text(of: value)
    return style.escapesNonASCII ? JSONEditor.escaped(text) : text
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        escaped.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      }
    }
    return escaped
  }
}

/// The layout of a JSON text, or that of most of several. New text is written in the same layout.
struct JSONStyle: Hashable {
  var isInLines = false
  /// The kinds of lists and maps of the text, and true if most of a kind have one item per line.
  var lines: [Kind: Bool] = [:]
  var indent = "  "
  var colon = ": "
  var comma = ", "
  var paddings: [String: String] = [:]
  var escapesNonASCII = false

  struct Kind: Hashable {
    var name: EditSlot.Name?
    let isMap: Bool
    let isNested: Bool

    static let scalarLists = Kind(isMap: false, isNested: false)
  }

  var gap: String { String(comma.unicodeScalars.drop { $0 != "," }.dropFirst()) }

  init(_ text: LocatedText, _ layout: TextLayout) {
    escapesNonASCII = !text.bytes[layout.start...].contains { $0 >= 0x80 } && JSONStyle.hasEscapes(text.bytes)
    var isColonKnown = false
    var isCommaKnown = false
    // How many more are split over lines than are on one line.
    var counts: [Kind: Int] = [:]
    var queue = text.root.map { [(value: $0, name: EditSlot.Name(key: ""))] } ?? []
    var next = 0
    while next < queue.count {
      let (value, name) = queue[next]
      next += 1
      let items = value.itemRanges
      guard let first = items.first else { continue }
      if let entry = value.entries?.first, !isColonKnown {
        colon = layout.text(entry.keyRange.upperBound..<entry.value.range.lowerBound)
        isColonKnown = true
      }
      let gap = layout.text(value.range.lowerBound + 1..<first.lowerBound)
      let isBroken = gap.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      if isBroken, !isInLines {
        isInLines = true
        let outer = layout.indentation(of: value.range.lowerBound)
        let inner = layout.indentation(of: first.lowerBound)
        if inner.utf8.count > outer.utf8.count, inner.hasPrefix(outer) {
          indent = String(inner.dropFirst(outer.count))
        }
      } else if !isBroken {
        let bracket = value.entries == nil ? "[" : "{"
        if paddings[bracket] ?? "" == "" { paddings[bracket] = gap }
        if items.count > 1, !isCommaKnown {
          comma = layout.text(first.upperBound..<items[1].lowerBound)
          isCommaKnown = true
        }
      }
      let children =
        value.entries?.map { ($0.value, EditSlot.Name(key: $0.key)) }
        ?? (value.elements ?? []).map { ($0, EditSlot.Name(elementOf: name)) }
      if next > 1 {
        var kind = Kind(isMap: value.entries != nil, isNested: children.contains { $0.0.isCollection })
        counts[kind, default: 0] += isBroken ? 1 : -1
        kind.name = name
        counts[kind, default: 0] += isBroken ? 1 : -1
      }
      queue += children
    }
    if !isCommaKnown, colon == ":" { comma = "," }
    lines = counts.mapValues { $0 >= 0 }
  }

  func hasLines(_ kind: Kind) -> Bool {
    let other = Kind(name: kind.name, isMap: kind.isMap, isNested: !kind.isNested)
    if kind.name != nil, let isOwn = lines[kind] ?? lines[other] { return isOwn }
    return lines[Kind(isMap: kind.isMap, isNested: kind.isNested)] ?? true
  }

  /// Returns the spaces inside a bracket on one line; if none shows them, those of the other kind.
  func padding(_ bracket: String) -> String { paddings[bracket] ?? paddings.values.first ?? "" }

  /// Returns true if printable characters are written as escapes; others always are.
  private static func hasEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == "\\", index + 6 <= bytes.count,
        bytes[index + 1] == "u"
      else { return false }
      let code = UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16) ?? 0
      return code >= 0xA0 && Unicode.Scalar(code).map(YAMLString.isPrintable) ?? true
    }
  }
}
