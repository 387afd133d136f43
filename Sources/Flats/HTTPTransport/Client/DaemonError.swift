import Values

/// The reason why the daemon cannot answer, as a sentence for people.
package struct DaemonError: Error, Hashable, CustomStringConvertible {
  package enum Code: Sendable, Hashable {
    /// No daemon listens at the socket.
    case noDaemon
    /// The socket belongs to another user, or may not be opened.
    case notPermitted
    /// The daemon ended the connection before its answer was complete. For a stream, which has no
    /// end, this is the end of the daemon.
    case lost
    /// The daemon sent something that is not an answer.
    case badAnswer
    /// The daemon refused the request. The raw code of its error line.
    case refused(String)
    /// No program reads the output any more.
    case readerIsGone
  }

  package let code: Code
  /// A sentence: what is wrong and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// Reads a refusal: a problem document.
  init(refusal bytes: [UInt8]) {
    guard case .map(let fields)? = try? PackedValue(reading: bytes, as: .json).value,
      case .string(let type)? = fields["type"], case .string(let detail)? = fields["detail"]
    else {
      self = .badAnswer
      return
    }
    let isBusy = fields["status"] == .number(.integer(503))
    let code = type.split(separator: ":").last.map(String.init) ?? ""
    self.init(.refused(type == "about:blank" && isBusy ? "busy" : code), detail)
  }

  /// The end of a connection without an answer.
  package static let lost = DaemonError(
    .lost, "The daemon ended the connection. To see if it runs again, use: notes-watch status")
  /// A line that this program does not know.
  package static let badAnswer = DaemonError(
    .badAnswer,
    "The daemon sent an answer that this program does not know. Restart the daemon after an upgrade.")
}
