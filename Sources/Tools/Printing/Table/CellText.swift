package import Store

extension Item {
  /// Returns the value of a table cell, or its beginning: enough to fill `columns` columns, and one
  /// more.
  package func cellValue(at path: FieldPath, columns: Int) -> Value? {
    var limit = Value.cellBytes(columns)
    while true {
      let value = value(at: path, limit: limit)
      // A cell does not show the line breaks at the start, so they take no room.
      guard case .string(let text)? = value, text.utf8.first?.isLineBreak == true,
        text.utf8.count > limit - 4,
        DisplayText.fits(String(text.withoutOuterLineBreaks), in: columns)
      else { return value }
      limit *= 2
    }
  }
}

extension Value {
  /// Returns the number of bytes that fill a number of columns. A character of one column has at
  /// most 31 scalars, see `DisplayText`.
  static func cellBytes(_ columns: Int) -> Int {
    let (bytes, isTooLarge) = max(columns, 0).addingReportingOverflow(1).partialValue
      .multipliedReportingOverflow(by: 31 * 4)
    return isTooLarge ? .max : bytes
  }

  /// The text of a table cell: scalars as written, strings without outer line breaks, a list of
  /// scalars with commas, other lists and maps as JSON.
  package var cellText: String {
    switch self {
    case .string(let text): String(text.withoutOuterLineBreaks)
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      elements.map(\.text).joined(separator: ", ")
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
    guard let start = utf8.firstIndex(where: { !$0.isLineBreak }),
      let end = utf8.lastIndex(where: { !$0.isLineBreak })
    else { return "" }
    return self[start...end]
  }
}

extension UInt8 {
  fileprivate var isLineBreak: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
