import Printing
import Store

extension Value {
  /// The text of a cell on the screen, as people read it. The rules are in docs/browse.md, and the page
  /// has them in `text.js`. The file has the exact value.
  var shownText: String {
    switch self {
    case .bool(let flag): flag ? "✓" : "–"
    case .date(let date) where date.precision != .day:
      String(date.text.prefix("2026-01-31".count)) + " " + date.text.dropFirst("2026-01-31T".count).prefix(5)
    case .string(let text): text.shortAddress ?? cellText
    case .list(let elements) where elements.allSatisfy(\.isScalar):
      elements.map(\.shownText).joined(separator: ", ")
    default: cellText
    }
  }
}

extension String {
  /// The text without what every web address has; nil if it is not one.
  fileprivate var shortAddress: String? {
    guard let scheme = ["https://", "http://"].first(where: hasPrefix), !contains(where: \.isWhitespace)
    else { return nil }
    var rest = dropFirst(scheme.count)
    if rest.hasPrefix("www.") { rest = rest.dropFirst("www.".count) }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    return rest.isEmpty ? nil : String(rest)
  }
}
