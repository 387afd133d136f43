import Glibc
import Synchronization

/// The secrets of one server: the token of programs, the tokens that begin a session, and the
/// sessions of browsers. Each browser has its own cookie; only its digest is kept.
///
/// In memory a session ends by a clock that nobody sets. The file has the time of day, so that a
/// wrong clock cannot make a session longer than `sessionLifetime` after a restart.
package final class AccessTokens: Sendable {
  package let bearer: String

  private struct OneTimeToken {
    let text: String
    let deadline: ContinuousClock.Instant
    let onUse: @Sendable () -> Void
  }

  private struct Session {
    let digest: String
    let end: ContinuousClock.Instant
  }

  private struct State {
    var waiting: [OneTimeToken] = []
    var sessions: [Session]
  }

  /// The time in which a one-time token can be used.
  package static let lifetime = Duration.seconds(60)
  /// The time after which a browser needs a new address.
  static let sessionLifetime = Duration.seconds(30 * 24 * 60 * 60)
  /// The largest number of one-time tokens. A further one replaces the oldest.
  private static let maxWaiting = 32
  /// The largest number of sessions. A further one ends the oldest.
  static let maxSessions = 256

  /// Lock: guards the one-time tokens and the sessions of browsers. Nothing else is locked under it.
  private let state: Mutex<State>
  /// Lock: guards the order in which the sessions are written, so that the newest are written last.
  /// Their file is written, and `state` is locked, under it.
  private let saving = Mutex(())
  private let file: SessionFile?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let timeOfDay: @Sendable () -> Int64
  private let warn: @Sendable (String) -> Void

  /// Reads the sessions of the run before. Without a `file` they end with the process. `timeOfDay` counts
  /// seconds since 1970. `warn` gets a sentence if the file cannot be used.
  package init(
    bearer: String, sessions file: SessionFile? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    timeOfDay: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.bearer = bearer
    self.file = file
    self.now = now
    self.timeOfDay = timeOfDay
    self.warn = warn
    var entries: [SessionFile.Entry] = []
    do throws(HTTPServerError) {
      entries = try file?.read() ?? []
    } catch {
      warn("\(error) Browsers need a new address.")
    }
    let start = now()
    let seconds = timeOfDay()
    let sessions = entries.suffix(AccessTokens.maxSessions).compactMap { entry -> Session? in
      let (left, isTooLong) = entry.end.subtractingReportingOverflow(seconds)
      guard !isTooLong, left > 0 else { return nil }
      return Session(digest: entry.digest, end: start + min(.seconds(left), AccessTokens.sessionLifetime))
    }
    state = Mutex(State(sessions: sessions))
  }

  /// Returns 128 random bits as 32 hexadecimal digits.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  func isBearer(_ text: String) -> Bool { AccessTokens.isEqual(text, to: bearer) }

  /// Compares secrets. The time does not depend on where they differ.
  private static func isEqual(_ text: String, to secret: String) -> Bool {
    let left = Array(text.utf8)
    let right = Array(secret.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: One-time tokens

  /// Makes a token that begins one session. `onUse` is called when it was used.
  package func makeOneTimeToken(onUse: @escaping @Sendable () -> Void = {}) -> String {
    let token = OneTimeToken(
      text: AccessTokens.random(), deadline: now() + AccessTokens.lifetime, onUse: onUse)
    state.withLock { state in
      if state.waiting.count >= AccessTokens.maxWaiting { state.waiting.removeFirst() }
      state.waiting.append(token)
    }
    return token.text
  }

  /// Uses a token. Returns true if it is valid; it is not valid again.
  func consume(_ text: String) -> Bool {
    let time = now()
    let used: OneTimeToken? = state.withLock { state in
      state.waiting.removeAll { $0.deadline < time }
      let place = state.waiting.firstIndex { AccessTokens.isEqual(text, to: $0.text) }
      return place.map { state.waiting.remove(at: $0) }
    }
    used?.onUse()
    return used != nil
  }

  // MARK: Sessions

  /// Begins a session, and returns its cookie. If the session cannot be saved, it ends with the
  /// process. Blocks while the file is written.
  func beginSession() -> String {
    let cookie = AccessTokens.random()
    let start = now()
    let session = Session(
      digest: AccessTokens.digest(of: cookie), end: start + AccessTokens.sessionLifetime)
    state.withLock { state in
      state.sessions.removeAll { $0.end <= start }
      if state.sessions.count >= AccessTokens.maxSessions { state.sessions.removeFirst() }
      state.sessions.append(session)
    }
    saveSessions()
    return cookie
  }

  func hasSession(_ cookie: String) -> Bool {
    let digest = AccessTokens.digest(of: cookie)
    let time = now()
    return state.withLock { $0.sessions.contains { $0.digest == digest && $0.end > time } }
  }

  private func saveSessions() {
    guard let file else { return }
    saving.withLock { _ in
      let start = now()
      let seconds = timeOfDay()
      let entries = state.withLock(\.sessions).map {
        SessionFile.Entry(digest: $0.digest, end: seconds + start.duration(to: $0.end).components.seconds)
      }
      do throws(HTTPServerError) {
        try file.write(entries)
      } catch {
        warn("\(error) After a restart of the server, this browser needs a new address.")
      }
    }
  }

  private static func digest(of cookie: String) -> String {
    SHA256.digest(of: Array("session \(cookie)".utf8))
  }
}
