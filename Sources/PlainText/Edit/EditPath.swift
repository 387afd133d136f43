/// The path from the root of a text to the value of an edit: one slot per key that exists, the
/// root's slot first.
struct EditPath {
  private(set) var slots: [EditSlot]
  /// The keys below the last slot, which do not exist.
  private(set) var rest: ArraySlice<String>

  var last: EditSlot { slots[slots.count - 1] }

  /// Follows `keys` as far as they exist.
  ///
  /// - Parameter value: the value of the text, with aliases and merge keys resolved.
  /// - Throws: a refusal if an alias or a merge key provides the value.
  init(_ keys: [String], in text: LocatedText, reading value: Value) throws(EditRefusal) {
    slots = [EditSlot(holder: .root, value: text.format == .markdown ? EditPath.frontMatter(of: text) : text.root, name: nil)]
    rest = keys[...]
    if text.format == .markdown, keys.first == "body", let body = text.root?.entries?.last {
      slots.append(EditSlot(holder: .body, value: body.value, name: nil))
      rest.removeFirst()
    }
    var value: Value? = value
    while let key = rest.first, let located = last.value {
      let slot: EditSlot
      switch located.content {
      case .alias(let name):
        throw EditPath.refusal(ofAlias: name, located)
      case .map(let entries):
        guard let index = entries.firstIndex(where: { !$0.isMerge && $0.key.hasSameBytes(as: key) }) else {
          try EditPath.checkMerge(key, entries, value)
          return
        }
        slot = EditSlot(holder: .entry(index, of: located), value: entries[index].value, name: EditSlot.Name(key: key))
      case .list(let elements):
        guard let index = ElementNumber.parse(key), elements.indices.contains(index) else { return }
        slot = EditSlot(
          holder: .element(index, of: located), value: elements[index], name: EditSlot.Name(key: last.name?.key ?? "", isElement: true))
      case .scalar: return
      }
      value = value?.child(ofKey: key)
      slots.append(slot)
      rest.removeFirst()
    }
  }

  /// Returns the map of the front matter without the body; nil if no map is written.
  private static func frontMatter(of text: LocatedText) -> LocatedValue? {
    guard let root = text.root, let range = text.frontMatter, let entries = root.entries?.dropLast() else { return nil }
    if root.style == .block, entries.isEmpty { return nil }
    let last = entries.last?.range.upperBound ?? root.range.lowerBound + 1
    var end = last
    if root.style == .flow {
      let layout = TextLayout(text.bytes, as: .markdown)
      end = layout.skip(last..<range.upperBound, comments: true)
      if text.bytes[end] == UInt8(ascii: ",") { end = layout.skip(end + 1..<range.upperBound, comments: true) }
      end += 1
    }
    return LocatedValue(
      content: .map(Array(entries)), style: root.style, range: root.range.lowerBound..<end, properties: root.properties,
      anchor: root.anchor,
      tag: root.tag)
  }

  private static func refusal(ofAlias name: String, _ value: LocatedValue) -> EditRefusal {
    EditRefusal(
      .alias, "This value is the alias *\(name). Edit the value at its anchor &\(name), or set the complete value here.",
      at: value.range.lowerBound)
  }

  /// Refuses to change an alias. It can only be replaced.
  func checkNoAlias() throws(EditRefusal) {
    if let value = last.value, case .alias(let name) = value.content { throw EditPath.refusal(ofAlias: name, value) }
  }

  private static func checkMerge(_ key: String, _ entries: [LocatedEntry], _ value: Value?) throws(EditRefusal) {
    guard let merge = entries.first(where: \.isMerge), value?[key] != nil else { return }
    throw EditRefusal(
      .mergeKey, "This value comes from another map through the merge key `<<`. Edit it there, or add the key to this map by hand.",
      at: merge.keyRange.lowerBound)
  }
}
