/// Builds a tree of located values from the events of a parser.
struct LocatedTree {
  /// A list or map at its start.
  struct Opening {
    var isMap: Bool
    var style: LocatedValue.Style
    /// The start without the properties.
    var start: Int
    var properties: Range<Int>?
    var anchor: String?
    var tag: String?
  }

  /// A key whose value follows.
  struct Key {
    var text: String
    var range: Range<Int>
    /// The start of the entry.
    var start: Int
    var anchor: String?
    var isMerge = false
  }

  private struct Open {
    var opening: Opening
    var elements: [LocatedValue] = []
    var entries: [LocatedEntry] = []
    var key: Key?
  }

  private(set) var root: LocatedValue?
  private var open: [Open] = []

  var depth: Int { open.count }
  var awaitsKey: Bool { open.last.map { $0.opening.isMap && $0.key == nil } ?? false }
  /// The end of the last key while its value is missing.
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

  mutating func begin(_ opening: Opening) { open.append(Open(opening: opening)) }

  /// Ends the innermost list or map.
  ///
  /// - Parameter end: the offset after its closing bracket. Ignored if it has none: then it ends
  ///   with its last value.
  mutating func end(at end: Int) {
    let done = open.removeLast()
    let opening = done.opening
    let lastEnd =
      done.opening.isMap ? done.entries.last?.range.upperBound : done.elements.last?.range.upperBound
    let isBracketed = opening.style == .flow
    add(
      LocatedValue(
        content: opening.isMap ? .map(done.entries) : .list(done.elements), style: opening.style,
        range: opening.start..<(isBracketed ? end : max(opening.start, lastEnd ?? opening.start)),
        properties: opening.properties,
        anchor: opening.anchor, tag: opening.tag))
  }
}
