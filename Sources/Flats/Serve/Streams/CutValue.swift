import Store

/// Cuts the values of rows, so that a window of items with long texts stays small.
struct CutValue {
  private(set) var isCut = false
  /// The keys of each column. Its values are kept before those that the list does not show.
  private let columns: [[String]]

  init(_ columns: [FieldPath] = []) {
    self.columns = columns.prefix(CutValue.maxCount).map(\.keys)
  }

  /// The number of characters (Unicode scalars) of a string, or of all strings in a list or map.
  static let maxLength = 200
  /// The number of fields of an item, and of elements of each list and map.
  static let maxCount = 16
  static let maxDepth = 4

  /// A bit more than the bytes of the characters that are kept, so that a cut is noticed.
  private static let maxBytes = (maxLength + 2) * 4 + maxCount

  mutating func fields(of item: Item, showing paths: [FieldPath]) -> Fields {
    if paths.count > CutValue.maxCount { isCut = true }
    return fields(item.projected(Array(paths.prefix(CutValue.maxCount)), limit: CutValue.maxBytes))
  }

  mutating func fields(_ fields: Fields) -> Fields {
    if fields.count > CutValue.maxCount { isCut = true }
    var kept: [(key: String, value: Value)] = []
    let pairs = fields.count > CutValue.maxCount ? fields.sorted(first: columns) : Array(fields)
    for (key, value) in pairs.prefix(CutValue.maxCount) where fits(key) {
      var room = CutValue.maxLength
      let inner = columns.compactMap { $0.first == key ? Array($0.dropFirst()) : nil }
      if case .map(let map) = value, !inner.isEmpty {
        kept.append((key, cut(.map(Fields(unique: map.sorted(first: inner))), depth: 1, &room)))
      } else {
        kept.append((key, cut(value, depth: 1, &room)))
      }
    }
    return Fields(unique: kept)
  }

  private mutating func cut(_ value: Value, depth: Int, _ room: inout Int) -> Value {
    switch value {
    case .null, .bool, .number, .date: return value
    case .string(let text): return .string(cut(text, &room))
    case .list(let elements):
      guard enter(depth, elements.isEmpty) else { return .list([]) }
      var kept: [Value] = []
      for element in elements {
        guard takes(kept.count, &room) else { break }
        kept.append(cut(element, depth: depth + 1, &room))
      }
      return .list(kept)
    case .map(let fields):
      guard enter(depth, fields.isEmpty) else { return .map([:]) }
      var kept: [(key: String, value: Value)] = []
      for (key, value) in fields {
        guard takes(kept.count, &room) else { break }
        guard fits(key) else { continue }
        room -= min(room, key.utf8.count)
        kept.append((key, cut(value, depth: depth + 1, &room)))
      }
      return .map(Fields(unique: kept))
    }
  }

  private mutating func enter(_ depth: Int, _ isEmpty: Bool) -> Bool {
    if depth < CutValue.maxDepth || isEmpty { return true }
    isCut = true
    return false
  }

  /// Returns true if a key can be kept. A shortened key would be a different key, so long ones are left out.
  private mutating func fits(_ key: String) -> Bool {
    if key.utf8.count <= CutValue.maxLength { return true }
    isCut = true
    return false
  }

  private mutating func takes(_ count: Int, _ room: inout Int) -> Bool {
    guard count < CutValue.maxCount, room > 0 else {
      isCut = true
      return false
    }
    room -= 1
    return true
  }

  /// Returns the beginning of a text, without a part of a character if one fits.
  private mutating func cut(_ text: String, _ room: inout Int) -> String {
    // Scalars are at least a byte each.
    if text.utf8.count <= room {
      room -= text.unicodeScalars.count
      return text
    }
    var end = text.startIndex
    var length = 0
    while end < text.endIndex {
      let next = text.index(after: end)
      let size = text.unicodeScalars.distance(from: end, to: next)
      if length + size > room { break }
      end = next
      length += size
    }
    if end == text.startIndex, !text.isEmpty {
      end = text.unicodeScalars.index(end, offsetBy: min(room, text.unicodeScalars.count))
      length = text.unicodeScalars.distance(from: text.startIndex, to: end)
    }
    room -= length
    if end < text.endIndex { isCut = true }
    return String(text[..<end])
  }
}

extension Fields {
  /// Returns the pairs, those with the first keys of `columns` first.
  fileprivate func sorted(first columns: [[String]]) -> [(key: String, value: Value)] {
    let keys = Set(columns.compactMap(\.first))
    return filter { keys.contains($0.key) } + filter { !keys.contains($0.key) }
  }
}
