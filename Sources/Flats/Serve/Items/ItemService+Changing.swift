import HTTPTypes
import Store

extension ItemService {
  /// How often a change is retried when other programs change the file at the same moment.
  private static let maxAttempts = 10

  func patch(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType(ItemChange.mergePatch)
    let (id, condition) = try target(of: request)
    let body = try await request.json(context)
    return try await change(
      id, .merge(ItemService.fields(of: body)), condition, isLarge: body.isLarge, request)
  }

  /// Answers `PUT /item`: the fields of an item, which may be new.
  func put(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType()
    try request.target.allowOnly(["id"])
    let id = Item.ID(printed: try request.needed("id"))
    let precondition = try precondition(of: request, id, mayCreate: true)
    let fields = try ItemService.fields(of: try await request.json(context))
    guard let condition = precondition else {
      return try await insert(id, fields, format: nil, whenExists: .preconditionFailed, request)
    }
    do throws(ProblemDocument) {
      return try await change(
        id, .fields(fields), condition, isLarge: Value.map(fields).isLarge, request)
    } catch {
      guard error.code == "unknown-item" else { throw error }
      throw ProblemDocument(
        .preconditionFailed, "\(error.detail) To create it, send If-None-Match: *.", code: error.code,
        members: error.members)
    }
  }

  /// Answers `PUT /item/source`: the complete text of an item's file.
  func putSource(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType()
    let (id, condition) = try target(of: request)
    let body = try await request.object(context, ["source"])
    guard let source = body["source"]?.jsonString else {
      throw .member("source", "`source` must be a string: the complete text of the file.")
    }
    return try await change(
      id, .source(Array(source.utf8)), condition, isLarge: Value.string(source).isLarge, request)
  }

  /// Answers `DELETE /item`. It deletes the version that `If-Match` names, or the one that a row of
  /// a window shows.
  func delete(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    guard let revision = try request.target.value("revision") else {
      let (id, condition) = try target(of: request)
      return try await change(id, .delete, condition, request)
    }
    try request.target.allowOnly(["id", "revision"])
    let id = Item.ID(printed: try request.needed("id"))
    let fields = request.head.headerFields
    guard fields[.ifNoneMatch] == nil else {
      throw ProblemDocument(
        .badRequest,
        "The conditions of this request do not fit together. Send `revision` without If-None-Match.")
    }
    let condition = try TagCondition(.ifMatch, in: fields) ?? .any
    return try await change(id, .delete, condition, revision: revision, request)
  }

  private func target(of request: ServerRequest) throws(ProblemDocument) -> (
    id: Item.ID, condition: TagCondition
  ) {
    try request.target.allowOnly(["id"])
    let id = Item.ID(printed: try request.needed("id"))
    return (id, try precondition(of: request, id) ?? .tags([]))
  }

  /// The versions on which a change is based (`If-Match`); nil if the item must not exist yet, which a client
  /// asks for with `If-None-Match: *` where the route `mayCreate` items. 428 if there is no condition, 400 if
  /// it is malformed.
  private func precondition(of request: ServerRequest, _ id: Item.ID, mayCreate: Bool = false)
    throws(ProblemDocument) -> TagCondition?
  {
    let fields = request.head.headerFields
    let match = try TagCondition(.ifMatch, in: fields)
    let none = try TagCondition(.ifNoneMatch, in: fields)
    switch (match, none) {
    case (let match?, nil): return match
    case (nil, .any?) where mayCreate: return nil
    case (nil, nil):
      let create = mayCreate ? " To create the item, send If-None-Match: *." : ""
      throw ProblemDocument(
        .preconditionRequired,
        "Say which version this change is based on: send If-Match with the ETag of GET /item?id=\(id.item.description.queryEncoded)."
          + create,
        code: "precondition-required")
    default:
      let create = mayCreate ? "either If-Match, or If-None-Match: * to create the item" : "If-Match alone"
      throw ProblemDocument(
        .badRequest, "The conditions of this request do not fit together. Send \(create).")
    }
  }

  /// The fields that a body has: 422 if it is not an object.
  private static func fields(of body: Value) throws(ProblemDocument) -> Fields {
    if case .map(let fields) = body { return fields }
    throw ProblemDocument(
      .unprocessableContent, "An item is a map. Send an object with its fields.", code: "wrong-type")
  }

  /// Changes an item if it is still as the client last saw it. `revision` is the version that a row of the
  /// client shows; nil if it does not matter.
  private func change(
    _ id: Item.ID, _ change: ItemChange, _ condition: TagCondition, revision: String? = nil,
    isLarge: Bool = false,
    _ request: ServerRequest
  ) async throws(ProblemDocument) -> ServerResponse {
    let prefersMerge = request.prefersMerge
    return try await settled(request, for: id, isLarge: isLarge) { () async throws(ProblemDocument) in
      for _ in 0..<ItemService.maxAttempts {
        let current = try CurrentItem(id, in: store)
        if let revision, !current.has(revision) {
          memory.remember(current)
          throw current.conflict(with: change, basedOn: nil)
        }
        let step = try next(change, of: current, condition, prefersMerge: prefersMerge)
        let outcome = try await save(step.scope)
        guard let error = outcome.error else {
          memory.remember(current)
          return response(to: outcome, of: current, change, isMerged: step.isMerged)
        }
        // Another program changed the file after it was read here: the new version decides.
        guard error.code == .conflict else { throw ProblemDocument(error) }
      }
      throw .unavailable("Other programs keep changing the item `\(id)`. Nothing was written. Try again.")
    }
  }

  /// The save of a change to a version of the item. 412 if the client does not know this version, and the
  /// change is not to be merged or cannot be.
  private func next(
    _ change: ItemChange, of current: CurrentItem, _ condition: TagCondition, prefersMerge: Bool
  ) throws(ProblemDocument) -> (scope: EditScope, isMerged: Bool) {
    if condition.matches(version: current.version) { return (try current.scope(change), false) }
    let base = memory.text(of: current.item.id, condition)
    if prefersMerge, let base, let scope = try current.scope(merging: change, basedOn: base) {
      return (scope, true)
    }
    memory.remember(current)
    throw current.conflict(with: change, basedOn: base)
  }

  func save(_ scope: EditScope) async throws(ProblemDocument) -> SaveOutcome {
    let report: SaveReport
    do throws(StoreError) {
      report = try await store.saveEach(scope, policy: .error)
    } catch {
      throw ProblemDocument(error)
    }
    guard let outcome = report.outcomes.first else {
      throw ProblemDocument(.internalServerError, "The save has no outcome.")
    }
    return outcome
  }

  private func response(to outcome: SaveOutcome, of old: CurrentItem, _ change: ItemChange, isMerged: Bool)
    -> ServerResponse
  {
    let title = "\(change.noun) of \(old.item.id)"
    var members: Fields = [:]
    if let token = memory.addUndo(title, outcome) {
      members["undo"] = .string(token)
      members["undoes"] = .string(title)
    }
    if !outcome.warnings.isEmpty { members["warnings"] = .list(outcome.warnings.map(Value.string)) }
    if case .delete = change {
      return ServerResponse(json: members)
    }
    let current =
      outcome.newText.map { CurrentItem(outcome.newID, at: outcome.path ?? old.item.path, $0) } ?? old
    memory.remember(current)
    var response = ServerResponse(type: "application/json", current.json(members))
    response.head.headerFields[.eTag] = "\(current.tag)"
    if isMerged { response.head.headerFields[.preferenceApplied] = "merge" }
    return response
  }
}
