import Sinks

extension SinkCommand {
  /// Returns how to run the command.
  ///
  /// - Parameter name: The name of the sink.
  func launch(name: String) -> CommandLaunch {
    CommandLaunch(words, output: .standardError, label: label ?? name, directory: directory)
  }
}
