import Dispatch
import Glibc

/// Ends as the shell expects: by the signal itself, with its default action.
enum Signals {
  /// 130 for an interrupt, 141 for a closed pipe, as a shell counts them.
  static func end(by signal: CInt) -> Never {
    Glibc.signal(signal, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, signal)
    sigprocmask(SIG_UNBLOCK, &only, nil)
    raise(signal)
    exit(128 + signal)
  }

  /// The first of these signals, instead of its default action; nil when the task is cancelled before. What was ignored when the program began
  /// (`nohup`, a job in the background) stays so. Until one comes this waits without a thread.
  static func first(of signals: [CInt]) async -> CInt? {
    let stream = AsyncStream<CInt> { continuation in
      for signal in signals where !isIgnored(signal) {
        Glibc.signal(signal, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
        // The handler holds its source, which is so kept until the program ends.
        source.setEventHandler { [source] in
          _ = source
          continuation.yield(signal)
        }
        source.resume()
      }
    }
    for await signal in stream { return signal }
    return nil
  }

  private static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    // C function pointers have no ==.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
