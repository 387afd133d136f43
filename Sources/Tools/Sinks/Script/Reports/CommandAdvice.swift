/// Sentences about a command that is not run again, which depend on what else the program does.
package struct CommandAdvice: Sendable, Hashable {
  /// The effect if the command may not fail.
  package let stop: String
  /// The way to continue after it failed too often.
  package let parked: String

  /// Makes advice of two sentences.
  package init(stop: String, parked: String) {
    self.stop = stop
    self.parked = parked
  }

  /// The advice of a program that does nothing else.
  package static let program = CommandAdvice(
    stop: "The program ends.", parked: "Send SIGHUP to continue, or start the program again.")
}
