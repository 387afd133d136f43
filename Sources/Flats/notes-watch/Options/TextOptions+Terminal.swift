import Glibc
import Printing

extension TextOptions {
  /// Returns the options for standard output: the width of a terminal, or no limit for a pipe or a
  /// file.
  static func standardOutput(_ color: ColorChoice) -> TextOptions {
    guard StandardOutput.isTerminal else {
      return TextOptions(width: nil, usesColor: color == .always, isTerminal: false)
    }
    return TextOptions(
      width: StandardOutput.columns ?? 80, usesColor: color.isOnForTerminal, isTerminal: true)
  }
}
