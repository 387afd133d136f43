import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Serve

/// The sessions of browsers, over restarts of their server.
struct BrowserSessionsTests {
  /// A server that is started again and again. The clocks are those of the test.
  private final class Machine: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    private let seconds = Mutex<Int64>(1_800_000_000)
    private let texts = Mutex<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    var path: String { "\(folder.path)/states/a/serve.sessions" }
    var warnings: [String] { texts.withLock { $0 } }

    func start(token: String? = nil) -> AccessTokens {
      AccessTokens(
        bearer: "", sessions: SessionFile(path, token: token), now: { self.clock.now },
        timeOfDay: { self.seconds.withLock { $0 } },
        warn: { text in self.texts.withLock { $0.append(text) } })
    }

    /// Lets time pass, and the clock of the day go wrong.
    func pass(_ duration: Duration, step: Int64 = 0) {
      clock.advance(by: duration)
      seconds.withLock { $0 += duration.components.seconds + step }
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests are those of SHA-256`(text: String, digest: String) {
    #expect(SHA256.digest(of: Array(text.utf8)) == digest)
  }

  @Test func `a session survives a restart, and only its digest is kept`() throws {
    let machine = try Machine()
    let first = machine.start()
    let cookies = (0..<3).map { _ in first.beginSession() }
    #expect(Set(cookies).count == 3)
    let again = machine.start()
    for cookie in cookies { #expect(again.hasSession(cookie)) }
    #expect(!again.hasSession(String(cookies[0].reversed())))
    let text = String(decoding: try machine.folder.bytes(of: "states/a/serve.sessions"), as: UTF8.self)
    for cookie in cookies { #expect(!text.contains(cookie)) }
    #expect(try machine.folder.shell("stat -c %a states states/a states/a/*") == "700\n700\n600\n")
    #expect(machine.warnings.isEmpty)
  }

  @Test func `a session ends after its lifetime, with restarts and without`() throws {
    let machine = try Machine()
    let sessions = machine.start()
    let cookie = sessions.beginSession()
    machine.pass(AccessTokens.sessionLifetime - .seconds(1))
    #expect(sessions.hasSession(cookie))
    #expect(machine.start().hasSession(cookie))
    machine.pass(.seconds(1))
    #expect(!sessions.hasSession(cookie))
    #expect(!machine.start().hasSession(cookie))
  }

  @Test(arguments: [-400 * 86_400, -3_600, 3_600, 400 * 86_400] as [Int64])
  func `a wrong clock of the day makes no session longer than its lifetime`(step: Int64) throws {
    let machine = try Machine()
    let sessions = machine.start()
    let cookie = sessions.beginSession()
    machine.pass(.seconds(60), step: step)
    #expect(sessions.hasSession(cookie))
    let again = machine.start()
    machine.pass(AccessTokens.sessionLifetime)
    #expect(!sessions.hasSession(cookie))
    #expect(!again.hasSession(cookie))
  }

  @Test func `another token ends all sessions for good`() throws {
    let machine = try Machine()
    let cookie = machine.start(token: "one").beginSession()
    #expect(machine.start(token: "one").hasSession(cookie))
    #expect(!machine.start(token: "two").hasSession(cookie))
    #expect(!machine.start(token: "one").hasSession(cookie))
    let own = machine.start().beginSession()
    #expect(!machine.start(token: "two").hasSession(own))
  }

  @Test(arguments: [
    "chmod 644 serve.sessions", "cp serve.sessions other; rm serve.sessions; ln -s other serve.sessions",
    ": > serve.sessions",
    "sed -i 's/^[0-9a-f]\\{64\\} /x&/' serve.sessions", "truncate -s -3 serve.sessions",
    "echo >> serve.sessions",
    "truncate -s 1G serve.sessions", "rm serve.sessions; mkfifo -m 600 serve.sessions",
    "sed -i 's/ [0-9]*$/ 1e99/' serve.sessions",
    "sed -i 's/sessions 1/sessions 2/' serve.sessions",
  ])
  func `a file that someone changed begins no session`(script: String) throws {
    let machine = try Machine()
    let cookie = machine.start().beginSession()
    try machine.folder.shell("cd states/a; \(script)")
    let again = machine.start()
    #expect(!again.hasSession(cookie))
    #expect(machine.warnings.count == 1)
    #expect(machine.warnings.first?.contains(machine.path) == true)
    let next = again.beginSession()
    #expect(machine.start().hasSession(next))
    #expect(try machine.folder.shell("stat -c '%a %F' states/a/serve.sessions") == "600 regular file\n")
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1"])
  func `an end that no server wrote is bounded`(end: String) throws {
    let machine = try Machine()
    let cookie = machine.start().beginSession()
    try machine.folder.shell(
      "sed -i 's/ [0-9]*$/ \(end)/; 1s/.*/notes-watch sessions 1/' states/a/serve.sessions")
    let again = machine.start()
    machine.pass(AccessTokens.sessionLifetime)
    #expect(!again.hasSession(cookie))
  }

  @Test func `a session that cannot be saved lasts as long as its server`() throws {
    let machine = try Machine()
    try machine.folder.write("", to: "states")
    let sessions = machine.start()
    let warnings = machine.warnings.count
    let cookie = sessions.beginSession()
    #expect(sessions.hasSession(cookie))
    #expect(machine.warnings.count == warnings + 1)
    #expect(!machine.start().hasSession(cookie))
  }

  @Test func `sessions are bounded in number`() throws {
    let machine = try Machine()
    let sessions = machine.start()
    let cookies = (0...AccessTokens.maxSessions).map { _ in sessions.beginSession() }
    for each in [sessions, machine.start()] {
      #expect(!each.hasSession(cookies[0]))
      #expect(cookies.dropFirst().allSatisfy(each.hasSession))
    }
  }

  @Test func `sessions that begin at once are all saved`() async throws {
    let machine = try Machine()
    let sessions = machine.start()
    let cookies = await withTaskGroup(of: String.self) { group in
      for _ in 0..<32 { group.addTask { sessions.beginSession() } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    let again = machine.start()
    #expect(cookies.count == 32)
    #expect(cookies.allSatisfy(again.hasSession))
  }
}
