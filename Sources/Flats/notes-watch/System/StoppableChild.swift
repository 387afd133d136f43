import Glibc
import Files
import Processes

/// Waiting for a child that a person may stop, such as an editor in the foreground of a terminal.
extension Child {
  /// The status of a child that was continued, as `waitpid` gives it.
  private static let continued: CInt = 0xFFFF
  /// The time in which a signal to the process group reaches all of its members, in microseconds.
  private static let groupDelay: UInt32 = 50_000

  /// Waits for the end of the child, and reaps it. If the child alone is stopped, the process group
  /// of this program stops, too, so that the shell gets the terminal; both continue together.
  func reapStoppable() -> End {
    defer { OwnChildren.shared.reaped(number) }
    while let status = status(WUNTRACED) {
      guard status & 0xFF == 0x7F else { return End(status: status) }
      // A signal to the group stops this program as well. It may only arrive later.
      usleep(Child.groupDelay)
      if let newer = self.status(WNOHANG | WCONTINUED) {
        if newer == Child.continued { continue }
        return End(status: newer)
      }
      Child.stopGroup()
      kill(number, SIGCONT)
    }
    return .exited(0)
  }

  /// Returns when the group continues. A group that no shell watches does not stop.
  private static func stopGroup() {
    withSignal(SIGTSTP, SIG_UNBLOCK) {
      kill(0, SIGTSTP)
      // Another thread may get the signal, and this one would keep running briefly. It must not send
      // itself a second one: that could arrive after the group continues, and stop it again.
      usleep(groupDelay)
    }
  }
}

func withSignal(_ number: CInt, _ how: CInt, _ body: () -> Void) {
  var signal = sigset_t()
  var kept = sigset_t()
  sigemptyset(&signal)
  sigaddset(&signal, number)
  pthread_sigmask(how, &signal, &kept)
  body()
  pthread_sigmask(SIG_SETMASK, &kept, nil)
}

extension Editor {
  /// Makes the process group of this program the one in the foreground of a terminal again, if the one
  /// that is has no members any more. A shell that took the terminal keeps it.
  static func restoreForeground(of terminal: CInt) {
    let group = tcgetpgrp(terminal)
    guard group > 0, group != getpgrp(), kill(-group, 0) != 0, errno == ESRCH else { return }
    // The call stops a program in the background, unless the signal is blocked.
    withSignal(SIGTTOU, SIG_BLOCK) { tcsetpgrp(terminal, getpgrp()) }
  }
}
