/// The command line by which git runs a driver, as it stands in its settings: this program, quoted for the shell that git hands it to.
struct DriverCommand: Sendable, Hashable {
  let program: String
  let arguments: String

  /// `%O %A %B` are the three versions, `%L` the length of markers, `%P` the path; `%X %Y`, which git knows from 2.45 on, the names of the sides.
  static func merge(_ program: String) -> DriverCommand {
    DriverCommand(program: program, arguments: "git merge-file %O %A %B %L %P %X %Y")
  }
  static func diff(_ program: String) -> DriverCommand { DriverCommand(program: program, arguments: "git textconv") }

  /// - Parameter escapesPercent: whether git looks for `%` in it.
  func line(escapesPercent: Bool) -> String {
    let path = escapesPercent ? program.replacing("%", with: "%%") : program
    return "'\(path.replacing("'", with: "'\\''"))' \(arguments)"
  }

  /// The program of a line that `line` made; nil for any other.
  static func program(of line: String, escapesPercent: Bool) -> String? {
    var rest = line.unicodeScalars[...]
    guard rest.popFirst() == "'" else { return nil }
    var path = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar != "'" {
        path.append(scalar)
      } else if rest.starts(with: "\\''".unicodeScalars) {
        rest.removeFirst(3)
        path.append("'")
      } else {
        return escapesPercent ? String(path).replacing("%%", with: "%") : String(path)
      }
    }
    return nil
  }
}
