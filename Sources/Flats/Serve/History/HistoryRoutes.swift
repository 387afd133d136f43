import Git
import HTTPTypes
import Printing
import Store
import Streams

extension Router {
  mutating func addHistoryRoutes(_ context: WebContext) {
    on(.get, "/diff", context.diff)
    on(.get, "/item/log", context.log)
  }
}

/// Answers requests for the history, which git reads.
extension WebContext {
  private static let maxNameLength = 1_000
  /// The types of the answers, the preferred one first.
  private static let historyTypes = ["application/json", "application/jsonl"]

  fileprivate func diff(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    let type = try request.head.headerFields.preferredType(of: WebContext.historyTypes)
    let parameters = try ViewParameters(request.target, others: ["from", "to"])
    let view = parameters.over(base).resolver()
    let range = try WebContext.range(request.target)
    return try await running(request) { [self] in
      let diff = try RevisionDiff(of: path, range, options: store.options) {
        settings throws(SettingsError) in
        try view(settings).request
      }
      try request.target.parameters.checkQuotes(diff.unquotedStrings)
      let pieces = WebContext.pieces(
        of: diff, root: name, view: try view(diff.settings).written,
        isDocument: type == "application/json")
      return ServerResponse(.ok, [.contentType: type, .vary: "Accept"], .pieces(pieces))
    }
  }

  /// Returns the changes as `notes-watch diff -o jsonl` prints them, or as one document:
  /// `{"hello":…,"update":…,"problems":[…]}`, with null if the list did not change.
  private static func pieces(of diff: RevisionDiff, root: String, view: Fields, isDocument: Bool)
    -> OutputPieces
  {
    var encoder = StreamEncoder()
    let hello = encoder.hello(root: root, view: view, from: diff.from.written, to: diff.to.written)
    let time = diff.to.revision?.time ?? WallClock.now()
    let update = diff.update.map { encoder.pieces(of: $0, time: time) }
    let problems = diff.problems.map { StreamEncoder.problem($0) }
    guard isDocument else {
      let end = Array(problems.joined())
      return update.map { $0.between(hello, and: end) } ?? OutputPieces(hello + end)
    }
    let start = Array("{\"hello\":".utf8) + hello.dropLast() + Array(",\"update\":".utf8)
    let list = problems.map { Array($0.dropLast()) }.joined(separator: [UInt8(ascii: ",")])
    let end = Array(",\"problems\":[".utf8) + list + Array("]}\n".utf8)
    return update.map { $0.between(start, and: end) } ?? OutputPieces(start + Array("null".utf8) + end)
  }

  /// Returns the two states that a target names: `HEAD` and the work tree if it names none.
  private static func range(_ target: RequestTarget) throws(ProblemDocument) -> RevisionRange {
    let from = try target.value("from")
    let to = try target.value("to")
    for (parameter, name) in [("from", from), ("to", to)] {
      guard let name else { continue }
      // No name of a revision begins with a dash, so an option of git never looks like one.
      guard !name.isEmpty, name.utf8.first != UInt8(ascii: "-"), name.utf8.count <= maxNameLength,
        !name.utf8.contains(0x0A)
      else {
        throw .parameter(
          parameter,
          "\(parameter): expected a revision, such as HEAD~3, v1.2 or main, found `\(name.prefix(100))`.")
      }
    }
    do throws(GitError) {
      return try RevisionRange(to.map { [from ?? "HEAD", $0] } ?? from.map { [$0] } ?? [])
    } catch {
      throw ProblemDocument(error)
    }
  }

  fileprivate func log(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    let type = try request.head.headerFields.preferredType(of: WebContext.historyTypes)
    try request.target.allowOnly(["id", "limit", "fields"])
    let id = Item.ID(printed: try request.needed("id"))
    let (limit, fields) = try ItemLog.parameters(of: request.target)
    return try await running(request) { [self] in
      let log = try ItemLog(of: id, in: self, limit: limit, showing: fields)
      return ServerResponse(type: type, type == "application/json" ? log.document : log.lines)
    }
  }

  private func running(
    _ request: ServerRequest, _ body: @escaping @Sendable () async throws -> ServerResponse
  ) async throws(ProblemDocument) -> ServerResponse {
    try await queues.history.run(request, settling: store) {
      () async throws(ProblemDocument) -> ServerResponse in
      do {
        return try await body()
      } catch let error as ProblemDocument {
        throw error
      } catch let error as GitError {
        throw ProblemDocument(error)
      } catch let error as SettingsError {
        throw ProblemDocument.unknownView(error)
      } catch let error as StoreError {
        throw ProblemDocument(error)
      } catch {
        throw ProblemDocument(.internalServerError, "Cannot read the history: \(error)", code: "system")
      }
    }
  }
}

extension ProblemDocument {
  init(_ error: GitError) {
    let (status, code): (HTTPResponse.Status, String) =
      switch error.code {
      case .missing: (.conflict, "no-git")
      case .noRepository: (.notFound, "no-repository")
      case .unknownRevision: (.notFound, "unknown-revision")
      case .usage: (.badRequest, "revisions")
      case .denied: (.forbidden, "denied")
      case .damaged, .badSettings: (.conflict, "unreadable")
      case .timedOut: (.serviceUnavailable, "busy")
      case .failed: (.conflict, "git")
      }
    self.init(status, error.description, code: code)
  }
}
