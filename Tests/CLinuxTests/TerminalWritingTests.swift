import CLinux
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A frame that one thread writes while another one restores the terminal: the restoration comes
/// last, and never waits without end.
@Suite(.serialized) final class TerminalWritingTests {
  private let terminal: PseudoTerminal

  init() throws {
    terminal = try PseudoTerminal()
    clinux_terminal_begin(terminal.device)
    #expect(clinux_terminal_set_raw(0) == 0)
    let restoration = Array("restored".utf8)
    #expect(clinux_terminal_set_restoration(restoration, restoration.count) == 0)
    clinux_terminal_arm()
  }

  deinit {
    clinux_terminal_restore()
    clinux_terminal_end()
  }

  /// Restores the terminal on another thread.
  private final class Restorer: Sendable {
    let hasBegun = Atomic(false)
    let hasEnded = Atomic(false)

    func start() {
      Thread.detachNewThread {
        self.hasBegun.store(true, ordering: .sequentiallyConsistent)
        clinux_terminal_restore()
        self.hasEnded.store(true, ordering: .sequentiallyConsistent)
      }
    }
  }

  @Test func `a frame that is being written comes before the restoration`() {
    let restorer = Restorer()
    #expect(clinux_terminal_begin_write() == 1)
    restorer.start()
    #expect(terminal.eventually { restorer.hasBegun.load(ordering: .sequentiallyConsistent) })
    // The other thread would restore now if it did not wait.
    terminal.pump(20)
    #expect(write(terminal.device, "frame ", 6) == 6)
    clinux_terminal_end_write()
    #expect(terminal.awaitText("restored"))
    #expect(terminal.text == "frame restored")
    #expect(terminal.eventually { restorer.hasEnded.load(ordering: .sequentiallyConsistent) })
    #expect(clinux_terminal_begin_write() == 0)
  }

  @Test func `a frame that is never finished does not keep the terminal from being restored`() {
    let restorer = Restorer()
    #expect(clinux_terminal_begin_write() == 1)
    restorer.start()
    #expect(terminal.awaitText("restored"))
    #expect(terminal.eventually { restorer.hasEnded.load(ordering: .sequentiallyConsistent) })
  }

  @Test func `a crash in the middle of a frame restores on the same thread`() {
    #expect(clinux_terminal_begin_write() == 1)
    #expect(clinux_terminal_restore() == 1)
    #expect(terminal.awaitText("restored"))
    #expect(clinux_terminal_restore() == 0)
  }
}
