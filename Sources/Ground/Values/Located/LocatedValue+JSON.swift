extension LocatedValue {
  /// Finds the place of each value in a JSON text that `JSONReader` accepts.
  ///
  /// - Parameter shift: The difference between offsets in the file and in the source.
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
