import PlainStore
import PlainText

/// An assignment, cut into its parts.
struct AssignmentParts {
  enum Kind {
    case plain, json, file
  }

  /// Without the backslashes.
  private(set) var path: String
  /// What ends the path; nil where nothing does.
  private(set) var sign: String?
  private(set) var verb = Assignment.Verb.set
  private(set) var kind = Kind.plain
  private(set) var value = ""
  /// Where the value begins in the word, from 1, in Unicode scalars.
  private(set) var valueColumn = 1

  /// True if a backquote opens a key and none closes it.
  private(set) var hasOpenBackquote = false

  private static let escapable: Set<Unicode.Scalar> = ["=", "@", ":", "+", "-", "\\"]

  /// Linear.
  init(_ word: String) {
    let scalars = Array(word.unicodeScalars)
    var name: [(scalar: Unicode.Scalar, isEscaped: Bool)] = []
    var quotes = PathQuotes()
    var index = 0
    while index < scalars.count {
      // Between backquotes everything is part of a key.
      let isQuoted = quotes.read(scalars[index])
      if !isQuoted, scalars[index] == "=" || (scalars[index] == "@" && AssignmentParts.canEnd(name)) { break }
      let isEscaped =
        !isQuoted && scalars[index] == "\\" && index + 1 < scalars.count && AssignmentParts.escapable.contains(scalars[index + 1])
      if isEscaped { index += 1 }
      name.append((scalars[index], isEscaped || isQuoted))
      index += 1
    }
    hasOpenBackquote = quotes.isOpen
    guard index < scalars.count else {
      path = AssignmentParts.text(name.map(\.scalar))
      return
    }
    var sign = String(scalars[index])
    kind = scalars[index] == "@" ? .file : .plain
    func takes(_ mark: Unicode.Scalar) -> Bool {
      guard scalars[index] == "=", let last = name.last, last.scalar == mark, !last.isEscaped else { return false }
      name.removeLast()
      sign = String(mark) + sign
      return true
    }
    if takes(":") { kind = .json }
    if takes("+") { verb = .append } else if takes("-") { verb = .take }
    self.sign = sign
    path = AssignmentParts.text(name.map(\.scalar))
    value = AssignmentParts.text(scalars[(index + 1)...])
    valueColumn = index + 2
  }

  /// Nothing ends with a dot: an `@` behind it begins the name of an operator.
  private static func canEnd(_ name: [(scalar: Unicode.Scalar, isEscaped: Bool)]) -> Bool {
    guard let last = name.last else { return false }
    return last.scalar != "." || last.isEscaped || name[0].scalar == "/"
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
