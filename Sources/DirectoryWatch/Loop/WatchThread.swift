import Glibc

/// The one thread of a watch.
enum WatchThread {
  /// Starts `loop` on a thread of its own, which ends when the loop does. It takes no signals: those are the program's.
  static func start(_ loop: WatchLoop, root: String) throws(WatchError) {
    var all = sigset_t(), before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(loop)
    let failure = pthread_create(
      &thread, nil,
      { argument in
        // `start` gave it its box, and nobody else has one.
        Unmanaged<WatchLoop>.fromOpaque(argument.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if failure != 0 {
      box.release()
      throw .running("pthread_create", root, failure)
    }
    pthread_detach(thread)
  }
}
