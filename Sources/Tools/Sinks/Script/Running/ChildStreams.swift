import Files
import Glibc
import SystemPackage

/// The standard streams of one run.
struct ChildStreams: Sendable {
  let input: CommandInput
  /// The relays of its outputs; empty if the command writes to our descriptors.
  private(set) var relays: [OutputRelay] = []
  private var outputRelay: OutputRelay?
  private var errorRelay: OutputRelay?
  private let launch: CommandLaunch

  /// Makes the pipes that a run needs.
  ///
  /// - Parameters:
  ///   - launch: The command, and how to run it.
  ///   - outputs: The outputs of the command's runs.
  ///   - onAcknowledgement: Receives each acknowledgement of the command; nil if it writes none.
  ///   - write: Writes to a stream of this program.
  init(
    _ launch: CommandLaunch, _ outputs: OutputRelays,
    onAcknowledgement: (@Sendable (Acknowledgement) -> Void)?,
    write: @escaping @Sendable (CommandLaunch.Stream, [UInt8]) throws -> Void
  ) throws(Errno) {
    self.launch = launch
    input = try CommandInput()
    let keepsLines = launch.capture != nil
    guard launch.label != nil || keepsLines || onAcknowledgement != nil else { return }
    let filter = OutputFilter(
      label: launch.label, hasAcknowledgements: onAcknowledgement != nil, keepsLines: keepsLines)
    let output = try OutputRelay(filter, onAcknowledgement: onAcknowledgement ?? { _ in }) {
      try write(launch.output, $0)
    }
    outputRelay = output
    relays.append(output)
    if launch.label != nil || keepsLines {
      let filter = OutputFilter(label: launch.label, hasAcknowledgements: false, keepsLines: keepsLines)
      let error = try OutputRelay(filter, onAcknowledgement: { _ in }) { try write(.standardError, $0) }
      errorRelay = error
      relays.append(error)
    }
    try outputs.add(relays)
  }

  /// The descriptors that become the standard streams of the child.
  var descriptors: Child.Streams {
    let output = launch.output == .standardOutput ? STDOUT_FILENO : STDERR_FILENO
    return Child.Streams(
      input: input.child.raw, output: outputRelay?.child.raw ?? output,
      error: errorRelay?.child.raw ?? STDERR_FILENO)
  }

  /// Closes our copies of the child's ends, as soon as it runs or could not be started. Otherwise
  /// neither side could notice the end of the other.
  func closeChildEnds() {
    input.child.close()
    for relay in relays { relay.child.close() }
  }
}
