/// The layout of a JSON text, or that of most of several. New text is written in the same layout.
struct JSONStyle: Sendable, Hashable {
  /// True if lists and maps have one item per line.
  var isInLines = false
  /// True if the text has lists of scalars.
  var hasLists = false
  /// True if lists of scalars are on one line, although `isInLines` is true.
  var hasShortLists = false
  var indent = "  "
  /// The text between a key and its value.
  var colon = ": "
  /// The text between two items on one line.
  var comma = ", "
  /// The spaces inside braces and brackets on one line.
  var padding = ""
  /// True if characters beyond ASCII are written as escapes.
  var escapesNonASCII = false

  /// The spaces after a comma.
  var gap: String { String(comma.unicodeScalars.drop { $0 != "," }.dropFirst()) }

  /// Reads the layout in one pass. Iterative.
  init(_ text: LocatedText, _ layout: TextLayout) {
    escapesNonASCII = !text.bytes[layout.start...].contains { $0 >= 0x80 } && JSONStyle.hasEscapes(text.bytes)
    var isColonKnown = false
    var isCommaKnown = false
    var lists = (short: 0, long: 0)
    var queue = text.root.map { [$0] } ?? []
    var next = 0
    while next < queue.count {
      let value = queue[next]
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
        if inner.utf8.count > outer.utf8.count, inner.hasPrefix(outer) { indent = String(inner.dropFirst(outer.count)) }
      } else if !isBroken {
        if padding.isEmpty { padding = gap }
        if items.count > 1, !isCommaKnown { (comma, isCommaKnown) = (layout.text(first.upperBound..<items[1].lowerBound), true) }
      }
      if let elements = value.elements, !elements.contains(where: \.isCollection) {
        if isBroken { lists.long += 1 } else { lists.short += 1 }
      }
      queue += value.entries?.map(\.value) ?? value.elements ?? []
    }
    if !isCommaKnown, colon == ":" { comma = "," }
    hasLists = lists.short + lists.long > 0
    hasShortLists = lists.short > lists.long
  }

  /// Returns true if printable characters are written as escapes. All other characters are always
  /// escaped.
  private static func hasEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == UInt8(ascii: "\\"), index + 6 <= bytes.count, bytes[index + 1] == UInt8(ascii: "u") else { return false }
      let code = UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16) ?? 0
      return code >= 0xA0 && Unicode.Scalar(code).map(PlainScalar.isPrintable) ?? true
    }
  }
}
