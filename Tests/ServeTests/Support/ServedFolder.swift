import HTTPTypes
import Store
import Streams
import TestSupport
import Testing
import Values

@testable import Serve

/// A temporary folder that a web server in memory serves.
struct ServedFolder {
  let folder: TemporaryFolder
  let store: ItemStore
  let context: WebContext
  let server: WebServer
  /// The description that the server gives of itself.
  private let description: Value

  /// Creates a folder with files and serves it.
  ///
  /// - Parameters:
  ///   - files: The texts of the files by their paths.
  ///   - watching: True to follow changes; false to read the folder again for each request.
  ///   - options: The limits of the server.
  init(
    _ files: [String: String], watching: Bool = false, options: WebOptions = WebOptions(),
    base: ViewParameters = ViewParameters()
  ) async throws {
    folder = try TemporaryFolder(files)
    store = try await ItemStore.open(folder.path, watching: watching)
    context = WebContext(path: folder.path, name: "notes", store: store, base: base, options: options)
    server = WebServer(context)
    description = try await ServedFolder.answer(.get, "/openapi.json", [:], "", of: server).json
  }

  /// Serves the folder of another server again, as after a restart.
  init(again served: ServedFolder, options: WebOptions = WebOptions()) {
    (folder, store, description) = (served.folder, served.store, served.description)
    context = WebContext(path: folder.path, name: "notes", store: store, options: options)
    server = WebServer(context)
  }

  /// Sends a request and reads the complete answer, whose status must be documented.
  func send(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields = [:], _ body: String = ""
  ) async throws -> Answer {
    let answer = try await ServedFolder.answer(method, target, fields, body, of: server)
    let path = String(target.prefix { $0 != "?" })
    if let operation = description["paths"]?[path]?[method.rawValue.lowercased()] {
      #expect(
        operation["responses"]?["\(answer.status)"] != nil, "\(method) \(path) answers \(answer.status)")
    }
    return answer
  }

  private static func answer(
    _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: String, of server: WebServer
  ) async throws -> Answer {
    let head = HTTPRequest(
      method: method, scheme: "http", authority: "127.0.0.1:1", path: target, headerFields: fields)
    let request: ServerRequest
    do throws(ProblemDocument) {
      request = try ServerRequest(head, body: BytesBody(Array(body.utf8)))
    } catch {
      return try Answer(error.response)
    }
    return try Answer(await server.respond(to: request))
  }

  /// Sends a GET request.
  func get(_ target: String, _ fields: HTTPFields = [:]) async throws -> Answer {
    try await send(.get, target, fields)
  }

  /// Returns the current tag of an item.
  func tag(_ id: String) async throws -> String { try await get("/item?id=\(id)").tag }

  /// Returns the text of a file.
  func text(_ name: String) throws -> String { String(decoding: try folder.bytes(of: name), as: UTF8.self) }
}

/// An answer in memory.
struct Answer {
  /// Thrown for a body that cannot be collected.
  struct IsStream: Error {}

  let status: Int
  let fields: HTTPFields
  let bytes: [UInt8]

  init(_ response: ServerResponse) throws {
    status = response.head.status.code
    fields = response.head.headerFields
    switch response.body {
    case .bytes(let bytes): self.bytes = bytes
    case .pieces(let pieces): bytes = (0..<pieces.count).flatMap { pieces[$0] }
    case .stream: throw IsStream()
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var type: String { fields[.contentType] ?? "" }
  var tag: String { fields[.eTag] ?? "" }

  /// The body as JSON; null if it is none.
  var json: Value { (try? PackedValue(reading: bytes, as: .json).value) ?? .null }

  /// The end of the problem's type.
  var problem: String { (json["type"]?.text ?? "").split(separator: ":").last.map(String.init) ?? "" }
}

/// A body that is in memory, of a client that stays.
struct BytesBody: RequestBody {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  var isClientGone: Bool { false }

  func read(upTo limit: Int) async throws(ProblemDocument) -> [UInt8] {
    if bytes.count > limit { throw .tooLarge(limit: limit) }
    return bytes
  }
}
