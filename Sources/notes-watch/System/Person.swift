import Glibc

/// A person at the terminal.
enum Person {
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && StandardError.isTerminal }

  /// A question that is answered by yes or no; an empty answer is `usual`, and the end of the input is no.
  static func agrees(to question: String, usual: Bool) -> Bool {
    StandardError.prompt("\(question) [\(usual ? "Y/n" : "y/N")] ")
    guard let answer = readLine() else { return false }
    if answer.isEmpty { return usual }
    return answer.first == "y" || answer.first == "Y"
  }
}
