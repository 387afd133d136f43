import HTTPTypes
import Serve
import Synchronization
import Values

/// A guard in memory, with a route for everything.
///
/// One lock guards the number of answers. Nothing else is locked while it is held.
final class GuardedServer: Responder {
  static let bearer = "0123456789abcdef0123456789abcdef"
  let tokens: AccessTokens
  let clock: TestClock
  private let rules: AccessRules
  private let count = Mutex(0)

  init(origins: [WebOrigin] = [], isReadOnly: Bool = false) {
    let clock = TestClock()
    self.clock = clock
    tokens = AccessTokens(bearer: GuardedServer.bearer, now: { clock.now })
    rules = AccessRules(
      origins: origins + ["127.0.0.1", "localhost"].map { WebOrigin(host: $0, port: 7_747) }, port: 7_747,
      urlCommand: "notes-watch serve --url", isReadOnly: isReadOnly)
  }

  /// The number of requests that the guard let through.
  var answered: Int { count.withLock { $0 } }

  /// The field of a valid session.
  var cookie: (HTTPField.Name, String) { (.cookie, "other=1; notes-watch-7747=\(session)") }

  private var session: String { sessionCookie.withLock { $0 } }
  private let sessionCookie = Mutex("")

  func respond(to request: ServerRequest) async -> ServerResponse {
    count.withLock { $0 += 1 }
    return ServerResponse(type: "text/plain", Array("done".utf8))
  }

  /// Begins a session, so that `cookie` is valid.
  func begin() async throws {
    let answer = try await send(.get, "/session?token=\(tokens.makeOneTimeToken())")
    let cookie = answer.fields[.setCookie] ?? ""
    sessionCookie.withLock { $0 = String(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()) }
  }

  /// Sends a request.
  func send(
    _ method: HTTPRequest.Method, _ target: String, host: String? = "127.0.0.1:7747",
    _ fields: [(HTTPField.Name, String)] = []
  ) async throws -> Answer {
    var all = HTTPFields()
    for (name, value) in fields { all.append(HTTPField(name: name, value: value)) }
    let head = HTTPRequest(method: method, scheme: "http", authority: host, path: target, headerFields: all)
    return try Answer(
      await AccessGuard(self, rules: rules, tokens: tokens).respond(
        to: try ServerRequest(head, body: BytesBody())))
  }
}

/// A clock that a test sets. One lock guards the time.
final class TestClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
