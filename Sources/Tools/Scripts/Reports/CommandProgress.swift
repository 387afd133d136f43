package import Store
package import Streams

/// A step in the life of a sink that runs a command, for a status.
package enum CommandProgress: Sendable {
  /// The list has a change that the command does not have.
  case changed
  case runBegan
  case runEnded(RunEnd)
  /// The command has a list, at a position.
  case advanced(StreamPosition, ResultsSnapshot)
  /// The state after an event. It may be the same as before.
  case state(CommandState)
}

/// The state of a sink that runs a command.
package enum CommandState: String, Sendable, Hashable {
  case idle
  /// A run of the command has changes.
  case running
  /// There are changes that wait for something: a delay, a later change or the end of a git
  /// operation.
  case waiting
  case parked
}
