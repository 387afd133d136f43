/// The description of the interface for programs, as OpenAPI 3.1.
///
/// The parts are JSON that is kept by hand. A test compares its routes with the router, and each
/// test of a route compares the status of the answer with the description.
enum OpenAPI {
  /// The document.
  static let text = """
    {"openapi":"3.1.0",
    "info":{"title":"notes-watch","version":"1","license":{"name":"Apache 2.0","identifier":"Apache-2.0"},
    "description":"A folder of plain-text items as a live list. docs/http.md has examples."},
    "security":[{"bearer":[]},{"cookie":[]}],
    "paths":{\([itemPaths, changePaths, historyPaths, streamPaths, serverPaths, pagePaths].joined(separator: ",\n"))},
    "components":{\([parameters, schemas, responses, securitySchemes].joined(separator: ",\n"))}}

    """

  /// Returns the members of the responses that are problems: those of each route, and others.
  ///
  /// Each request can be refused because of its form (400), its sender (401, 403, 421), its pace
  /// (408) or its number (503).
  ///
  /// - Parameters:
  ///   - statuses: The other ones.
  ///   - left: A status that the route describes itself.
  static func problems(_ statuses: Int..., without left: Int? = nil) -> String {
    let all = Set(statuses).union([400, 401, 403, 408, 421, 503]).subtracting([left].compactMap { $0 })
    return all.sorted().map { "\"\($0)\":{\"$ref\":\"#/components/responses/\($0)\"}" }.joined(separator: ",")
  }

  /// Returns a body or an answer of some types with one schema.
  static func content(_ schema: String, _ types: String...) -> String {
    let types = types.map { "\"\($0)\":{\"schema\":{\"$ref\":\"#/components/schemas/\(schema)\"}}" }
    return "\"content\":{\(types.joined(separator: ","))}"
  }

  /// Returns references to parameters.
  static func uses(_ names: String...) -> String {
    "\"parameters\":[\(names.map { "{\"$ref\":\"#/components/parameters/\($0)\"}" }.joined(separator: ","))]"
  }

  /// The parameters that describe a view, for `uses`.
  static let view = ViewParameters.names.map { "{\"$ref\":\"#/components/parameters/\($0)\"}" }.joined(separator: ",")

  /// The header field of an answer that has a tag.
  static let tag = "\"headers\":{\"ETag\":{\"description\":\"The version.\",\"schema\":{\"type\":\"string\"}}}"
}
