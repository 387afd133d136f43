/// The refusal of a client's request.
package struct RequestError: Error, Hashable, CustomStringConvertible {
  /// The reason, for programs.
  package let code: Code
  /// A sentence for people: where, what and what to do.
  package let message: String

  /// The reasons. Their raw values are the codes of problem documents.
  package enum Code: String, Sendable, Hashable {
    /// The request is malformed.
    case badRequest = "bad-request"
    /// No configured folder has this path.
    case unknownFolder = "unknown-folder"
    /// The folder is configured, but not open yet.
    case notReady = "not-ready"
    /// The folder was open, and is now missing or cannot be read.
    case missing
    /// The client asks for other ids or another size limit than the daemon has.
    case mismatch
    /// The folder has no sink of this name.
    case unknownSink = "unknown-sink"
    /// The view is not valid.
    case badView = "bad-view"
    /// There are too many clients or requests.
    case busy
    /// There are too many streams.
    case tooManyStreams = "too-many-streams"
  }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
