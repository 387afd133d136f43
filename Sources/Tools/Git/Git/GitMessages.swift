/// The text that git wrote to standard error.
struct GitMessages {
  private let lines: [String]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line that is neither a warning nor advice, without `fatal: ` or `error: `: the reason
  /// why a command failed. The first line if there is no such line, or an empty string.
  var reason: String {
    let notes = [GitMessages.warning, "hint: "]
    let line = lines.first { line in !notes.contains { line.hasPrefix($0) } } ?? lines.first ?? ""
    for word in ["fatal: ", "error: "] where line.hasPrefix(word) {
      return String(line.dropFirst(word.count))
    }
    return line
  }

  /// The warnings, without `warning: `.
  var warnings: [String] {
    lines.filter { $0.hasPrefix(GitMessages.warning) }.map { String($0.dropFirst(GitMessages.warning.count)) }
  }

  private static let warning = "warning: "
}
