import HTTPTypes
import Synchronization
import Values

/// Answers the requests of all clients of several folders: those of each folder below its name, and
/// those at the root, where `/` lists the folders.
package final class FoldersServer: Responder {
  package let metrics = WebMetrics()
  private let options: WebOptions
  private let queues: WebQueues
  private let folders: @Sendable () -> [OfferedFolder]
  private let root: Router
  /// Lock: guards the servers of the folders that clients asked for, by the folders' paths.
  private let servers = Mutex<[String: WebServer]>([:])

  package init(
    _ options: WebOptions, folders: @escaping @Sendable () -> [OfferedFolder],
    addRoutes: (inout Router) -> Void = { _ in }
  ) {
    self.options = options
    queues = WebQueues(options)
    self.folders = folders
    var root = Router()
    root.on(.get, "/") { request throws(ProblemDocument) in
      try request.target.allowOnly([])
      return try FoldersServer.list(folders(), for: request)
    }
    root.addHealthRoute()
    addRoutes(&root)
    self.root = root
  }

  package func respond(to request: ServerRequest) async -> ServerResponse {
    if let (name, path) = request.target.folder {
      if let folder = folders().first(where: { $0.name == name }) {
        return await server(of: folder).respond(to: request.inFolder(name, path))
      }
    } else if let folder = folders().first(where: { "/\($0.name)" == request.target.path }) {
      // The paths of the page are relative.
      return ServerResponse(.permanentRedirect, [.location: "\(folder.name.queryEncoded)/"])
    }
    return await root.respond(to: request, counting: metrics)
  }

  /// The number of streams, by the paths of the folders.
  package var streamCounts: [String: Int] { servers.withLock { $0 }.mapValues(\.context.streams.count) }

  package func close(folder path: String) {
    servers.withLock { $0.removeValue(forKey: path) }?.context.streams.end()
  }

  private func server(of folder: OfferedFolder) -> WebServer {
    if let known = servers.withLock({ $0[folder.path] }), known.context.store === folder.store {
      return known
    }
    let size = folder.maxSize == ReadLimits().maxSize ? nil : folder.maxSize
    let server = WebServer(
      WebContext(
        path: folder.path, name: folder.path, store: folder.store, idField: folder.idField, maxSize: size,
        options: options, queues: queues, metrics: metrics), hasCommands: true)
    let known = servers.withLock { servers in
      if let known = servers[folder.path], known.context.store === folder.store { return known }
      servers[folder.path] = server
      return server
    }
    // The folder may have been closed meanwhile.
    if !folders().contains(where: { $0.store === folder.store }) { close(folder: folder.path) }
    return known
  }

  private static func list(_ folders: [OfferedFolder], for request: ServerRequest) throws(ProblemDocument)
    -> ServerResponse
  {
    let types = ["application/json", "text/html"]
    let type = try request.head.headerFields.preferredType(of: types)
    var response: ServerResponse
    if type == types[0] {
      let list = folders.map { Value.map(["name": .string($0.name), "path": .string($0.path)]) }
      response = ServerResponse(json: ["folders": .list(list)])
    } else {
      let text = folders.isEmpty ? "No folder is open." : "The folders:"
      var page = SmallPage(title: "notes-watch", text: text)
      page.links = folders.map { ("\($0.name.queryEncoded)/", $0.path) }
      response = page.response(.ok)
    }
    response.head.headerFields[.vary] = "Accept"
    return response
  }
}
