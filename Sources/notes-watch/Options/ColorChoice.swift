import ArgumentParser
import Glibc

/// When text is coloured: on a terminal, unless `NO_COLOR` is set or the terminal is dumb; or as it is said here.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// On a terminal.
  var isWanted: Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isUnset("NO_COLOR") && getenv("TERM").map { String(cString: $0) } != "dumb"
    }
  }

  /// As no-color.org has it: an empty variable is none.
  private func isUnset(_ name: String) -> Bool { getenv(name).map { $0.pointee == 0 } ?? true }
}

struct ColorOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Colours: auto, always or never. NO_COLOR turns them off, too.")
  var color = ColorChoice.auto
}
