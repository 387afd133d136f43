/// A value as YAML text: the part on the line of its key or dash, and the indented lines below.
struct YAMLText {
  var inline: String
  var lines: [String] = []
}

/// The place for which a value is written.
enum YAMLPlace: Equatable {
  /// Inside brackets or braces, on one line.
  case flow
  /// After a key in that column; -1 for the root of the document.
  case entry(column: Int)
  /// After a dash in that column.
  ///
  /// - Parameter content: the column of the value on the line of the dash; nil if an anchor or a
  ///   tag is there.
  case element(column: Int, content: Int?)

  var column: Int {
    switch self {
    case .flow: 0
    case .entry(let column), .element(let column, _): column
    }
  }
}
