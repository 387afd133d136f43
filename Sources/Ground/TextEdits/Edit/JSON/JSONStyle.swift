import Values

/// The layout of a JSON text, or that of most of several. New text is written in the same layout.
struct JSONStyle: Sendable, Hashable {
  var isInLines = false
  /// The kinds of lists and maps of the text, and true if most of a kind have one item per line.
  var lines: [Kind: Bool] = [:]
  var indent = "  "
  /// The text between a key and its value.
  var colon = ": "
  /// The text between two items on one line.
  var comma = ", "
  /// The spaces inside brackets on one line, by the opening one.
  var paddings: [String: String] = [:]
  var escapesNonASCII = false

  /// Lists or maps that are written in the same way.
  struct Kind: Hashable {
    /// The name of the values; nil for all names.
    var name: EditSlot.Name?
    let isMap: Bool
    /// True if there are lists or maps in them.
    let isNested: Bool

    static let scalarLists = Kind(isMap: false, isNested: false)
  }

  /// The spaces after a comma.
  var gap: String { String(comma.unicodeScalars.drop { $0 != "," }.dropFirst()) }

  /// Reads the layout in one pass. Iterative.
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
        (colon, isColonKnown) = (layout.text(entry.keyRange.upperBound..<entry.value.range.lowerBound), true)
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
          (comma, isCommaKnown) = (layout.text(first.upperBound..<items[1].lowerBound), true)
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

  /// Returns true if printable characters are written as escapes. All other characters are always
  /// escaped.
  private static func hasEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == UInt8(ascii: "\\"), index + 6 <= bytes.count,
        bytes[index + 1] == UInt8(ascii: "u")
      else { return false }
      let code = UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16) ?? 0
      return code >= 0xA0 && Unicode.Scalar(code).map(YAMLString.isPrintable) ?? true
    }
  }
}
