/// How a YAML text is written, so that what is new looks like what is there.
struct YAMLStyle {
  /// Columns by which a map is indented below the one that holds it.
  private(set) var mapIndent = 2
  /// The same for a list below a key; 0 where the dashes stand below the key itself.
  private(set) var listIndent = 2
  private(set) var quote = Unicode.Scalar("\"")
  /// Whether blanks stand within braces and brackets.
  private(set) var padsMaps = false
  private(set) var padsLists = false
  /// How the last scalar of a name is written.
  private var scalars: [EditSlot.Name: ScalarStyle] = [:]
  /// How each key is written where it stands last.
  private var keys: [String: (key: String, written: String)] = [:]
  private var plainDates: Set<EditSlot.Name> = []
  private var collections: [EditSlot.Name: LocatedValue.Style] = [:]
  private var mapCounts = Counts()
  private var listCounts = Counts()

  struct ScalarStyle {
    var style: LocatedValue.Style
    var isDate = false

    init?(_ value: LocatedValue?) {
      guard let value, case .scalar(let scalar) = value.content, value.style != .body else { return nil }
      style = value.style
      if case .date = scalar { isDate = true }
    }
  }

  private struct Counts {
    var block = 0
    var flow = 0
  }

  /// One pass over the values. Iterative.
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

  /// As the text has it; nil where it does not.
  func key(_ key: String) -> String? {
    // Texts that Swift holds for equal need not have the same bytes.
    guard let found = keys[key], found.key.hasSameBytes(as: key) else { return nil }
    let isOneLine = !found.written.utf8.contains { $0 == 0x0A || $0 == 0x0D } && found.written.utf8.first != UInt8(ascii: "*")
    return isOneLine ? found.written : nil
  }

  /// Whether a date without quotes stands under that name.
  func hasPlainDate(_ name: EditSlot.Name?) -> Bool { name.map { plainDates.contains($0) } ?? false }

  /// Whether a new list or map goes into brackets. `old`: how what it takes the place of is written.
  func prefersFlow(map isMap: Bool, _ name: EditSlot.Name?, old: LocatedValue?) -> Bool {
    if let old, old.isCollection, !old.itemRanges.isEmpty, (old.entries != nil) == isMap { return old.style != .block }
    if let style = name.flatMap({ collections[$0] }) { return style != .block }
    let counts = isMap ? mapCounts : listCounts
    if counts.flow != counts.block { return counts.flow > counts.block }
    return old?.isCollection ?? false
  }
}
