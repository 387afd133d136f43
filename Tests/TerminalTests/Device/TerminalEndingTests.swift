import Foundation
import Glibc
import TestSupport
import Testing

/// Whatever ends the program, the terminal is as it was before: its settings bit for bit, its
/// screen and its modes, restored once.
@Suite struct TerminalEndingTests {
  /// The words that run a program without hangups, and leave no `nohup.out` in the working
  /// directory.
  private static let nohup = ["/bin/sh", "-c", "exec nohup \"$@\" > /dev/null", "sh"]

  @Test func `a normal end restores the terminal`() throws {
    let probe = try Probe()
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `an exit without a word to the terminal is restored by the guard`() throws {
    let probe = try Probe()
    probe.terminal.type("n")
    probe.expectRestored(status: 3)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGKILL, SIGUSR1])
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

  @Test func `what is written to standard error is printed after the end, without control characters`() throws {
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

  @Test func `messages survive a kill`() throws {
    let probe = try Probe()
    probe.terminal.type("e")
    #expect(probe.awaitLine("frame 1: key e"))
    kill(try #require(probe.process), SIGKILL)
    probe.expectRestored(status: 128 + Int(SIGKILL))
    #expect(probe.terminal.awaitText("a message"))
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

  @Test func `a terminal that closes ends the program and its guard`() throws {
    let probe = try Probe()
    let processes = [try #require(probe.process), try #require(probe.guardProcess)]
    probe.terminal.hangUp()
    #expect(probe.terminal.eventually { probe.terminal.haveEnded(processes) })
  }

  @Test func `a terminal that closes ends a program that ignores hangups`() throws {
    let probe = try Probe(prefix: Self.nohup)
    let processes = [try #require(probe.process), try #require(probe.guardProcess)]
    probe.terminal.hangUp()
    #expect(probe.terminal.eventually { probe.terminal.haveEnded(processes) })
    #expect(probe.log.last == "closed")
  }

  @Test func `the guard holds three descriptors and no group of the terminal`() throws {
    let probe = try Probe()
    let found = try #require(probe.guardProcess)
    let program = try #require(probe.process)
    #expect(getpgid(found) == found)
    #expect(getpgid(program) != found)
    #expect(try Shell.run("ls /proc/\(found)/fd | wc -l", in: "/").contains("3\n"))
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `killing the guard does no harm`() throws {
    let probe = try Probe()
    kill(try #require(probe.guardProcess), SIGKILL)
    probe.terminal.type("q")
    probe.expectRestored(status: 0)
  }

  @Test func `a program that takes over the terminal is not disturbed by the guard`() throws {
    let probe = try Probe()
    // Another program has set the terminal when the guard wakes up, and the shell is not in front.
    var other = termios()
    probe.terminal.readSettings(&other)
    other.c_cc.0 = 7
    probe.terminal.writeSettings(&other)
    let found = try #require(probe.guardProcess)
    kill(try #require(probe.process), SIGKILL)
    #expect(probe.terminal.eventually { probe.terminal.haveEnded([found]) })
    #expect(probe.terminal.awaitText("ended 137"))
    #expect(probe.terminal.count("\u{1B}[?1049l") == 0)
    var now = termios()
    probe.terminal.readSettings(&now)
    #expect(now.c_cc.0 == 7)
  }
}
