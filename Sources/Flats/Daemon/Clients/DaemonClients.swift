/// The clients of the daemon, which the program serves.
package protocol DaemonClients: Sendable {
  /// Begins to answer clients.
  func accept() async

  /// Ends all clients, each after a complete line.
  func stop() async

  /// Ends the clients of a folder that is not served any more.
  ///
  /// - Parameter path: Its path without links.
  func close(folder path: String)

  /// The number of all connections, and of the streams by the folders' paths without links.
  func counts() async -> (all: Int, folders: [String: Int])
}
