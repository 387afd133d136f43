import Foundation
import HTTPTransport
import HTTPTypes
import Serve
import Store
import TestSupport
import Testing
import Values
import Streams

/// A server of one folder in this process, on a socket of its own, as the daemon has it.
final class ServedFolders: Sendable {
  /// The folder of the items.
  let data: TemporaryFolder
  let store: ItemStore
  let server: HTTPServer
  let folders: FoldersServer
  /// The folder of the socket.
  private let home: TemporaryFolder
  let path: SocketPath
  let log = ServerLog()
  private let socket: ListeningSocket

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - files: The texts of the items by their paths.
  ///   - options: The limits.
  ///   - idField: The fields that make an item's id.
  init(_ files: [String: String], _ options: WebOptions = WebOptions(), idField: String? = nil) async throws {
    data = try TemporaryFolder(files)
    home = try TemporaryFolder()
    chmod(home.path, 0o700)
    var storeOptions = StoreOptions()
    storeOptions.badSettingsAreAProblem = true
    storeOptions.idFields = try idField.map { try ViewDefinition.idFields($0) }
    store = try ItemStore(at: data.path, watching: true, options: storeOptions)
    path = try SocketPath("\(home.path)/s")
    socket = try ListeningSocket(at: path)
    let log = log
    server = try await HTTPServer.listen(on: socket.raw, path: path.description, options: options) {
      log.add($0)
    }
    let folder = OfferedFolder(
      name: "data", path: data.path, store: store, idField: idField, maxSize: ReadLimits().maxSize)
    folders = FoldersServer(WebOptions(), folders: { [folder] }) { router in
      router.on(.get, "/folder") { request throws(ProblemDocument) in
        await folder.store.settled()
        try folder.check(request.target)
        return ServerResponse(type: "application/json", Array("{\"name\":\"data\"}".utf8))
      }
    }
    await server.serve(folders, counting: folders.metrics)
  }

  /// Ends the server, and removes its socket.
  func stop() async {
    await server.stop()
    socket.close()
  }

  /// Connects, and asks for the stream of a view.
  func stream(_ view: String = "{}", since: String? = nil) throws -> DaemonStream {
    let token = since.map { ",\"since\":\"\($0)\"" } ?? ""
    return try request("{\"folder\":\"\(data.path)\",\"view\":\(view)\(token)}")
  }

  /// Connects, and sends a request of a stream.
  func request(_ line: String) throws -> DaemonStream {
    let client = try DaemonStream(path.description)
    client.send(line: line)
    return client
  }

  /// Sends a request that is not one for a stream.
  func send(_ target: String) throws -> WebClient.Answer { try send("GET", target, "") }

  /// Sends a request with a body.
  func send(_ method: String, _ target: String, _ body: String) throws -> WebClient.Answer {
    let client = try WebClient(path: path.description)
    client.send(
      "\(method) \(target) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try client.answer()
  }

  /// Returns the list of a view, as `list --connect` gets it.
  func list(_ view: String = "{}", name: String? = nil) throws -> PackedList {
    let answer = try send("POST", "/data/list\(name.map { "?name=\($0)" } ?? "")", view)
    return try #require(PackedList(reading: answer.body), "\(answer.status) \(answer.text)")
  }

  /// Waits until a condition holds.
  func wait(_ condition: () async -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30 * Patience.factor)
    while await !condition() {
      if ContinuousClock.now > end {
        throw WebClient.Failure(description: "the condition never came true")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
