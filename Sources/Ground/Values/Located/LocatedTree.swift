struct LocatedTree {
  struct Collection {
    let isMap: Bool
    let style: LocatedValue.Style
    /// The start without the properties.
    let start: Int
    var properties: Range<Int>?
    var anchor: String?
    var tag: String?
    fileprivate(set) var elements: [LocatedValue] = []
    fileprivate(set) var entries: [LocatedEntry] = []
    fileprivate(set) var key: Key?
  }

  struct Key {
    var text: String
    var range: Range<Int>
    var start: Int
    var anchor: String?
    var isMerge = false
  }

  private(set) var root: LocatedValue?
  private var open: [Collection] = []

  var depth: Int { open.count }
  var awaitsKey: Bool { open.last.map { $0.isMap && $0.key == nil } ?? false }
  var keyEnd: Int? { open.last?.key?.range.upperBound }

  mutating func add(_ key: Key) { open[open.count - 1].key = key }

  mutating func add(_ value: LocatedValue) {
    guard let last = open.indices.last else {
      root = value
      return
    }
    guard let key = open[last].key else {
      open[last].elements.append(value)
      return
    }
    let end = max(key.range.upperBound, value.range.upperBound)
    open[last].entries.append(
      LocatedEntry(
        key: key.text, keyRange: key.range, keyAnchor: key.anchor, range: key.start..<end,
        isMerge: key.isMerge, value: value))
    open[last].key = nil
  }

  mutating func begin(_ collection: Collection) { open.append(collection) }

  /// Ends the innermost list or map: at `end`, after its closing bracket, or with its last value.
  mutating func end(at end: Int) {
    let done = open.removeLast()
    let lastEnd = done.isMap ? done.entries.last?.range.upperBound : done.elements.last?.range.upperBound
    let isBracketed = done.style == .flow
    add(
      LocatedValue(
        content: done.isMap ? .map(done.entries) : .list(done.elements), style: done.style,
        range: done.start..<(isBracketed ? end : max(done.start, lastEnd ?? done.start)),
        properties: done.properties, anchor: done.anchor, tag: done.tag))
  }
}

extension LocatedValue {
  /// Locates the values of a JSON text that `JSONReader` accepts. `shift` is added to all offsets.
  init(json source: SourceText, shift: Int) throws(TextError) {
    var parser = JSONParser(source, depthLimit: .max)
    var tree = LocatedTree()
    var text: [UInt8] = []
    func shifted(_ range: Range<Int>) -> Range<Int> { range.lowerBound + shift..<range.upperBound + shift }
    func string(_ range: Range<Int>) throws(TextError) -> String {
      try parser.unescape(range, into: &text)
      return String(decoding: text, as: UTF8.self)
    }
    func scalar(_ value: Value, _ style: Style, _ range: Range<Int>) -> LocatedValue {
      LocatedValue(content: .scalar(value), style: style, range: range)
    }
    while true {
      let event = try parser.next()
      let range = shifted(parser.start..<parser.position)
      switch event {
      case .beginList: tree.begin(LocatedTree.Collection(isMap: false, style: .flow, start: range.lowerBound))
      case .beginMap: tree.begin(LocatedTree.Collection(isMap: true, style: .flow, start: range.lowerBound))
      case .endList, .endMap: tree.end(at: range.upperBound)
      case .key(let key, _):
        tree.add(LocatedTree.Key(text: try string(key), range: shifted(key), start: shifted(key).lowerBound))
      case .string(let bytes, _): tree.add(scalar(Value(text: try string(bytes)), .doubleQuoted, range))
      case .number(let bytes):
        let text = UnsafeRawBufferPointer(rebasing: source.bytes[bytes])
        tree.add(scalar(Value(YAMLScalar(plain: text), text: text), .plain, range))
      case .bool(let flag): tree.add(scalar(.bool(flag), .plain, range))
      case .null: tree.add(scalar(.null, .plain, range))
      case .end:
        self = tree.root ?? scalar(.null, .plain, range)
        return
      }
    }
  }
}
