/// A value as YAML: what stands behind its key or dash, and the lines below with their indentation.
struct YAMLText {
  var inline: String
  var lines: [String] = []
}

/// What a value is written for.
enum YAMLPlace: Equatable {
  /// Within brackets, on one line.
  case flow
  /// Behind a key whose map is indented by so many columns; -1 for the document.
  case entry(column: Int)
  /// Behind a dash in that column; `content`: where the value begins on the dash's own line, unless an anchor or a tag stands there.
  case element(column: Int, content: Int?)

  var column: Int {
    switch self {
    case .flow: 0
    case .entry(let column), .element(let column, _): column
    }
  }
}

/// How much care is taken: a higher step where what came out before did not read back.
enum YAMLCaution: Int, CaseIterable, Comparable {
  case none
  /// Block scalars take in line breaks that follow them.
  case noBlockScalars
  /// Everything on one line, in brackets and double quotes.
  case oneLine

  static func < (a: YAMLCaution, b: YAMLCaution) -> Bool { a.rawValue < b.rawValue }
}
