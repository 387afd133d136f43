/// The times that settling goes by. Each is a measurement with room above it; none delays what is whole.
struct SettleTiming: Sendable, Hashable {
  /// How long something unfinished must be left alone, and the grace of what vanished. See ``WatchOptions/settle``.
  var settle = WatchOptions.defaultSettle
  /// How long a file must be left alone that was written and not closed.
  var open: Duration { settle * Self.openFactor }
  /// The grace of a file that was emptied: programs that truncate, then compute, then write.
  var emptied: Duration { settle * Self.emptiedFactor }
  /// How long after git's last lock its work tree still counts as its own.
  var gitGap = Self.gitGap
  /// The same after HEAD was replaced, which ends a checkout.
  var switchGap = Self.switchGap
  /// The same while a step is not committed: it may have stopped at a conflict.
  var stopGap = Self.stopGap
  /// How long a lock that is there when `maxWait` is over may be there, and do nothing, before it is taken for a stale one.
  var lockGrace = Self.lockGrace
  /// The hard end of every wait.
  var maxWait = WatchOptions.defaultMaxWait

  /// Between writing and closing most editors call fsync: 4 ms, and 48 ms beside a program that writes all the time; and then they wait for their turn.
  static let openFactor = 4
  /// An empty item is nearly always a mistake or a moment. Nobody waits for it, so it may wait for half a second.
  static let emptiedFactor = 8
  /// Between two locks of one command: 31 ms in a rebase, 77 ms in a stash, the most seen; twice that for a busy machine.
  static let gitGap = Duration.milliseconds(150)
  /// A checkout moves HEAD last; only `git stash branch` goes on after it, SWITCH.
  static let switchGap = Duration.milliseconds(30)
  /// A step writes MERGE_HEAD, CHERRY_PICK_HEAD or REBASE_HEAD when the work tree is done, and commits within milliseconds, or has stopped at a conflict,
  /// which one wants to see.
  static let stopGap = Duration.seconds(1)
  /// A step of a rebase holds its lock for 5 ms.
  static let lockGrace = Duration.seconds(1)
}
