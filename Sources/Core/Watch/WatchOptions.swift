package import Files

/// The times that a watcher waits for a change to be complete, and the way in which it observes changes.
///
/// A negative duration counts as zero, and one of more than a year as a year.
///
/// A complete file is reported at once, whatever these options say: a file that is closed after
/// writing or renamed into place.
public struct WatchOptions: Sendable {
  /// The way in which changes are observed.
  public enum Polling: Sendable, Hashable {
    /// Uses inotify. Polls on network file systems, where inotify misses changes, and if inotify is
    /// not available.
    case automatic
    /// Polls.
    case always
    /// Uses inotify. If it is not available, creating the watcher throws.
    case never
  }

  /// The quiet gap, by default 60 ms (``defaultSettle``): how long a path must not change before it
  /// is reported.
  ///
  /// It applies to a file that appeared without being written, such as a link, and to a path that
  /// vanished and may come back. A file that is written but not closed waits four times as long, an
  /// emptied file eight times.
  public var settle: Duration
  /// The upper limit of every wait, by default 5 s (``defaultMaxWait``), counted from the first
  /// pending change.
  ///
  /// A git command that takes longer is reported in several batches.
  public var maxWait: Duration
  /// The way in which changes are observed, by default ``Polling/automatic``.
  public var polling: Polling
  /// The time between two polls, by default 1 s (``defaultPollInterval``). Polling takes at most a
  /// tenth of the time: in a large folder the interval grows.
  public var pollInterval: Duration
  /// Receives the notices of the watcher, by default nothing. It is called on the watcher's thread,
  /// under no lock, and must return quickly.
  public var onNotice: @Sendable (WatchNotice) -> Void
  /// Receives files that a running git command has completed; by default nothing. They can be read
  /// before their batch comes (``DirtyPaths/early``). It is called on the watcher's thread, under
  /// no lock, and must return quickly.
  package var onEarlyFiles: @Sendable (Set<RelativePath>) -> Void = { _ in }

  /// Creates options. Each parameter has a default that suits local disks and interactive editors.
  public init(
    settle: Duration = WatchOptions.defaultSettle,
    maxWait: Duration = WatchOptions.defaultMaxWait,
    polling: Polling = .automatic,
    pollInterval: Duration = WatchOptions.defaultPollInterval,
    onNotice: @escaping @Sendable (WatchNotice) -> Void = { _ in }
  ) {
    self.settle = settle
    self.maxWait = maxWait
    self.polling = polling
    self.pollInterval = pollInterval
    self.onNotice = onNotice
  }

  /// The default of ``settle``, 60 ms.
  ///
  /// vim 9.0 was measured to create its new file 0.04 ms after it renamed the old one on an idle
  /// machine. The rest allows for a busy machine and for slower programs. It is still too short to
  /// be noticed when a file is deleted.
  public static let defaultSettle = Duration.milliseconds(60)
  /// The default of ``maxWait``, 5 s.
  public static let defaultMaxWait = Duration.seconds(5)
  /// The default of ``pollInterval``, 1 s.
  public static let defaultPollInterval = Duration.seconds(1)

  /// The options with durations that can be added to a time and multiplied.
  var bounded: WatchOptions {
    var options = self
    options.settle = settle.bounded
    options.maxWait = maxWait.bounded
    options.pollInterval = pollInterval.bounded
    return options
  }
}

extension Duration {
  var bounded: Duration { min(max(self, .zero), .seconds(365 * 86_400)) }
}

extension WatchOptions: CustomStringConvertible {
  /// The times and the kind of observation: `settle …, at most …, no polling`.
  public var description: String {
    let way =
      switch polling {
      case .never: "no polling"
      case .always: "polling every \(pollInterval)"
      case .automatic: "polling every \(pollInterval) if needed"
      }
    return "settle \(settle), at most \(maxWait), \(way)"
  }
}

/// The times that the ``Settler`` uses. Each is a measured time plus a margin. None delays a complete file.
struct SettleTiming {
  /// The quiet gap of an unfinished file, and the grace period of a path that vanished. See
  /// ``WatchOptions/settle``.
  var settle = WatchOptions.defaultSettle
  /// The quiet gap of a file that was written and not closed. Most editors call fsync between writing
  /// and closing. It took 4 ms, and 48 ms next to a program that writes constantly.
  var open: Duration { settle * 4 }
  /// The grace period of a file that was emptied: some programs truncate, compute, and then write. An
  /// empty item is nearly always a mistake or a passing state. Nobody waits for it, so it may wait for
  /// half a second.
  var emptied: Duration { settle * 8 }
  /// The time after git's last activity at which its command is over. The longest gap measured between two
  /// locks of one command is 31 ms in a rebase and 77 ms in a stash. Twice that allows for a busy machine.
  var gitGap = Duration.milliseconds(150)
  /// The gap after HEAD was replaced, which ends a checkout. A checkout moves HEAD last. Only `git stash
  /// branch` continues after it, well within this gap.
  var switchGap = Duration.milliseconds(30)
  /// The gap while a step is not committed. A step writes MERGE_HEAD, CHERRY_PICK_HEAD or REBASE_HEAD
  /// when the work tree is complete. It then commits within milliseconds, or it has stopped at a
  /// conflict, which the user wants to see.
  var stopGap = Duration.seconds(1)
  /// The age at which an idle lock counts as stale when `maxWait` is over. A step of a rebase holds its
  /// lock for 5 ms.
  var lockGrace = Duration.seconds(1)
  var maxWait = WatchOptions.defaultMaxWait
}
