import HTTPTypes
import Printing
import Store
import Streams
import Survey

extension Router {
  mutating func addItemRoutes(_ context: WebContext) {
    let service = ItemService(context)
    on(.get, "/items", service.list)
    on(.get, "/item", service.item)
    on(.get, "/item/source", service.source)
    on(.get, "/fields", service.fields)
    on(.get, "/problems", service.problems)
    on(.get, "/problem", service.problem)
    on(.post, "/items", service.post)
    on(.patch, "/item", service.patch)
    on(.put, "/item", service.put)
    on(.delete, "/item", service.delete)
    on(.put, "/item/source", service.putSource)
    on(.put, "/view", service.putView)
    on(.post, "/undo", service.undo)
  }
}

struct ItemService {
  let context: WebContext
  let memory: ItemMemory
  /// The key of the digests in the tags of lists: a client can't craft files whose list has the tag
  /// of another list.
  private let listKey = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

  init(_ context: WebContext) {
    self.context = context
    memory = ItemMemory(maxUndos: context.options.maxUndos)
  }

  var store: ItemStore { context.store }

  /// Reads or changes an item, new if `id` is nil, after the store has everything that was written before the
  /// request. `isLarge` is true if what the request sends, or takes back, is large.
  func settled(
    _ request: ServerRequest, for id: Item.ID?, isLarge: Bool = false,
    _ body: @escaping @Sendable () async throws(ProblemDocument) -> ServerResponse
  ) async throws(ProblemDocument) -> ServerResponse {
    try await context.items(for: id, isLarge: isLarge).run(request, settling: store, body)
  }

  /// The types of a list, the preferred one first.
  private static let listTypes = ["application/json", "application/jsonl", "text/csv"]

  func list(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    let type = try request.head.headerFields.preferredType(of: ItemService.listTypes)
    let condition = try TagCondition(.ifNoneMatch, in: request.head.headerFields)
    return try await context.queues.lists.run(request, settling: store) { () throws(ProblemDocument) in
      let view = try request.view(context)
      let state = store.currentState
      let snapshot = ListSnapshot<Item>(of: state, request: view.request)
      try request.target.parameters.checkQuotes(snapshot.unquotedStrings)
      let hints = snapshot.totalCount == 0 ? snapshot.hintTexts : snapshot.warnings.map(\.message)
      let tag = listTag(of: snapshot, total: state.items.count, hints, as: type)
      let fields: HTTPFields = [
        .contentType: ItemService.contentType(type), .eTag: "\(tag)", .vary: "Accept",
        .cacheControl: "no-cache",
      ]
      if let condition, condition.matchesWeakly(tag) { return ServerResponse(.notModified, fields) }
      return ServerResponse(
        .ok, fields, .pieces(ItemService.pieces(of: snapshot, total: state.items.count, hints, as: type)))
    }
  }

  private static func contentType(_ type: String) -> String {
    type == "text/csv" ? "text/csv; charset=utf-8; header=present" : type
  }

  private static func pieces(of snapshot: ListSnapshot<Item>, total: Int, _ hints: [String], as type: String)
    -> OutputPieces
  {
    switch type {
    case "application/jsonl":
      var encoder = StreamEncoder()
      return encoder.pieces(of: snapshot)
    case "text/csv": return DelimitedWriter(.csv, isTerminal: false).pieces(of: snapshot)
    default: return ItemListWriter.document(snapshot, total: total, hints: hints)
    }
  }

  /// Returns the tag of a list in one of its types. Linear.
  private func listTag(of snapshot: ListSnapshot<Item>, total: Int, _ hints: [String], as type: String)
    -> EntityTag
  {
    let digest = ContentDigest(of: snapshot, key: listKey).text
    let fields = snapshot.request.fields.map(\.description)
    let parts =
      [digest, type, "\(total)", "\(snapshot.totalCount)", "\(snapshot.request.section != nil)"] + fields
      + hints
    // The lines of the stream have a token, which differs each time.
    return EntityTag(
      opaque: ContentDigest(of: Array(parts.joined(separator: "\0").utf8)).text,
      isWeak: type == "application/jsonl")
  }

  func item(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try await reading(request) { current in ("application/json", current.json()) }
  }

  func source(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try await reading(request) { current in ("text/plain; charset=utf-8", current.text.bytes) }
  }

  private func reading(
    _ request: ServerRequest, _ body: @escaping @Sendable (CurrentItem) -> (type: String, bytes: [UInt8])
  ) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly(["id"])
    let id = Item.ID(printed: try request.needed("id"))
    let condition = try TagCondition(.ifNoneMatch, in: request.head.headerFields)
    return try await settled(request, for: id) { () throws(ProblemDocument) in
      let current = try CurrentItem(id, in: store)
      memory.remember(current)
      let tag = current.tag
      let fields: HTTPFields = [.eTag: "\(tag)", .cacheControl: "no-cache"]
      if let condition, condition.matchesWeakly(tag) { return ServerResponse(.notModified, fields) }
      let (type, bytes) = body(current)
      var response = ServerResponse(type: type, bytes)
      response.head.headerFields.append(contentsOf: fields)
      return response
    }
  }

  func problems(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly([])
    return try await context.queues.lists.run(request, settling: store) { () throws(ProblemDocument) in
      let problems = store.problems
      return ServerResponse(
        .ok, [.contentType: "application/json"], .pieces(ItemService.pieces(of: problems)))
    }
  }

  private static let problemsPerPiece = 500

  /// Returns `{"count":…,"problems":[{"path":…,"line":…,"column":…,"message":…}]}`.
  private static func pieces(of problems: [Problem]) -> OutputPieces {
    let count = max(1, (problems.count + problemsPerPiece - 1) / problemsPerPiece)
    return OutputPieces(count) { number in
      var writer = JSONWriter()
      if number == 0 {
        writer.raw("{\"count\":")
        writer.write(problems.count)
        writer.raw(",\"problems\":[")
      }
      for index in number * problemsPerPiece..<min(problems.count, (number + 1) * problemsPerPiece) {
        if index > 0 { writer.raw(",") }
        writer.write(problems[index].value)
      }
      if number == count - 1 { writer.raw("]}\n") }
      return writer.bytes
    }
  }

  func fields(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly([])
    return try await context.queues.lists.run(request, settling: store) { () throws(ProblemDocument) in
      let state = store.currentState
      // The tag is that of the views.
      let file = try? store.settingsFile()
      var document = store.fieldSurvey().document(
        file?.settings.keepingViews(of: state.settings) ?? state.settings)
      document["settings"] = file.map { .string("\($0.tag)") }
      return ServerResponse(json: document)
    }
  }
}

extension FieldSurvey {
  private static let maxReported = 200

  fileprivate func document(_ settings: Settings) -> Fields {
    let views = settings.views.sorted { $0.key < $1.key }.map { name, view in
      Value.map(["name": .string(name), "view": .map(view.written)])
    }
    return ["fields": .list(fields.prefix(FieldSurvey.maxReported).map(\.document)), "views": .list(views)]
  }
}

extension FieldSurvey.Field {
  fileprivate var document: Value {
    var document: Fields = ["path": .string(path.description), "types": .list(typeNames.map(Value.string))]
    if let kind { document["type"] = .string(kind.rawValue) }
    if let elementKind { document["elementType"] = .string(elementKind.rawValue) }
    if !values.isEmpty { document["values"] = .list(values) }
    return .map(document)
  }
}
