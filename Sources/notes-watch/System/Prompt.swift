import Glibc

/// Questions to the person at the terminal.
enum Prompt {
  /// True if standard input and standard error are a terminal.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && StandardError.isTerminal }

  /// Asks a question, and returns true if the answer is yes.
  ///
  /// - Parameter default: what an empty answer means. The end of the input means no.
  static func confirm(_ question: String, default isDefault: Bool) -> Bool {
    StandardError.prompt("\(question) [\(isDefault ? "Y/n" : "y/N")] ")
    guard let answer = readLine() else { return false }
    if answer.isEmpty { return isDefault }
    return answer.first == "y" || answer.first == "Y"
  }
}
