public import PlainText

extension Value {
  /// The text of a table cell: scalars as written, strings without outer line breaks, a list of
  /// scalars with commas, other lists and maps as JSON.
  public var cellText: String {
    switch self {
    case .string(let text): String(text.withoutOuterLineBreaks)
    case .list(let elements) where elements.allSatisfy(\.isScalar): elements.map(\.text).joined(separator: ", ")
    default: text
    }
  }

  /// True if cutting the text would make it a wrong value instead of a short one.
  var isAtomic: Bool {
    switch self {
    case .null, .bool, .number, .date: true
    case .string, .list, .map: false
    }
  }
}

extension String {
  fileprivate var withoutOuterLineBreaks: Substring {
    func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    guard let start = utf8.firstIndex(where: { !isBreak($0) }), let end = utf8.lastIndex(where: { !isBreak($0) }) else { return "" }
    return self[start...end]
  }
}
