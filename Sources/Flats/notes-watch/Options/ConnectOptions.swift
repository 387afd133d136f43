import ArgumentParser

/// The option `--connect`.
struct ConnectOptions: ParsableArguments {
  @Flag(
    name: .customLong("connect"), help: "Get the list from the running daemon instead of reading the folder.")
  var isOn = false

  /// Checks that no option is given that only works without the daemon.
  ///
  /// - Parameter given: Options of the daemon's configuration, each with true if it was given.
  /// - Throws: `ValidationError`.
  static func check(_ given: [(String, Bool)]) throws {
    guard let name = given.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "\(name) cannot be combined with --connect, because the daemon reads the folder. Set it in the daemon's configuration, or leave "
        + "--connect out.")
  }
}
