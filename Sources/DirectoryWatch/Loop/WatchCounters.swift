/// What a watch has done so far; for a status line and for tests.
public struct WatchCounters: Sendable, Hashable {
  /// Folders watched now; 0 while polling.
  public var watches = 0
  /// Events read from the kernel.
  public var events = 0
  /// Times the kernel's queue ran over.
  public var overflows = 0
  /// Times everything was marked as dirty after that.
  public var rescans = 0
  /// Looks taken while polling.
  public var polls = 0
  /// Places that are not whole yet, and those held for git; 0 when all is quiet.
  public var waiting = 0
  /// Batches handed out or merged into one that waits.
  public var batches = 0
  /// Times the watch's thread woke up; it does not while nothing happens.
  public var wakeups = 0
  public var isPolling = false

  public init() {}
}
