/// The limits of a server.
package struct ServerOptions: Sendable, Hashable {
  /// The largest number of clients at a time. Further ones are refused.
  package var maxClients: Int
  /// The time in which a client has to send its first line.
  package var requestTimeout: Duration
  /// The time after which a client that reads nothing of what waits for it is disconnected.
  package var clientTimeout: Duration
  /// The time that a server which stops gives its clients to read the rest of a line.
  package var stopTimeout: Duration

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - maxClients: The largest number of clients at a time.
  ///   - requestTimeout: The time in which a client has to send its first line.
  ///   - clientTimeout: The time after which a client that reads nothing is disconnected.
  ///   - stopTimeout: The time that a server which stops gives its clients to read the rest of a
  ///     line.
  package init(
    maxClients: Int = 1_024, requestTimeout: Duration = .seconds(10), clientTimeout: Duration = .seconds(600),
    stopTimeout: Duration = .seconds(2)
  ) {
    self.maxClients = maxClients
    self.requestTimeout = requestTimeout
    self.clientTimeout = clientTimeout
    self.stopTimeout = stopTimeout
  }
}

/// An entry of the server's log.
package struct ServerLogEntry: Sendable, Hashable {
  /// True for something that a person should look at.
  package let isWarning: Bool
  /// One sentence.
  package let message: String

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - isWarning: True for something that a person should look at.
  ///   - message: One sentence.
  package init(isWarning: Bool, message: String) {
    self.isWarning = isWarning
    self.message = message
  }
}
