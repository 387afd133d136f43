struct YAMLStyle: Hashable {
  var mapIndent = 2
  /// The columns by which a list is indented below its key; 0 for dashes below the key.
  var listIndent = 2
  var quote = Unicode.Scalar("\"")
  var padsMaps = false
  var padsLists = false
  /// The parts of the style that the text shows; the others are those of a text without them.
  var shown: Set<Part> = []
  var scalars: [EditSlot.Name: ScalarStyle] = [:]
  /// The text of the last occurrence of each key.
  var keys: [String: KeyText] = [:]
  var plainDates: Set<EditSlot.Name> = []
  /// True if a date of a new name is written without quotes.
  var hasPlainDates = false
  /// True if a string of a new name is written in quotes, even if it needs none.
  var quotesStrings = false
  var collections: [EditSlot.Name: LocatedValue.Style] = [:]
  /// The maps in braces less those in lines, and the lists in brackets less those in lines.
  var flowMaps = 0
  var flowLists = 0

  enum Part {
    case mapIndent, listIndent, quote, mapPadding, listPadding
  }

  struct KeyText: Hashable {
    let key: String
    let written: String
  }

  struct ScalarStyle: Hashable {
    var style: LocatedValue.Style
    var isDate = false
    var canBePlain = false

    init?(_ value: LocatedValue?) {
      guard let value, case .scalar(let scalar) = value.content, value.style != .body else { return nil }
      style = value.style
      if case .date = scalar { isDate = true }
      if case .string(let text) = scalar {
        canBePlain = style == .plain || YAMLString.isSafe(text, inFlow: false)
      }
    }
  }

  init(_ text: LocatedText, _ layout: TextLayout) {
    var quotes = (single: 0, double: 0)
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
      if value.style == .block, column >= 0 || next == 1 {
        ownColumn = layout.column(of: value.range.lowerBound)
      }
      let isMap = value.entries != nil
      if next > 1 { count(value, isMap, name) }
      let indent = ownColumn - column
      if value.style == .block, column >= 0, name.isElement == false {
        if isMap, indent > 0, shown.insert(.mapIndent).inserted { mapIndent = indent }
        if !isMap, indent >= 0, shown.insert(.listIndent).inserted { listIndent = indent }
      }
      if value.style == .flow, let first = value.itemRanges.first {
        let isPadded = layout.isBlank(at: first.lowerBound - 1)
        if isMap, shown.insert(.mapPadding).inserted { padsMaps = isPadded }
        if !isMap, shown.insert(.listPadding).inserted { padsLists = isPadded }
      }
      switch value.content {
      case .map(let entries):
        for entry in entries where !entry.isMerge && !entry.keyRange.isEmpty {
          keys[entry.key] = KeyText(key: entry.key, written: layout.text(entry.keyRange))
        }
        queue += entries.map { ($0.value, EditSlot.Name(key: $0.key), ownColumn) }
      case .list(let elements):
        queue += elements.map { ($0, EditSlot.Name(elementOf: name), ownColumn) }
      case .scalar, .alias: break
      }
    }
    if quotes.single > quotes.double { quote = "'" }
    if quotes.single != quotes.double { shown.insert(.quote) }
    alignIndents()
  }

  /// Gives lists the indentation of maps, or maps that of lists, if the text shows only one.
  mutating func alignIndents() {
    if shown.contains(.mapIndent), !shown.contains(.listIndent) { listIndent = mapIndent }
    if shown.contains(.listIndent), !shown.contains(.mapIndent), listIndent > 0 { mapIndent = listIndent }
  }

  private mutating func count(_ value: LocatedValue, _ isMap: Bool, _ name: EditSlot.Name) {
    guard !value.itemRanges.isEmpty else { return }
    collections[name] = value.style
    let step = value.style == .block ? -1 : 1
    if isMap { flowMaps += step } else { flowLists += step }
  }

  func scalar(_ name: EditSlot.Name?) -> ScalarStyle? { name.flatMap { scalars[$0] } }

  func key(_ key: String) -> String? {
    // Strings that are equal in Swift may have different bytes.
    guard let found = keys[key], found.key.hasSameBytes(as: key) else { return nil }
    let isOneLine =
      !found.written.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      && found.written.utf8.first != "*"
    return isOneLine ? found.written : nil
  }

  func hasPlainDate(_ name: EditSlot.Name?) -> Bool {
    guard let name else { return false }
    return plainDates.contains(name) || (hasPlainDates && scalars[name] == nil)
  }

  /// Returns true if a new list or map is written in brackets or braces in place of `old`.
  func prefersFlow(map isMap: Bool, _ name: EditSlot.Name?, old: LocatedValue?) -> Bool {
    if let old, old.isCollection, !old.itemRanges.isEmpty, (old.entries != nil) == isMap {
      return old.style != .block
    }
    if let style = name.flatMap({ collections[$0] }) { return style != .block }
    let balance = isMap ? flowMaps : flowLists
    return balance == 0 ? old?.isCollection ?? false : balance > 0
  }
}
