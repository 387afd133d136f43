/// Writes numbers in the text format of Prometheus, version 0.0.4.
struct MetricsText {
  /// The media type of the format.
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// The kinds of metrics.
  enum Kind: String {
    case counter, gauge
  }

  /// The text so far.
  private(set) var text = ""

  /// Writes a metric with one number.
  mutating func write(_ name: String, _ kind: Kind, _ help: String, _ number: Int) {
    write(name, kind, help, [([], number)])
  }

  /// Writes a metric with one number for each set of labels.
  mutating func write(
    _ name: String, _ kind: Kind, _ help: String,
    _ samples: [(labels: [(name: String, value: String)], number: Int)]
  ) {
    text += "# HELP \(name) \(MetricsText.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(MetricsText.escaped($0.value, quotes: true))\"" }
        .joined(separator: ",")
      text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.number)\n"
    }
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += #"\\"#
      case "\n": escaped += #"\n"#
      case "\"" where quotes: escaped += #"\""#
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
