import ArgumentParser
import Printing

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  case auto
  case always, never

  var isAlways: Bool? {
    switch self {
    case .always: true
    case .never: false
    case .auto: nil
    }
  }

  fileprivate var isOnForTerminal: Bool {
    // An empty NO_COLOR is none, as no-color.org asks for.
    isAlways ?? (Environment.value(of: "NO_COLOR") == nil && Environment.value(of: "TERM") != "dumb")
  }
}

struct ColorOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When to color the output; auto does on a terminal, unless NO_COLOR is set.", valueName: "WHEN"))
  var color = ColorChoice.auto
}

extension TextOptions {
  static func standardOutput(_ color: ColorChoice, isWide: Bool = false) -> TextOptions {
    guard StandardOutput.isTerminal else {
      return TextOptions(width: nil, usesColor: color == .always, isTerminal: false, isWide: isWide)
    }
    return TextOptions(
      width: StandardOutput.columns ?? 80, usesColor: color.isOnForTerminal, isTerminal: true, isWide: isWide)
  }
}
