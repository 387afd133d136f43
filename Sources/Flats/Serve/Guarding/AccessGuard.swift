import HTTPTypes
import Values

/// Answers requests that may be made, and refuses the others. It also begins the sessions of browsers.
///
/// A request must be sent to one of the server's own origins, not by another site, and with the
/// token of programs or the cookie of a session.
package struct AccessGuard: Responder {
  private let next: any Responder
  private let rules: AccessRules
  private let tokens: AccessTokens

  package init(_ next: any Responder, rules: AccessRules, tokens: AccessTokens) {
    self.next = next
    self.rules = rules
    self.tokens = tokens
  }

  package func respond(to request: ServerRequest) async -> ServerResponse {
    var request = request
    do throws(ProblemDocument) {
      let origin = try rules.origin(of: request)
      if request.target.path == "/session" { return try begin(request, origin) }
      if let page = strayPage(request) { return page }
      try rules.checkSender(of: request)
      if request.target.path != "/health" { request.session = try checkAccess(of: request) }
      if request.target.path == "/session/url" { return try newURL(request, origin) }
      return await next.respond(to: request)
    } catch {
      return answer(error, to: request)
    }
  }

  /// Checks that the client may ask, and returns its session: that of all programs, or of all pages.
  private func checkAccess(of request: ServerRequest) throws(ProblemDocument) -> String {
    let words = request.head.headerFields[.authorization]?.split(separator: " ") ?? []
    let hasBearer =
      words.count == 2 && words[0].lowercased() == "bearer"
      && tokens.isBearer(String(words[1]))
    guard hasBearer || rules.cookies(of: request).contains(where: tokens.hasSession) else {
      throw ProblemDocument(
        .unauthorized,
        "The request needs a token. Programs send `Authorization: Bearer` with the token from the file that the server names when it "
          + "starts. For browsers, run this and open the address that it prints: \(rules.urlCommand)",
        members: ["command": .string(rules.urlCommand)], fields: [.wwwAuthenticate: "Bearer"])
    }
    try rules.checkChange(request, hasBearer: hasBearer)
    return hasBearer ? "programs" : "pages"
  }

  // MARK: Sessions

  private func begin(_ request: ServerRequest, _ origin: WebOrigin) throws(ProblemDocument) -> ServerResponse
  {
    guard request.head.method == .get else {
      throw ProblemDocument(.methodNotAllowed, "A session begins with GET.", fields: [.allow: "GET"])
    }
    // The page of `--open` is a file, which is another site. Any other use of a token is a page
    // that is opened, too.
    let isFromOtherSite = (try? rules.checkSender(of: request)) == nil
    if isFromOtherSite, !rules.isNavigation(request) { try rules.checkSender(of: request) }
    let place = try AccessGuard.place(try request.target.value("to") ?? "/")
    guard let token = try request.target.value("token"), tokens.consume(token) else {
      throw ProblemDocument(
        .unauthorized,
        "The token of this address has been used, or is older than a minute. For a new one, run: "
          + "\(rules.urlCommand)",
        code: "token", fields: [.wwwAuthenticate: "Bearer"])
    }
    let cookie =
      "\(rules.cookieName)=\(tokens.beginSession()); Path=/; HttpOnly; "
      + "SameSite=Strict\(origin.isSecure ? "; Secure" : "")"
    guard isFromOtherSite else { return ServerResponse(.seeOther, [.setCookie: cookie, .location: place]) }
    // Browsers send a strict cookie only with a navigation that a page of ours begins.
    var page = SmallPage(
      title: "notes-watch", text: "The list opens.", link: (place, "Open the list"), opensLink: true
    ).response(.ok)
    page.head.headerFields[.setCookie] = cookie
    return page
  }

  private func newURL(_ request: ServerRequest, _ origin: WebOrigin) throws(ProblemDocument) -> ServerResponse
  {
    guard request.head.method == .post else {
      throw ProblemDocument(.methodNotAllowed, "A new URL is made with POST.", fields: [.allow: "POST"])
    }
    let url = "\(rules.origins.first ?? origin)/session?token=\(tokens.makeOneTimeToken())"
    return ServerResponse(json: ["url": .string(url)])
  }

  /// Checks the place to which a session leads: a path of this server.
  private static func place(_ text: String) throws(ProblemDocument) -> String {
    let bytes = Array(text.utf8)
    let isPath = bytes.first == UInt8(ascii: "/") && (bytes.count < 2 || bytes[1] != UInt8(ascii: "/"))
    guard isPath, bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw ProblemDocument(
        .badRequest, "The parameter `to` is not a path of this server. It begins with one `/`.")
    }
    return text
  }

  // MARK: Pages

  /// Returns the page for a person who followed a link of another site. It links to the same page,
  /// since the browser left out the cookie.
  private func strayPage(_ request: ServerRequest) -> ServerResponse? {
    guard rules.isNavigation(request), ["/", "/plain"].contains(rules.path(of: request)),
      request.head.headerFields[.origin] == nil, (try? rules.checkSender(of: request)) == nil
    else { return nil }
    let link = request.head.path ?? "/"
    let text = "Another site led here. Confirm to follow its link."
    return SmallPage(
      title: "notes-watch", text: text, link: (link.hasPrefix("//") ? "/" : link, "Open the list")
    ).response(.forbidden)
  }

  /// Returns a problem as a page for people, or as a document for programs.
  private func answer(_ problem: ProblemDocument, to request: ServerRequest) -> ServerResponse {
    let isForPeople = request.head.headerFields[.accept]?.contains("text/html") == true
    guard isForPeople, problem.status == .unauthorized else { return problem.response }
    let text =
      problem.code == "token"
      ? "This address has already been used, or is older than a minute." : "The list needs a new address."
    let advice = "\(text) Open the one that this command prints:"
    var page = SmallPage(title: "notes-watch", text: advice, command: rules.urlCommand).response(
      problem.status)
    for field in problem.fields { page.head.headerFields.append(field) }
    return page
  }
}
