import Dispatch
import Glibc

/// Ends as the shell expects: by the signal itself, with its default action.
enum Signals {
  /// True for the first process of a container or of a PID namespace, which no signal's default action ends.
  private static var isFirstProcess: Bool { getpid() == 1 }

  /// Makes the first process of a container exit with 128 plus the number of the signal that asks it to end.
  ///
  /// The kernel drops a signal for that process unless it has a handler. Any other process keeps the default actions, so that its parent sees the signal.
  static func handleAsFirstProcess() {
    guard isFirstProcess else { return }
    // Only `_exit` may be called in a handler. A save is whole or absent whenever the program ends.
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] where !isIgnored(number) { Glibc.signal(number) { _exit(128 + $0) } }
  }

  /// Lets the kernel discard the orphans that the first process of a container inherits. For a program that starts no processes itself.
  static func discardOrphansAsFirstProcess() {
    if isFirstProcess { Glibc.signal(SIGCHLD, SIG_IGN) }
  }

  /// 130 for an interrupt, 141 for a closed pipe, as a shell counts them. The first process of a container exits with that code.
  static func end(by signal: CInt) -> Never {
    Glibc.signal(signal, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, signal)
    sigprocmask(SIG_UNBLOCK, &only, nil)
    raise(signal)
    _exit(128 + signal)
  }

  /// Hands on these signals as they come, instead of their default actions, from the return of this call on. What was ignored when the program began
  /// (`nohup`, a job in the background) stays so. Waiting for one needs no thread.
  static func listen(for signals: [CInt], _ continuation: AsyncStream<CInt>.Continuation) async {
    let queue = DispatchQueue(label: "signals")
    for signal in signals where !isIgnored(signal) {
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      // The handler holds its source, which is so kept until the program ends.
      source.setEventHandler { [source] in
        _ = source
        continuation.yield(signal)
      }
      // Until it is registered the default action holds: a signal is never lost in between.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.resume()
      }
    }
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    // C function pointers have no ==.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
