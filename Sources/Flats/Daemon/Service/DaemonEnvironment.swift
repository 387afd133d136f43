package import Logging
package import StateStore
package import Store

/// The services that the daemon needs from the program and from the system.
package struct DaemonEnvironment {
  package var version: String
  /// The variables `XDG_STATE_HOME` and `HOME`.
  package var variables: [String: String] = [:]
  package var clock: @Sendable () -> Timestamp
  package var log: Logger
  package var notify: @Sendable (ServiceNotifier.Message) -> Void = { _ in }
  /// The time between two reports to a manager that watches this process; nil without one.
  package var watchdogInterval: Duration?
  /// Opens the cache of a folder; nil for no cache.
  package var openCache: (@Sendable (ReadCacheContext) -> (any ReadCache)?)?
  /// Returns the digest of the list that a state holds; nil without a cache.
  package var knownList: @Sendable (StateLocation) -> KnownList? = { _ in nil }
  /// Queue: waits for scans, for the ends of folders and of the daemon, and for the next sign of
  /// life. Nothing on it blocks.
  let waiting = QueueExecutor("waiting")

  /// Describes a program without a cache and without a service manager.
  package init(version: String, clock: @escaping @Sendable () -> Timestamp, log: Logger) {
    self.version = version
    self.clock = clock
    self.log = log
  }
}
