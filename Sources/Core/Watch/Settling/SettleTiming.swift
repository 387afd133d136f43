/// The times that the ``Settler`` uses. Each is a measured time plus a margin. None delays a
/// complete file.
struct SettleTiming: Sendable, Hashable {
  /// The quiet gap of an unfinished file, and the grace period of a path that vanished. See
  /// ``WatchOptions/settle``.
  var settle = WatchOptions.defaultSettle
  /// The quiet gap of a file that was written and not closed.
  var open: Duration { settle * Self.openFactor }
  /// The grace period of a file that was emptied: some programs truncate, compute, and then write.
  var emptied: Duration { settle * Self.emptiedFactor }
  /// How long after git's last activity its command is over.
  var gitGap = Self.gitGap
  /// The gap after HEAD was replaced, which ends a checkout.
  var switchGap = Self.switchGap
  /// The gap while a step is not committed: the command may have stopped at a conflict.
  var stopGap = Self.stopGap
  /// The age at which an idle lock counts as stale when `maxWait` is over.
  var lockGrace = Self.lockGrace
  /// The upper limit of every wait.
  var maxWait = WatchOptions.defaultMaxWait

  /// Most editors call fsync between writing and closing. It took 4 ms, and 48 ms next to a program
  /// that writes constantly.
  static let openFactor = 4
  /// An empty item is nearly always a mistake or a passing state. Nobody waits for it, so it may
  /// wait for half a second.
  static let emptiedFactor = 8
  /// The longest gap measured between two locks of one command is 31 ms in a rebase and 77 ms in a
  /// stash. Twice that allows for a busy machine.
  static let gitGap = Duration.milliseconds(150)
  /// A checkout moves HEAD last. Only `git stash branch` continues after it, well within this gap.
  static let switchGap = Duration.milliseconds(30)
  /// A step writes MERGE_HEAD, CHERRY_PICK_HEAD or REBASE_HEAD when the work tree is complete. It
  /// then commits within milliseconds, or it has stopped at a conflict, which the user wants to
  /// see.
  static let stopGap = Duration.seconds(1)
  /// A step of a rebase holds its lock for 5 ms.
  static let lockGrace = Duration.seconds(1)
}
