import Glibc
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct LineLogTests {
  private static func line(_ style: LogStyle, level: Logger.Level = .info, _ message: String, _ metadata: Logger.Metadata = [:]) -> String {
    LogLine(level: level, message: message, metadata: metadata).text(style, at: timespec(tv_sec: 0, tv_nsec: 7_000_000))
  }

  @Test func `a plain line begins with a time that has a zone, and with the level`() throws {
    let line = Self.line(.plain, "folder open")
    #expect(line.contains(/^(1970-01-0[12]|1969-12-31)T\d\d:\d\d:00\.007[+-]\d\d:\d\d info: folder open\n$/))
  }

  @Test func `a line of the journal begins with its priority`() {
    let priorities = Logger.Level.allCases.map { Self.line(.journal, level: $0, "x").prefix(3) }
    #expect(priorities == ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"])
  }

  @Test func `no message makes a second line or controls the terminal`() {
    var generator = Randomness.generator()
    for _ in 0..<200 {
      let text = generator.hostileText()
      let line = Self.line(.journal, text, ["key\n": "\(text)"])
      #expect(line.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
      #expect(TerminalSafety.offenders(in: line).isEmpty, "\(Array(text.unicodeScalars))")
    }
  }
}
