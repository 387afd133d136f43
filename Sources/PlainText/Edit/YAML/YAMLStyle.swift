/// The style of a YAML text. New text is written in the same style.
struct YAMLStyle {
  /// The number of columns by which a map is indented below its key.
  private(set) var mapIndent = 2
  /// The number of columns by which a list is indented below its key; 0 if the dashes are in the
  /// column of the key.
  private(set) var listIndent = 2
  /// The quotes that occur most often.
  private(set) var quote = Unicode.Scalar("\"")
  /// True if there are spaces inside braces.
  private(set) var padsMaps = false
  /// True if there are spaces inside brackets.
  private(set) var padsLists = false
  /// The style of the last scalar of each name.
  private var scalars: [EditSlot.Name: ScalarStyle] = [:]
  /// The text of the last occurrence of each key.
  private var keys: [String: (key: String, written: String)] = [:]
  private var plainDates: Set<EditSlot.Name> = []
  private var collections: [EditSlot.Name: LocatedValue.Style] = [:]
  private var mapCounts = StyleCounts()
  private var listCounts = StyleCounts()

  struct ScalarStyle {
    var style: LocatedValue.Style
    var isDate = false

    init?(_ value: LocatedValue?) {
      guard let value, case .scalar(let scalar) = value.content, value.style != .body else { return nil }
      style = value.style
      if case .date = scalar { isDate = true }
    }
  }

  private struct StyleCounts {
    var block = 0
    var flow = 0
  }

  /// Reads the style in one pass over the values. Iterative.
  init(_ text: LocatedText, _ layout: TextLayout) {
    var quotes = (single: 0, double: 0)
    var isIndentKnown = (map: false, list: false)
    var isPaddingKnown = (map: false, list: false)
    var queue: [(value: LocatedValue, name: EditSlot.Name, column: Int)] = []
    if let root = text.root { queue.append((root, EditSlot.Name(key: ""), -1)) }
    var next = 0
    while next < queue.count {
      let (value, name, column) = queue[next]
      next += 1
      switch value.style {
      case .singleQuoted: quotes.single += 1
      case .doubleQuoted: quotes.double += 1
      default: break
      }
      guard value.isCollection else {
        if let scalar = ScalarStyle(value) {
          scalars[name] = scalar
          if scalar.isDate, scalar.style == .plain { plainDates.insert(name) }
        }
        continue
      }
      var ownColumn = column
      if value.style == .block, column >= 0 || next == 1 { ownColumn = layout.column(of: value.range.lowerBound) }
      let isMap = value.entries != nil
      if next > 1 { count(value, isMap, name) }
      let indent = ownColumn - column
      if value.style == .block, column >= 0, name.isElement == false {
        if isMap, !isIndentKnown.map, indent > 0 { (mapIndent, isIndentKnown.map) = (indent, true) }
        if !isMap, !isIndentKnown.list, indent >= 0 { (listIndent, isIndentKnown.list) = (indent, true) }
      }
      if value.style == .flow, let first = value.itemRanges.first {
        let isPadded = layout.isBlank(at: first.lowerBound - 1)
        if isMap, !isPaddingKnown.map { (padsMaps, isPaddingKnown.map) = (isPadded, true) }
        if !isMap, !isPaddingKnown.list { (padsLists, isPaddingKnown.list) = (isPadded, true) }
      }
      switch value.content {
      case .map(let entries):
        for entry in entries where !entry.isMerge && !entry.keyRange.isEmpty {
          keys[entry.key] = (entry.key, layout.text(entry.keyRange))
        }
        queue += entries.map { ($0.value, EditSlot.Name(key: $0.key), ownColumn) }
      case .list(let elements): queue += elements.map { ($0, EditSlot.Name(key: name.key, isElement: true), ownColumn) }
      case .scalar, .alias: break
      }
    }
    if quotes.single > quotes.double { quote = "'" }
    if isIndentKnown.map, !isIndentKnown.list { listIndent = mapIndent }
    if isIndentKnown.list, !isIndentKnown.map, listIndent > 0 { mapIndent = listIndent }
  }

  private mutating func count(_ value: LocatedValue, _ isMap: Bool, _ name: EditSlot.Name) {
    guard !value.itemRanges.isEmpty else { return }
    collections[name] = value.style
    switch (value.style, isMap) {
    case (.block, true): mapCounts.block += 1
    case (.block, false): listCounts.block += 1
    case (_, true): mapCounts.flow += 1
    case (_, false): listCounts.flow += 1
    }
  }

  func scalar(_ name: EditSlot.Name?) -> ScalarStyle? { name.flatMap { scalars[$0] } }

  /// Returns the existing text of a key; nil if the text does not contain the key.
  func key(_ key: String) -> String? {
    // Strings that are equal in Swift may have different bytes.
    guard let found = keys[key], found.key.hasSameBytes(as: key) else { return nil }
    let isOneLine = !found.written.utf8.contains { $0 == 0x0A || $0 == 0x0D } && found.written.utf8.first != UInt8(ascii: "*")
    return isOneLine ? found.written : nil
  }

  /// Returns true if a value with this name is a date without quotes.
  func hasPlainDate(_ name: EditSlot.Name?) -> Bool { name.map { plainDates.contains($0) } ?? false }

  /// Returns true if a new list or map is written in brackets or braces.
  ///
  /// - Parameter old: the value that it replaces.
  func prefersFlow(map isMap: Bool, _ name: EditSlot.Name?, old: LocatedValue?) -> Bool {
    if let old, old.isCollection, !old.itemRanges.isEmpty, (old.entries != nil) == isMap { return old.style != .block }
    if let style = name.flatMap({ collections[$0] }) { return style != .block }
    let counts = isMap ? mapCounts : listCounts
    if counts.flow != counts.block { return counts.flow > counts.block }
    return old?.isCollection ?? false
  }
}
