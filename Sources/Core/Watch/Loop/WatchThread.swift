import Glibc

/// The thread of a watcher.
enum WatchThread {
  /// Starts a thread that runs `loop` and ends with it. The thread blocks all signals, which belong
  /// to the program.
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
        // `start` made the box for this thread only.
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
