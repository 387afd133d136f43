package import HTTPTypes
package import Values

/// The description of an error for the client, as RFC 9457 has it.
package struct ProblemDocument: Error, Hashable, CustomStringConvertible {
  package var status: HTTPResponse.Status
  /// One or two sentences: where, what and what to do.
  package var detail: String
  /// A word that distinguishes problems with the same status for programs, such as `stale`; nil if
  /// the status says it all. It is the end of the document's `type`.
  package var code: String?
  package var members: Fields
  package var fields: HTTPFields

  package init(
    _ status: HTTPResponse.Status, _ detail: String, code: String? = nil, members: Fields = [:],
    fields: HTTPFields = [:]
  ) {
    self.status = status
    self.detail = detail
    self.code = code
    self.members = members
    self.fields = fields
  }

  package var description: String { "\(status.code) \(detail)" }

  static func parameter(_ name: String, _ detail: String) -> ProblemDocument {
    ProblemDocument(.badRequest, detail, members: ["parameter": .string(name)])
  }

  static func member(_ name: String, _ detail: String) -> ProblemDocument {
    ProblemDocument(.badRequest, detail, members: ["member": .string(name)])
  }

  /// The problem of a text that is not JSON. `start` comes before the place of the mistake.
  static func json(_ start: String, _ error: TextError, code: String? = nil) -> ProblemDocument {
    ProblemDocument(
      .badRequest, "\(start): line \(error.line), column \(error.column): \(error.message)", code: code,
      members: ["line": .integer(error.line), "column": .integer(error.column)])
  }

  /// The problem of something that is possible later, after a pause in seconds.
  package static func unavailable(_ detail: String, code: String? = "busy", after pause: Int = 1)
    -> ProblemDocument
  {
    ProblemDocument(.serviceUnavailable, detail, code: code, fields: [.retryAfter: "\(pause)"])
  }

  package static func tooLarge(limit: Int) -> ProblemDocument {
    ProblemDocument(.contentTooLarge, "The body is larger than \(limit) bytes, the limit of this route.")
  }

  package var response: ServerResponse {
    var document: Fields = [:]
    document["type"] = .string(code.map { "urn:notes-watch:problem:\($0)" } ?? "about:blank")
    document["title"] = .string(status.reasonPhrase)
    document["status"] = .integer(status.code)
    document["detail"] = .string(detail)
    document = document.merging(members)
    var response = ServerResponse(
      status, type: "application/problem+json", Array("\(JSONWriter.text(of: .map(document)))\n".utf8))
    for field in fields { response.head.headerFields.append(field) }
    return response
  }
}
