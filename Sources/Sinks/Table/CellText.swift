public import PlainStore
public import PlainText

extension Item {
  /// Returns the value of a table cell, or its beginning: enough to fill `columns` columns, and one
  /// more.
  public func cellValue(at path: FieldPath, columns: Int) -> Value? {
    value(at: path, limit: Value.cellBytes(columns))
  }
}

extension Value {
  /// Returns the number of bytes that fill a number of columns. A character of one column has at
  /// most 31 scalars, see `DisplayText`.
  static func cellBytes(_ columns: Int) -> Int {
    let (bytes, isTooLarge) = max(columns, 0).addingReportingOverflow(1).partialValue.multipliedReportingOverflow(by: 31 * 4)
    return isTooLarge ? .max : bytes
  }

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
