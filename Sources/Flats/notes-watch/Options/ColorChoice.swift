import ArgumentParser
import Glibc

/// When text is colored.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  case auto
  case always, never

  /// True or false if the option says so; nil if the terminal decides.
  var isAlways: Bool? {
    switch self {
    case .always: true
    case .never: false
    case .auto: nil
    }
  }

  /// True if text on a terminal is colored.
  var isOnForTerminal: Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isUnset("NO_COLOR") && getenv("TERM").map { String(cString: $0) } != "dumb"
    }
  }

  /// Returns true for an empty variable too, as no-color.org asks for.
  private func isUnset(_ name: String) -> Bool { getenv(name).map { $0.pointee == 0 } ?? true }
}

struct ColorOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When to color the output; auto does on a terminal, unless NO_COLOR is set.", valueName: "WHEN"))
  var color = ColorChoice.auto
}
