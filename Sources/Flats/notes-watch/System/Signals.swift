import CLinux
import Dispatch
import Glibc

/// Runs a wait that blocks its thread until it is over, or until the program ends. Neither the command
/// nor another wait is held up by it.
func onOwnThread(_ name: String, _ wait: @escaping @Sendable () -> Void) {
  // Queue: one for each wait: for signals, a line of standard input, the end of the reader of standard
  // output, or the browser of `serve --open`. Blocks in `sem_wait`, `read`, `poll`, `waitpid`.
  DispatchQueue(label: name).async(execute: wait)
}

/// Signals, handled as a shell expects: one that ends the program does so by its default action.
enum Signals {
  /// True for the first process of a container or a PID namespace, which no default action ends.
  private static var isFirstProcess: Bool { getpid() == 1 }

  /// Makes the first process of a container exit with 128 plus the number of the signal that asks it to end:
  /// the kernel discards a signal for that process unless it has a handler. Any other process keeps the
  /// default actions, so that its parent sees the signal.
  static func handleAsFirstProcess() {
    guard isFirstProcess else { return }
    // A handler may call `_exit` and little else. A save is complete or absent whenever the program ends.
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] where !isIgnored(number) {
      Glibc.signal(number) { _exit(128 + $0) }
    }
  }

  /// Lets the kernel discard the orphans that the first process of a container inherits. Call it only if the
  /// program itself starts no processes.
  static func discardOrphansAsFirstProcess() {
    if isFirstProcess { Glibc.signal(SIGCHLD, SIG_IGN) }
  }

  /// Makes a write to a reader that is gone fail instead of ending the program: a command that it
  /// runs, or a folder that it serves, goes on.
  static func ignoreLostReaders() { Glibc.signal(SIGPIPE, SIG_IGN) }

  /// Lets a shell see the status 130 for an interrupt and 141 for a closed pipe. The first process of a
  /// container exits with that code.
  static func end(by signal: CInt) -> Never {
    Glibc.signal(signal, SIG_DFL)
    withSignal(signal, SIG_UNBLOCK) { raise(signal) }
    _exit(128 + signal)
  }

  /// A SIGHUP after this has changed says that the terminal was closed.
  static var haveTerminal: Bool { StandardError.isTerminal || StandardOutput.isTerminal }

  /// Sends these signals to a stream instead of taking their default actions, from when this call returns.
  ///
  /// Signals that were ignored when the program began stay ignored (`nohup`, a background job). A
  /// thread waits for the signals, and no file is opened: sources of libdispatch need descriptors,
  /// and without them they block the signal and report nothing.
  static func listen(for signals: [CInt], _ continuation: AsyncStream<CInt>.Continuation) {
    let handled = signals.filter { !isIgnored($0) }
    guard !handled.isEmpty, let arrived = clinux_receive_signals(handled, CInt(handled.count)) else { return }
    // The thread uses them until the program ends.
    nonisolated(unsafe) let received = arrived
    onOwnThread("signals") {
      while true { continuation.yield(clinux_next_signal(received)) }
    }
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    // C function pointers have no ==.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
