/// The command line by which git runs a driver, as it stands in its settings, for the shell that git hands it to.
///
/// Where the program is gone git does what it does without a driver: else a merge would end in conflict without a mark in the file.
enum DriverCommand: Sendable, Hashable {
  case merge(program: String)
  case diff(program: String)

  var line: String {
    switch self {
    // `%O %A %B` are the three versions, `%L` the length of markers, `%P` the path; `%X %Y`, which git knows from 2.45 on, the names of the sides.
    case .merge(let program):
      let program = DriverCommand.quoted(program.replacing("%", with: "%%"))
      return
        "if test -x \(program); then \(program) git merge-file -- %O %A %B %L %P %X %Y; else git merge-file --marker-size=%L %A %O %B; fi"
    // git puts the file behind it, and shows nothing at all where the driver fails: a name that is no text, say.
    case .diff(let program):
      let program = DriverCommand.quoted(program)
      return "f() { if test -x \(program); then \(program) git textconv -- \"$1\" || cat -- \"$1\"; else cat -- \"$1\"; fi; }; f"
    }
  }

  /// What a line that `line` made runs; nil for any other.
  init?(mergeLine line: String) {
    guard let program = DriverCommand.firstQuoted(in: line)?.replacing("%%", with: "%") else { return nil }
    self = .merge(program: program)
    if self.line != line { return nil }
  }

  /// What a line that `line` made runs; nil for any other.
  init?(diffLine line: String) {
    guard let program = DriverCommand.firstQuoted(in: line) else { return nil }
    self = .diff(program: program)
    if self.line != line { return nil }
  }

  var program: String {
    switch self {
    case .merge(let program), .diff(let program): program
    }
  }

  private static func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }

  private static func firstQuoted(in line: String) -> String? {
    var rest = line.unicodeScalars.drop { $0 != "'" }.dropFirst()
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar != "'" {
        word.append(scalar)
      } else if rest.starts(with: "\\''".unicodeScalars) {
        rest.removeFirst(3)
        word.append("'")
      } else {
        return String(word)
      }
    }
    return nil
  }
}
