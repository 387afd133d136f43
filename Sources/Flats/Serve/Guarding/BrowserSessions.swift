import Glibc
import Synchronization

/// The sessions of browsers. Each browser has its own cookie; only its digest is kept.
///
/// In memory a session ends by a clock that nobody sets. The file has the time of day, so that a
/// wrong clock cannot make a session longer than `lifetime` after a restart.
///
/// Two locks: `sessions` guards the sessions; nothing else is locked while it is held. `saving` is
/// held while the file is written, so that the newest sessions are written last; `sessions` is
/// locked while it is held.
package final class BrowserSessions: Sendable {
  private struct Session {
    let digest: String
    let end: ContinuousClock.Instant
  }

  /// The time after which a browser needs a new address.
  package static let lifetime = Duration.seconds(30 * 24 * 60 * 60)
  /// The largest number of sessions. A further one ends the oldest.
  static let maxCount = 256

  /// Lock: guards the sessions of browsers.
  private let sessions: Mutex<[Session]>
  /// Lock: guards the order in which the sessions are written. Their file is written, and
  /// `sessions` is locked, under it.
  private let saving = Mutex(())
  private let file: SessionFile?
  private let now: @Sendable () -> ContinuousClock.Instant
  private let timeOfDay: @Sendable () -> Int64
  private let warn: @Sendable (String) -> Void

  /// Reads the sessions of the run before.
  ///
  /// - Parameters:
  ///   - file: The file; nil if sessions end with the process.
  ///   - now: The current time.
  ///   - timeOfDay: The seconds since 1970.
  ///   - warn: Receives a sentence if the file cannot be used.
  package init(
    _ file: SessionFile? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    timeOfDay: @escaping @Sendable () -> Int64 = BrowserSessions.currentSeconds,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.file, self.now, self.timeOfDay, self.warn) = (file, now, timeOfDay, warn)
    var entries: [SessionFile.Entry] = []
    do throws(PrivateFileError) {
      entries = try file?.read() ?? []
    } catch {
      warn("\(error) Browsers need a new address.")
    }
    let (start, seconds) = (now(), timeOfDay())
    let read = entries.suffix(BrowserSessions.maxCount).compactMap { entry -> Session? in
      let (left, isTooLong) = entry.end.subtractingReportingOverflow(seconds)
      guard !isTooLong, left > 0 else { return nil }
      return Session(digest: entry.digest, end: start + min(.seconds(left), BrowserSessions.lifetime))
    }
    sessions = Mutex(read)
  }

  /// Returns the seconds since 1970.
  @Sendable package static func currentSeconds() -> Int64 { Int64(time(nil)) }

  /// Begins a session, and returns its cookie. If the session cannot be saved, it ends with the
  /// process. Blocks while the file is written.
  func begin() -> String {
    let cookie = AccessTokens.random()
    let start = now()
    sessions.withLock { sessions in
      sessions.removeAll { $0.end <= start }
      if sessions.count >= BrowserSessions.maxCount { sessions.removeFirst() }
      sessions.append(
        Session(digest: BrowserSessions.digest(of: cookie), end: start + BrowserSessions.lifetime))
    }
    save()
    return cookie
  }

  /// Returns true if a session has this cookie.
  func contains(_ cookie: String) -> Bool {
    let (digest, time) = (BrowserSessions.digest(of: cookie), now())
    return sessions.withLock { $0.contains { $0.digest == digest && $0.end > time } }
  }

  private func save() {
    guard let file else { return }
    saving.withLock { _ in
      let (start, seconds) = (now(), timeOfDay())
      let entries = sessions.withLock { sessions in
        sessions.map {
          SessionFile.Entry(digest: $0.digest, end: seconds + (start.duration(to: $0.end)).components.seconds)
        }
      }
      do throws(PrivateFileError) {
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
