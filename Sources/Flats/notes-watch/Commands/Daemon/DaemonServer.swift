import Daemon
import Git
import HTTPTransport
import HTTPTypes
import Logging
import Serve
import Store

/// HTTP for the programs of this user on the daemon's socket, and on a port if the configuration names one.
final class DaemonServer: DaemonClients {
  private let socket: ListeningSocket
  private let local: HTTPServer
  private let web: (server: HTTPServer, access: ServeAccess)?
  private let folders: FoldersServer
  private let log: Logger

  /// Clients wait until `accept()` is called. The server closes the socket when it stops. It and the daemon
  /// hold each other until the process ends.
  init(
    _ daemon: DaemonService, _ configuration: DaemonConfiguration, on socket: ListeningSocket,
    clientTimeout: Duration, log: Logger
  ) async throws {
    self.socket = socket
    self.log = log
    let report: @Sendable (String) -> Void = { log.warning("\($0)") }
    var local = WebOptions()
    var web = WebOptions()
    local.clientTimeout = clientTimeout
    self.local = try await HTTPServer.listen(
      on: socket.raw, path: socket.path.description, options: local, log: report)
    web.isReadOnly = configuration.listen?.isReadOnly ?? false
    self.web = try await DaemonServer.listen(configuration, web, log, report)
    folders = FoldersServer(web, folders: { daemon.offeredFolders }) { router in
      router.addDaemonRoutes(daemon)
    }
  }

  private static func listen(
    _ configuration: DaemonConfiguration, _ options: WebOptions, _ log: Logger,
    _ report: @escaping @Sendable (String) -> Void
  ) async throws -> (server: HTTPServer, access: ServeAccess)? {
    guard let listen = configuration.listen, let address = ListenAddress(parsing: listen.address) else {
      return nil
    }
    let server = try await HTTPServer.listen(
      address: address.address, port: address.port, options: options, log: report)
    let access = try ServeAccess(
      address.at(port: server.port), origins: listen.origins.compactMap(WebOrigin.init(parsing:)),
      isReadOnly: listen.isReadOnly, tokenFile: listen.tokenFile, root: configuration.file, hasFolders: true,
      warn: { log.warning("\($0)") })
    return (server, access)
  }

  func accept() async {
    await local.serve(folders, counting: folders.metrics)
    guard let web else { return }
    do {
      let file = try web.access.writeToken()
      let rules = web.access.rules
      await web.server.serve(
        AccessGuard(folders, rules: rules, tokens: web.access.tokens), counting: folders.metrics)
      log.notice(
        "The folders are served on \(rules.origins[0])/. For an address of the page, run: \(rules.urlCommand). Programs use the token in \(file)."
      )
    } catch {
      _ = Failure.report(error)
      log.error("The folders are not served on a port: the token cannot be written.")
    }
  }

  func stop() async {
    await local.stop()
    await web?.server.stop()
    web?.access.removeToken()
    socket.close()
  }

  func close(folder path: String) { folders.close(folder: path) }

  func counts() async -> (all: Int, folders: [String: Int]) {
    let all = await local.connectionCount + (web?.server.connectionCount ?? 0)
    return (all, folders.streamCounts)
  }
}

extension DaemonService {
  fileprivate var offeredFolders: [OfferedFolder] {
    servedFolders(naming: OfferedFolder.name).compactMap { name, folder in
      folder.map {
        OfferedFolder(
          name: name, path: $0.root, store: $0.store, idField: $0.idField, maxSize: $0.maxSize)
      }
    }
  }

  /// Returns the folder that a client names by its absolute path, after it was read.
  fileprivate func offeredFolder(at path: String) async throws(RequestError) -> OfferedFolder {
    let opened = try await folder(at: path)
    if let folder = offeredFolders.first(where: { $0.store === opened.store }) { return folder }
    throw RequestError(.notReady, "\(path) is not open yet. Try again in a moment.")
  }
}

extension Router {
  fileprivate mutating func addDaemonRoutes(_ daemon: DaemonService) {
    on(.get, "/status") { request throws(ProblemDocument) in
      try request.target.allowOnly(["folder"])
      let folder = try request.target.value("folder").map { path throws(ProblemDocument) in
        try Router.absolute(path, "folder")
      }
      let status = try await Router.translating { () throws(RequestError) in
        try await daemon.status(of: folder)
      }
      let start: Fields = ["v": .number(.integer(1)), "type": .string("status")]
      let answer = start.merging(status)
      return ServerResponse(json: answer)
    }
    on(.post, "/retry") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      let body = try await request.body.read(upTo: 1 << 16)
      guard case .map(let fields)? = try? PackedValue(reading: body, as: .json).value,
        case .string(let sink)? = fields["sink"], case .string(let folder)? = fields["folder"]
      else {
        throw ProblemDocument(
          .badRequest, "Expected an object such as {\"folder\":\"/home/ada/notes\",\"sink\":\"site\"}.",
          code: "bad-request")
      }
      let path = try Router.absolute(folder, "folder")
      try await Router.translating { () throws(RequestError) in try daemon.retry(sink, in: path) }
      return ServerResponse(.noContent)
    }
    on(.get, "/folder") { request throws(ProblemDocument) in
      try request.target.allowOnly(["path", "name", "id-field", "max-size", "view"])
      let path = try Router.absolute(try request.needed("path"), "path")
      let folder = try await Router.translating { () throws(RequestError) in
        try await daemon.offeredFolder(at: path)
      }
      await folder.store.settled()
      try folder.check(request.target)
      let answer: Fields = ["name": .string(folder.name), "version": .string(ProgramVersion.text)]
      return ServerResponse(json: answer)
    }
  }

  private static func absolute(_ path: String, _ parameter: String) throws(ProblemDocument) -> String {
    if path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) { return path }
    throw ProblemDocument(
      .badRequest, "\(parameter): The path `\(path)` is not absolute. Begin it with `/`.", code: "bad-request"
    )
  }

  private static func translating<Answer: Sendable>(
    _ body: @Sendable () async throws(RequestError) -> Answer
  ) async throws(ProblemDocument) -> Answer {
    do throws(RequestError) {
      return try await body()
    } catch {
      let status: HTTPResponse.Status =
        switch error.code {
        case .badRequest: .badRequest
        case .unknownFolder, .unknownSink, .badView: .notFound
        case .mismatch: .conflict
        case .notReady, .missing, .busy, .tooManyStreams: .serviceUnavailable
        }
      throw ProblemDocument(status, error.message, code: error.code.rawValue)
    }
  }
}
