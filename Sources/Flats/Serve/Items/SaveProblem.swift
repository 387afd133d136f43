import HTTPTypes
import Store

extension ProblemDocument {
  init(_ error: EditError) {
    var members: Fields = ["id": .string(error.id.description)]
    members["path"] = (error.path?.description).map(Value.string)
    // Other errors without a place have the first one.
    if error.code == .unreadable || error.line > 1 || error.column > 1 {
      members["line"] = .integer(error.line)
      members["column"] = .integer(error.column)
    }
    members["field"] = (error.refusal?.path).map(Value.string)
    let (status, code) = ProblemDocument.kind(of: error)
    self.init(
      status, error.message, code: code, members: members,
      fields: status == .serviceUnavailable ? [.retryAfter: "1"] : [:])
  }

  /// Nothing is known of any item now, because the folder is missing or cannot be read.
  init(folder problem: Problem) {
    self = .unavailable(
      "\(problem.message) Nothing is known of its items until it is back.", code: "folder")
  }

  init(_ error: StoreError) {
    self = .unavailable("The folder cannot be written now: \(error)", code: "folder")
  }

  private static func kind(of error: EditError) -> (HTTPResponse.Status, String) {
    switch error.code {
    case .invalidID: (.unprocessableContent, "invalid-id")
    case .notFound: (.notFound, "unknown-item")
    case .exists: (.conflict, "exists")
    case .ambiguous: (.conflict, "ambiguous-id")
    case .unreadable: (.unprocessableContent, "unreadable")
    case .refused, .invalid: (.unprocessableContent, "refused")
    case .conflict: (.preconditionFailed, "stale")
    case .busy: (.serviceUnavailable, "busy")
    case .permissionDenied, .readOnly: (.forbidden, "not-writable")
    case .noSpace: (HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "no-space")
    default: (.internalServerError, "system")
    }
  }
}
