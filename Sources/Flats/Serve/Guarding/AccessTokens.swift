import Synchronization

/// The secrets of one server: of its programs, its sessions, and the tokens that begin a session.
///
/// One lock guards the tokens that were not used yet. Nothing else is locked while it is held.
package final class AccessTokens: Sendable {
  /// The token of programs.
  package let bearer: String
  /// The sessions of browsers.
  let sessions: BrowserSessions
  private let now: @Sendable () -> ContinuousClock.Instant
  /// Lock: guards the one-time tokens that were not used yet.
  private let waiting = Mutex<[OneTimeToken]>([])

  /// A token that begins one session.
  private struct OneTimeToken {
    let text: String
    let deadline: ContinuousClock.Instant
    let onUse: @Sendable () -> Void
  }

  /// The time in which a one-time token can be used.
  package static let lifetime = Duration.seconds(60)
  /// The largest number of one-time tokens. A further one replaces the oldest.
  private static let maxWaiting = 32

  /// - Parameters:
  ///   - bearer: The token of programs.
  ///   - sessions: The sessions of browsers.
  ///   - now: The current time.
  package init(
    bearer: String, sessions: BrowserSessions = BrowserSessions(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.bearer, self.sessions, self.now) = (bearer, sessions, now)
  }

  /// Returns 128 random bits as 32 hexadecimal digits.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Makes a token that begins one session.
  ///
  /// - Parameter onUse: Called when it was used.
  package func makeOneTimeToken(onUse: @escaping @Sendable () -> Void = {}) -> String {
    let token = OneTimeToken(
      text: AccessTokens.random(), deadline: now() + AccessTokens.lifetime, onUse: onUse)
    waiting.withLock { waiting in
      if waiting.count >= AccessTokens.maxWaiting { waiting.removeFirst() }
      waiting.append(token)
    }
    return token.text
  }

  /// Uses a token. Returns true if it is valid; it is not valid again.
  func consume(_ text: String) -> Bool {
    let time = now()
    let used: OneTimeToken? = waiting.withLock { waiting in
      waiting.removeAll { $0.deadline < time }
      guard let place = waiting.firstIndex(where: { ConstantTime.isEqual(text, to: $0.text) }) else {
        return nil
      }
      return waiting.remove(at: place)
    }
    used?.onUse()
    return used != nil
  }
}
