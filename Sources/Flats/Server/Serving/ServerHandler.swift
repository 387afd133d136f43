package import Values

/// The daemon, as the server sees it. Its functions may be called on any thread, and do not block.
package protocol ServerHandler: Sendable {
  /// Returns the result for a folder that a client names.
  ///
  /// - Parameter path: The absolute path that the client sent.
  func folder(at path: String) -> FolderAnswer

  /// Waits until a folder was read for the first time, or cannot be read. The first client of a
  /// socket that systemd made starts the daemon, and comes before the folder is open.
  func folderIsRead(at path: String) async

  /// Returns the fields of the answer to `status`, without `v` and `type`.
  ///
  /// - Parameter folder: The absolute path of one folder; nil for all.
  /// - Throws: `RequestError` if the folder is not configured.
  func status(of folder: String?) async throws(RequestError) -> Fields

  /// Continues a sink whose change failed too often.
  ///
  /// - Parameters:
  ///   - sink: The name of the sink.
  ///   - folder: The absolute path of its folder.
  /// - Throws: `RequestError` if there is no such folder or sink.
  func retry(_ sink: String, in folder: String) async throws(RequestError)
}

/// The result for a folder that a client names.
package enum FolderAnswer: Sendable {
  /// Clients get its lists.
  case open(ServedFolder)
  /// The folder is configured, but is not open yet. The sentence says why.
  case waiting(reason: String)
  /// The folder is not configured. These folders are.
  case unknown(configured: [String])
}

/// The refusal of a client's request. It is sent as an `error` line.
package struct RequestError: Error, Hashable, CustomStringConvertible {
  /// The reason, for programs.
  package let code: Code
  /// A sentence for people: where, what and what to do.
  package let message: String

  /// The reasons. Their raw values are the `code` of the error line.
  package enum Code: String, Sendable, Hashable {
    /// The first line of a client is not a request.
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
    /// There are too many clients.
    case tooManyClients = "too-many-clients"
    /// The client sent no complete request in time.
    case timeout
    /// The daemon ends, or the folder was removed from its configuration.
    case closing
  }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
