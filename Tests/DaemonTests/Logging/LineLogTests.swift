import Glibc
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct LineLogTests {
  private static func line(
    _ style: LogStyle, level: Logger.Level = .info, _ message: String, _ metadata: Logger.Metadata = [:]
  ) -> String {
    LogLine(level: level, message: message, metadata: metadata).text(
      style, at: timespec(tv_sec: 0, tv_nsec: 7_000_000))
  }

  @Test func `a plain line begins with a time that has a zone, and with the level`() {
    let line = Self.line(.plain, "folder open")
    #expect(line.contains(/^(1970-01-01|1969-12-31)T\d\d:\d\d:00\.007[+-]\d\d:\d\d info: folder open\n$/))
  }

  @Test func `a line of the journal begins with its priority`() {
    let priorities = Logger.Level.allCases.map { Self.line(.journal, level: $0, "x").prefix(3) }
    #expect(priorities == ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"])
  }

  @Test(arguments: Randomness.seeds(1)) func `no message makes a second line or controls the terminal`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = generator.hostileText()
      let line = Self.line(.journal, text, ["key\n": "\(text)"])
      #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1, "\(seedNote(seed))")
      #expect(TerminalSafety.offenders(in: line).isEmpty, "\(seedNote(seed))")
    }
  }

  @Test func `a message without end is cut`() {
    let line = Self.line(.journal, String(repeating: "x", count: 1 << 20))
    #expect(line.utf8.count < 10_000)
    #expect(line.hasSuffix("x…\n"))
  }

  @Test func `metadata follows the message, ordered by key`() {
    #expect(
      Self.line(.journal, "run ended", ["sink": "site", "folder": "/n"])
        == "<6>run ended (folder: /n, sink: site)\n")
  }

  @Test func `a logger writes entries of its level and above, one at a time`() {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in
      LineLog(.journal, level: .notice) { line in
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    logger.info("hidden")
    logger.notice("shown", metadata: ["folder": "/n"])
    logger.error("failed")
    #expect(lines.withLock(\.self) == ["<5>shown (folder: /n)\n", "<3>failed\n"])
  }
}
