import HTTPTypes

/// The rules that decide which requests a server answers. They depend on the request alone, not on
/// secrets or the time.
package struct AccessRules {
  package let origins: [WebOrigin]
  /// The name of the cookie, which has the port, since browsers send cookies to all ports.
  let cookieName: String
  /// The words that print a new URL of the server.
  package let urlCommand: String
  private let isReadOnly: Bool
  /// True if the server has several folders, each below its name.
  private let hasFolders: Bool

  /// The routes that are `POST` and change no file.
  private static let harmless: Set<String> = ["/stream/views", "/session/url"]
  private static let mediaTypes: Set<String> = ["application/json", ItemChange.mergePatch]
  /// Names of fields that HTTPTypes does not have.
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!  // A constant, and a valid name.
  private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")!  // A constant, and a valid name.

  package init(
    origins: [WebOrigin], port: Int, urlCommand: String, isReadOnly: Bool, hasFolders: Bool = false
  ) {
    self.hasFolders = hasFolders
    self.origins = origins
    self.urlCommand = urlCommand
    self.isReadOnly = isReadOnly
    cookieName = "notes-watch-\(port)"
  }

  /// The origin to which a request was sent: 421 if it is none of the server. The name in the address bar may
  /// belong to another site, which made it lead to this machine.
  func origin(of request: ServerRequest) throws(ProblemDocument) -> WebOrigin {
    let host = request.head.authority?.lowercased() ?? ""
    if let origin = origins.first(where: { $0.hasHost(host) }) { return origin }
    throw ProblemDocument(
      .misdirectedRequest,
      "The server is not `\(host)`, but \(origins.map(\.authority).joined(separator: ", ")).", code: "host")
  }

  /// Refuses a request that another site sent (403).
  func checkSender(of request: ServerRequest) throws(ProblemDocument) {
    let fields = request.head.headerFields
    for origin in fields[values: .origin] where !origins.contains(where: { $0.description == origin }) {
      throw ProblemDocument(
        .forbidden, "The request comes from a page of `\(origin)`, which may not use this server.",
        code: "origin")
    }
    for site in fields[values: AccessRules.fetchSite] where !["same-origin", "none"].contains(site) {
      throw ProblemDocument(
        .forbidden, "The request comes from another site (\(site)). Open the page itself.", code: "cross-site"
      )
    }
  }

  func path(of request: ServerRequest) -> String {
    hasFolders ? request.target.folder?.path ?? request.target.path : request.target.path
  }

  /// True if a browser opens the target of a request as a page.
  func isNavigation(_ request: ServerRequest) -> Bool {
    request.head.method == .get && request.head.headerFields[AccessRules.fetchMode] == "navigate"
  }

  /// Checks a request that may change something: 403 if the server is read-only, or a page does not say which
  /// it is; 415 if the body is not JSON.
  func checkChange(_ request: ServerRequest, hasBearer: Bool) throws(ProblemDocument) {
    let method = request.head.method
    let fields = request.head.headerFields
    if [.get, .head].contains(method) { return }
    if !hasBearer, fields[.origin] == nil {
      throw ProblemDocument(
        .forbidden, "A change with a cookie needs the field Origin. Programs send a bearer token.",
        code: "origin")
    }
    if isReadOnly, AccessRules.harmless.isDisjoint(with: [request.target.path, path(of: request)]) {
      throw ProblemDocument(
        .forbidden, "The server was started with --read-only, so it changes no files.", code: "read-only")
    }
    // Methods without a body are left to the routes.
    guard [.post, .put, .patch].contains(method) || fields[.contentType] != nil else { return }
    let type =
      fields[.contentType]?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } } ?? ""
    guard AccessRules.mediaTypes.contains(type) else {
      let found = type.isEmpty ? "no type" : "the type `\(type)`"
      throw ProblemDocument(
        .unsupportedMediaType,
        "The body has \(found). Send JSON, as "
          + "\(method == .patch ? ItemChange.mergePatch : "application/json").",
        fields: method == .patch ? [.acceptPatch: ItemChange.mergePatch] : [:])
    }
  }

  func cookies(of request: ServerRequest) -> [String] {
    request.head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let sides = pair.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0].filter({ $0 != " " }) == cookieName
        ? String(sides[1].filter { $0 != " " }) : nil
    }
  }
}
