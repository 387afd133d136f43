import Files
import Glibc
import Logging
import Synchronization
import TestSupport
import Testing
import Processes

@testable import Daemon

@Suite struct LineLogTests {
  private static func line(
    _ style: LineLog.Style, level: Logger.Level = .info, _ message: String, _ metadata: Logger.Metadata = [:]
  ) -> String {
    LineLog.line(style, level, message, metadata, at: timespec(tv_sec: 0, tv_nsec: 7_000_000))
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

  @Test func `a reader that is gone does not end the program`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let output = Descriptor(owning: ends[1])
    close(ends[0])
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    LineLog.write(Array("line\n".utf8), to: output.raw)
    var waiting = sigset_t()
    sigpending(&waiting)
    #expect(sigismember(&waiting, SIGPIPE) == 0)
  }

  @Test func `a line reaches the descriptor`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let input = Descriptor(owning: ends[0])
    do {
      let output = Descriptor(owning: ends[1])
      LineLog.write(Array("line\n".utf8), to: output.raw)
    }
    #expect(try input.readAll() == Array("line\n".utf8))
  }

  @Test func `standard error is the journal only if its device and inode are those of JOURNAL_STREAM`() throws
  {
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    try #require(fstat(file, &status) == 0)
    #expect(LineLog.Style("\(status.st_dev):\(status.st_ino)", of: file) == .journal)
    for other in [
      nil, "", "8:1", "\(status.st_dev):", "\(status.st_ino):\(status.st_dev)",
      "\(status.st_dev):\(status.st_ino) ",
    ] {
      #expect(LineLog.Style(other, of: file) == .plain, "\(other ?? "not set")")
    }
  }

  @Test func `a closed standard error is not the journal`() {
    #expect(LineLog.Style("0:0", of: -1) == .plain)
  }
}
