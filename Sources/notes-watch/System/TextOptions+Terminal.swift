import Glibc
import Sinks

extension TextOptions {
  /// What standard output is: a window of so many columns, or a pipe that gets everything.
  static func standardOutput(_ color: ColorChoice) -> TextOptions {
    guard StandardOutput.isTerminal else { return TextOptions(width: nil, usesColor: color == .always, isTerminal: false) }
    return TextOptions(width: StandardOutput.columns ?? 80, usesColor: color.isWanted, isTerminal: true)
  }
}
