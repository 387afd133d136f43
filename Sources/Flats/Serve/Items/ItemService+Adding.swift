import HTTPTypes
import Store

extension ItemService {
  func post(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.checkMediaType()
    try request.target.allowOnly([])
    let body = try await request.object(context, ["id", "value", "format", "typed"])
    guard let id = body["id"]?.jsonString, !id.isEmpty else {
      throw .member("id", "`id` must be a string: the id of the new item, such as \"friends/ada\".")
    }
    guard case .map(let fields) = body["value"] ?? .map([:]) else {
      throw ProblemDocument(
        .unprocessableContent, "`value` must be an object: the fields of the item.", code: "wrong-type")
    }
    guard case .bool(let isTyped) = body["typed"] ?? .bool(false) else {
      throw .member("typed", "`typed` must be true or false.")
    }
    return try await insert(
      Item.ID(printed: id), fields, format: ItemService.format(body["format"]), isTyped: isTyped,
      whenExists: .conflict, request)
  }

  private static func format(_ value: Value?) throws(ProblemDocument) -> TextFormat? {
    guard let value else { return nil }
    switch value {
    case "yaml": return .yaml
    case "json": return .json
    case "markdown": return .markdown
    default:
      throw .member("format", "`format` must be \"yaml\", \"json\" or \"markdown\".")
    }
  }

  /// Adds an item. `isTyped` is true if a person typed the values: see `EditScope.insert(_:typed:format:)`.
  /// The answer has this `status` if there is an item with this id, or its file.
  func insert(
    _ id: Item.ID, _ fields: Fields, format: TextFormat?, isTyped: Bool = false,
    whenExists status: HTTPResponse.Status,
    _ request: ServerRequest
  ) async throws(ProblemDocument) -> ServerResponse {
    try await settled(request, for: nil, isLarge: Value.map(fields).isLarge) {
      () async throws(ProblemDocument) in
      var scope = EditScope()
      if isTyped {
        scope.insert(id, typed: fields, format: format)
      } else {
        scope.insert(id, fields: fields, format: format)
      }
      let outcome = try await save(scope)
      if let error = outcome.error {
        var problem = ProblemDocument(error)
        if error.code == .exists { problem.status = status }
        throw problem
      }
      let title = "addition of \(outcome.id)"
      var members: Fields = [:]
      members["undo"] = memory.addUndo(title, outcome).map(Value.string)
      members["undoes"] = .string(title)
      guard let text = outcome.newText, let path = outcome.path else {
        throw ProblemDocument(.internalServerError, "The new item has no text.")
      }
      let current = CurrentItem(outcome.id, at: path, text)
      memory.remember(current)
      let location = "\(request.prefix)/item?id=\(outcome.id.description.queryEncoded)"
      return ServerResponse(
        .created, [.contentType: "application/json", .location: location, .eTag: "\(current.tag)"],
        .bytes(current.json(members)))
    }
  }
}
