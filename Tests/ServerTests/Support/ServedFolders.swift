import Glibc
import PlainStore
import Server
import Synchronization
import TestSupport
import Values

/// A server of one folder in this process, with a socket of its own.
final class ServedFolders: Sendable {
  /// The folder of the items.
  let data: TemporaryFolder
  let store: ItemStore
  let server: SocketServer
  /// The folder of the socket.
  private let home: TemporaryFolder
  let path: SocketPath
  let log: LogCollector

  /// The daemon as the server sees it: one folder, whose path is `data.path`.
  private struct Handler: ServerHandler {
    let served: ServedFolder

    func folderIsRead(at path: String) async {}

    func folder(at path: String) -> FolderAnswer {
      switch path {
      case served.path: .open(served)
      case "/waiting": .waiting(reason: "it does not exist.")
      default: .unknown(configured: [served.path])
      }
    }

    func status(of folder: String?) async throws(RequestError) -> Fields {
      if let folder, folder != served.path {
        throw RequestError(.unknownFolder, "There is no folder \(folder).")
      }
      return ["pid": .number(.integer(7)), "folders": .list([])]
    }

    func retry(_ sink: String, in folder: String) async throws(RequestError) {
      if sink != "site" { throw RequestError(.unknownSink, "There is no sink \(sink).") }
    }
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - files: The texts of the items by their paths.
  ///   - options: The limits.
  ///   - idField: The fields that make an item's id.
  init(_ files: [String: String], _ options: ServerOptions = ServerOptions(), idField: String? = nil) throws {
    data = try TemporaryFolder(files)
    home = try TemporaryFolder()
    chmod(home.path, 0o700)
    var storeOptions = StoreOptions()
    storeOptions.badSettingsAreAProblem = true
    storeOptions.idFields = try idField.map { try ViewDefinition.idFields($0) }
    store = try ItemStore(at: data.path, watching: true, options: storeOptions)
    let log = LogCollector()
    self.log = log
    path = try SocketPath("\(home.path)/s")
    let handler = Handler(
      served: ServedFolder(path: data.path, store: store, idField: idField, maxSize: ReadLimits().maxSize))
    server = SocketServer(try ListeningSocket(at: path), handler: handler, options: options) { log.add($0) }
    try server.start()
  }

  /// Connects, and sends a first line.
  func connect(_ line: String? = nil) throws -> SocketClient {
    let client = try SocketClient(path.description)
    if let line { client.send(line: line) }
    return client
  }

  /// Connects, and asks for the stream of a view.
  func stream(_ view: String = "{}", since: String? = nil) throws -> SocketClient {
    let token = since.map { ",\"since\":\"\($0)\"" } ?? ""
    return try connect("{\"v\":1,\"folder\":\"\(data.path)\",\"view\":\(view)\(token)}")
  }

  /// Returns what `list` would print of a form, as one text of frames.
  func rendered(_ form: String, view: String = "{}") throws -> (
    output: [UInt8], messages: [String], code: Int
  ) {
    let client = try connect("{\"v\":1,\"folder\":\"\(data.path)\",\"view\":\(view),\"output\":\(form)}")
    var output: [UInt8] = []
    var messages: [String] = []
    while let line = try client.nextLine() {
      switch ServerLine(reading: line) {
      case .output(let count)?: output += try client.nextBytes(count)
      case .message(let text)?, .problem(let text)?: messages.append(text)
      case .end(let code)?: return (output, messages, code)
      case let other: throw SocketClient.Failure(description: "unexpected: \(String(describing: other))")
      }
    }
    throw SocketClient.Failure(description: "the output has no end")
  }

  /// Waits until a condition holds.
  func wait(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30 * Patience.factor)
    while !condition() {
      if ContinuousClock.now > end {
        throw SocketClient.Failure(description: "the condition never came true")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// Keeps the log of a server.
final class LogCollector: Sendable {
  private let entries = Mutex<[ServerLogEntry]>([])

  func add(_ entry: ServerLogEntry) { entries.withLock { $0.append(entry) } }

  var messages: [String] { entries.withLock { $0.map(\.message) } }
}
