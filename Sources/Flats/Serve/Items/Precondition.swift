import HTTPTypes
import Store
import Values

/// The condition of a change.
enum Precondition: Sendable {
  /// The item is as one of these versions (`If-Match`).
  case unchanged(TagCondition)
  /// The item does not exist (`If-None-Match: *`).
  case absent

  /// Reads the condition of a request.
  ///
  /// - Parameter mayCreate: True if the route also creates items.
  /// - Throws: `ProblemDocument`: 428 if there is none, 400 if it is malformed.
  init(_ request: ServerRequest, id: Item.ID, mayCreate: Bool) throws(ProblemDocument) {
    let fields = request.head.headerFields
    let (match, none) = (try TagCondition(.ifMatch, in: fields), try TagCondition(.ifNoneMatch, in: fields))
    switch (match, none) {
    case (let match?, nil): self = .unchanged(match)
    case (nil, .any?) where mayCreate: self = .absent
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
}
