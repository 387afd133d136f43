import PlainText

extension Value {
  /// What a person reads in a cell: scalars as written, without the line break at the end of a text; a list of scalars with commas; what is nested as JSON.
  var cellText: String {
    switch self {
    case .string(let text) where text.utf8.last == UInt8(ascii: "\n"):
      return String(
        text[
          ..<(text.utf8.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.map(text.utf8.index(after:)) ?? text.startIndex)]
      )
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      return elements.map(\.text).joined(separator: ", ")
    default:
      return text
    }
  }

  /// Whether cutting its text would make it a wrong value instead of a short one.
  var isCutBadly: Bool {
    switch self {
    case .null, .bool, .number, .date: true
    case .string, .list, .map: false
    }
  }
}
