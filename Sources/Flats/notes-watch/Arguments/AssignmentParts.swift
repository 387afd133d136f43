import Store
import Values

/// The parts of an assignment: path, sign and value.
struct AssignmentParts {
  enum Kind {
    case plain, json, file
  }

  /// The path without the backslashes.
  private(set) var path: String
  /// The sign that ends the path, such as `+:=`; nil if there is none.
  private(set) var sign: String?
  private(set) var verb = Assignment.Verb.set
  private(set) var kind = Kind.plain
  private(set) var value = ""
  /// The column of the value in the word, from 1, in Unicode scalars.
  private(set) var valueColumn = 1

  /// True if a backquote is not closed.
  private(set) var hasOpenBackquote = false

  private static let escapable: Set<Unicode.Scalar> = ["=", "@", ":", "+", "-", "\\"]

  /// Splits a word. Linear.
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
        !isQuoted && scalars[index] == "\\" && index + 1 < scalars.count
        && AssignmentParts.escapable.contains(scalars[index + 1])
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
    func consume(_ mark: Unicode.Scalar) -> Bool {
      guard scalars[index] == "=", let last = name.last, last.scalar == mark, !last.isEscaped else {
        return false
      }
      name.removeLast()
      sign = String(mark) + sign
      return true
    }
    if consume(":") { kind = .json }
    if consume("+") { verb = .append } else if consume("-") { verb = .remove }
    self.sign = sign
    path = AssignmentParts.text(name.map(\.scalar))
    value = AssignmentParts.text(scalars[(index + 1)...])
    valueColumn = index + 2
  }

  /// Returns true if the path may end here. After a dot, an `@` begins the name of an operator.
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
