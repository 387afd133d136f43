/// How patient a watch is, and how it watches.
///
/// What is whole is reported at once and waits for none of these: a file closed after writing, a file renamed into place.
public struct WatchOptions: Sendable {
  /// How changes are noticed.
  public enum Polling: Sendable, Hashable {
    /// By inotify; by polling on network file systems, where inotify is blind, and where the kernel has no watches left.
    case automatic
    case always
    /// Where inotify cannot be had, `init` throws.
    case never
  }

  /// The quiet gap: how long something that appeared without being written (a link) must be left alone before it is reported. Also the grace of a path
  /// that vanished, in which it may come back. A file that is written but not closed is given four times as long, an emptied one eight times. Default 60 ms
  /// (``defaultSettle``).
  public var settle: Duration
  /// The hard end of every wait, counted from the first change that waits. Also the longest git command that comes out as one batch. Default 5 s.
  public var maxWait: Duration
  public var polling: Polling
  /// The time between two looks while polling. Default 1 s.
  public var pollInterval: Duration
  /// Called on the watch's thread with what the user should know; must be fast.
  public var onNotice: @Sendable (WatchNotice) -> Void

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

  /// Measured: between vim 9.0's rename of the old file and its creation of the new lie 0.04 ms on an idle machine. The rest is room for a busy one
  /// and for slower programs, and still too short to be noticed when something is deleted.
  public static let defaultSettle = Duration.milliseconds(60)
  public static let defaultMaxWait = Duration.seconds(5)
  public static let defaultPollInterval = Duration.seconds(1)
}
