import Foundation
import Glibc
import TestSupport
import Testing

/// Whatever ends the program but SIGKILL, the terminal is as it was before: its settings bit for
/// bit, its screen and its modes, restored once.
@Suite struct TerminalEndingTests {
  /// The words that run a program without hangups, and leave no `nohup.out` in the working
  /// directory.
  private static let nohup = ["/bin/sh", "-c", "exec nohup \"$@\" > /dev/null", "sh"]

  @Test func `a normal end restores the terminal`() throws {
    let probe = try Probe()
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `an exit without a word to the terminal restores it`() throws {
    let probe = try Probe()
    probe.terminal.type("n")
    probe.expectRestored(status: 3)
  }

  @Test(arguments: [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGUSR1, SIGPIPE,
    SIGXCPU,
  ])
  func `a signal that ends the program restores the terminal`(signal: CInt) throws {
    let probe = try Probe()
    let process = try #require(probe.process)
    kill(process, signal)
    probe.expectRestored(status: 128 + Int(signal))
  }

  @Test(arguments: [("s", SIGSEGV), ("a", SIGABRT)])
  func `a fault of the program restores the terminal`(key: String, signal: CInt) throws {
    let probe = try Probe()
    probe.terminal.type(key)
    probe.expectRestored(status: 128 + Int(signal))
  }

  @Test func `nothing is written after a fault of another thread`() throws {
    let probe = try Probe()
    probe.terminal.type("w")
    probe.expectRestored(status: 128 + Int(SIGSEGV))
    let text = probe.terminal.text
    let restored = try #require(text.range(of: "\u{1B}[?25h", options: .backwards))
    #expect(!text[restored.upperBound...].contains("a frame"))
  }

  @Test func `an interrupt while an editor has the terminal does not end the program`() throws {
    let probe = try Probe()
    probe.terminal.type("l")
    #expect(probe.awaitLine("entered"))
    kill(try #require(probe.process), SIGINT)
    probe.expectRestored(status: 128 + Int(SIGINT), entries: 2)
  }

  @Test func `a stack that overflows restores the terminal`() throws {
    let probe = try Probe()
    probe.terminal.type("o")
    probe.expectRestored(status: 128 + Int(SIGSEGV))
  }

  @Test func `a trap restores the terminal, then its message is printed`() throws {
    let probe = try Probe()
    probe.terminal.type("t")
    #expect(probe.terminal.eventually { probe.terminal.text.contains("Fatal error: ") })
    let text = probe.terminal.text
    let restored = try #require(text.range(of: "\u{1B}[?1049l"))
    let message = try #require(text.range(of: "Fatal error: "))
    #expect(restored.upperBound <= message.lowerBound)
    #expect(probe.terminal.eventually { probe.terminal.text.contains("ended 13") })
    let status = probe.terminal.text.contains("ended \(128 + SIGILL)") ? SIGILL : SIGTRAP
    probe.expectRestored(status: 128 + Int(status))
  }

  @Test func `what is written to standard error is printed after the end, without control characters`() throws
  {
    let probe = try Probe()
    probe.terminal.type("e")
    #expect(probe.awaitLine("frame 1: key e"))
    #expect(!probe.terminal.text.contains("a message"))
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
    let text = probe.terminal.text
    #expect(text.contains("a message ?[31m"))
    let restored = try #require(text.range(of: "\u{1B}[?1049l"))
    let message = try #require(text.range(of: "a message"))
    #expect(restored.upperBound <= message.lowerBound)
  }

  @Test func `an ignored hangup stays ignored`() throws {
    let probe = try Probe(prefix: Self.nohup)
    let process = try #require(probe.process)
    kill(process, SIGHUP)
    probe.terminal.type("x")
    #expect(probe.awaitLine("frame 1: key x"))
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `a terminal that closes ends the program`() throws {
    let probe = try Probe()
    let process = try #require(probe.process)
    probe.terminal.hangUp()
    #expect(probe.terminal.eventually { probe.terminal.haveEnded([process]) })
  }

  @Test func `a terminal that closes ends a program that ignores hangups`() throws {
    let probe = try Probe(prefix: Self.nohup)
    let process = try #require(probe.process)
    probe.terminal.hangUp()
    #expect(probe.terminal.eventually { probe.terminal.haveEnded([process]) })
    #expect(probe.log.last == "closed")
  }
}
