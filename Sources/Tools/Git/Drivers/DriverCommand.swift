/// The shell command line in git's settings with which git runs a driver.
///
/// If the program no longer exists, the command does what git does without a driver. Otherwise a
/// merge would fail without conflict markers in the file.
enum DriverCommand: Hashable {
  case merge(program: String)
  case diff(program: String)

  var line: String {
    switch self {
    // `%O %A %B` are the three versions, `%L` the length of conflict markers, `%P` the path.
    // `%X %Y` are the names of the sides, from git 2.45 on.
    case .merge(let program):
      let program = DriverCommand.quoted(program.replacing("%", with: "%%"))
      return
        "if test -x \(program); then \(program) git merge-file -- %O %A %B %L %P %X %Y; else git merge-file --marker-size=%L %A %O %B; fi"
    // git appends the file's name. If the driver fails, for example for a file that is not text,
    // git shows nothing, so the file is printed unchanged. The version makes git discard cached
    // output of an older version: git keeps the output as long as this line is the same.
    case .diff(let program):
      return DriverCommand.diffLine(
        program, version: ": notes-watch \(ProgramVersion.text) lines \(FieldLines.version); ")
    }
  }

  private static func diffLine(_ program: String, version: String) -> String {
    let program = DriverCommand.quoted(program)
    return
      "f() { \(version)if test -x \(program); then \(program) git textconv -- \"$1\" || cat -- \"$1\"; else cat -- \"$1\"; fi; }; f"
  }

  init?(mergeLine line: String) {
    guard let program = DriverCommand.firstQuoted(in: line)?.replacing("%%", with: "%") else { return nil }
    self = .merge(program: program)
    if self.line != line { return nil }
  }

  /// Parses a diff command that this type wrote in this or another version of the program.
  init?(diffLine line: String) {
    guard let program = DriverCommand.firstQuoted(in: line) else { return nil }
    self = .diff(program: program)
    if DriverCommand.diffLine(program, version: DriverCommand.version(in: line)) != line { return nil }
  }

  /// The version part of a diff command, such as `: notes-watch 0.1.0 lines 1; `, or nothing.
  private static func version(in line: String) -> String {
    let words = line.dropFirst("f() { ".count).prefix { $0 != ";" }
    guard words.hasPrefix(": notes-watch "),
      words.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ":-+. ".contains($0)) })
    else {
      return ""
    }
    return "\(words); "
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

/// The version of this program. `--version` prints it, and the settings written for git contain it.
package enum ProgramVersion {
  package static let text = "0.1.0"
}
