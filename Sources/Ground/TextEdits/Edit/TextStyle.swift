/// The style that most of some texts of one format have. It decides how values are written, not what they
/// read back as.
package struct TextStyle: Hashable {
  let yaml: YAMLStyle?
  let json: JSONStyle?
  package let endsWithLineBreak: Bool
  package let beginsWithBlankLine: Bool
  package let hasCRLF: Bool

  /// Reads the styles of the texts that can be read; nil if there are none. Linear.
  package init?(ofMost texts: [[UInt8]], as format: TextFormat) {
    let located = texts.compactMap { try? LocatedText(reading: $0, as: format) }.filter {
      !$0.bytes.isEmpty
    }
    guard !located.isEmpty else { return nil }
    let ends = located.count { $0.bytes.last == 0x0A || $0.bytes.last == 0x0D }
    endsWithLineBreak = ends * 2 >= located.count
    let begins = located.compactMap { text -> Bool? in
      guard text.frontMatter != nil, let body = text.root?.entries?.last, !body.range.isEmpty else {
        return nil
      }
      return [0x0A, 0x0D].contains(text.bytes[body.range.lowerBound])
    }
    beginsWithBlankLine = begins.count { $0 } * 2 > begins.count
    let breaks = located.compactMap { text in
      text.bytes.firstIndex(of: 0x0A).map { $0 > 0 && text.bytes[$0 - 1] == 0x0D }
    }
    hasCRLF = breaks.mostFrequent ?? false
    let styled = located.map { ($0, TextLayout($0.bytes, as: format)) }
    yaml = format == .json ? nil : YAMLStyle(ofMost: styled.map { YAMLStyle($0.0, $0.1) })
    // An empty map shows no layout.
    let filled = styled.filter {
      if case .map(let entries)? = $0.0.root?.content { !entries.isEmpty } else { false }
    }
    json = format == .json ? JSONStyle(ofMost: filled.map { JSONStyle($0.0, $0.1) }) : nil
  }

  /// Returns a JSON text with one field, in this style; nil for the usual one.
  package static func example(_ key: String, like style: TextStyle?) -> String {
    let json = style?.json
    guard json?.isInLines ?? true else {
      let padding = json?.padding("{") ?? ""
      return "{\(padding)\"\(key)\"\(json?.colon ?? ": ")[0]\(padding)}\n"
    }
    return "{\n\(json?.indent ?? "  ")\"\(key)\"\(json?.colon ?? ": ")[0]\n}\n"
  }
}

extension Sequence where Element: Hashable {
  /// The most frequent element; of several, the first one. Nil if there are none.
  var mostFrequent: Element? {
    var counts: [Element: (count: Int, place: Int)] = [:]
    for (place, element) in enumerated() { counts[element, default: (0, place)].count += 1 }
    return counts.max { ($0.value.count, -$0.value.place) < ($1.value.count, -$1.value.place) }?.key
  }
}

extension YAMLStyle {
  init(ofMost styles: [YAMLStyle]) {
    func most<Value: Hashable>(_ part: Part, _ value: (YAMLStyle) -> Value) -> Value? {
      styles.filter { $0.shown.contains(part) }.map(value).mostFrequent
    }
    shown = Set(styles.flatMap(\.shown))
    mapIndent = most(.mapIndent, \.mapIndent) ?? mapIndent
    listIndent = most(.listIndent, \.listIndent) ?? listIndent
    alignIndents()
    quote = most(.quote, \.quote) ?? quote
    padsMaps = most(.mapPadding, \.padsMaps) ?? padsMaps
    padsLists = most(.listPadding, \.padsLists) ?? padsLists
    scalars = YAMLStyle.most(styles.map(\.scalars))
    // Other files may have anchors or tags in front of a key.
    keys = YAMLStyle.most(styles.map(\.keys)).filter { name, key in
      key.written == name || key.written.utf8.first == "\""
        || key.written.utf8.first == "'"
    }
    collections = YAMLStyle.most(styles.map(\.collections))
    flowMaps = styles.reduce(0) { $0 + $1.flowMaps }
    flowLists = styles.reduce(0) { $0 + $1.flowLists }
    let dates = styles.flatMap { style in style.scalars.filter(\.value.isDate) }
    let strings = styles.flatMap { $0.scalars.values.filter(\.canBePlain) }
    quotesStrings = !strings.isEmpty && strings.count { $0.style != .plain } * 10 >= strings.count * 9
    plainDates = Set(
      Dictionary(grouping: dates, by: \.key).filter { YAMLStyle.arePlain($0.value.map(\.value)) }.keys)
    hasPlainDates = YAMLStyle.arePlain(dates.map(\.value))
  }

  private static func arePlain(_ dates: [ScalarStyle]) -> Bool {
    dates.count { $0.style == .plain } * 2 > dates.count
  }

  fileprivate static func most<Name: Hashable, Value: Hashable>(_ styles: [[Name: Value]]) -> [Name: Value] {
    Dictionary(grouping: styles.joined(), by: \.key).compactMapValues { $0.map(\.value).mostFrequent }
  }
}

extension JSONStyle {
  init(ofMost styles: [JSONStyle]) {
    isInLines = styles.map(\.isInLines).mostFrequent ?? true
    let alike = styles.filter { $0.isInLines == isInLines }
    lines = YAMLStyle.most(alike.map(\.lines))
    lines[.scalarLists] = lines[.scalarLists] ?? false
    indent = alike.map(\.indent).mostFrequent ?? indent
    colon = alike.map(\.colon).mostFrequent ?? colon
    comma = alike.map(\.comma).mostFrequent ?? comma
    paddings = YAMLStyle.most(alike.map(\.paddings))
    escapesNonASCII = styles.map(\.escapesNonASCII).mostFrequent ?? false
  }
}
