/// One event of a ``DirectoryWatcher``.
public enum WatchEvent: Sendable, Hashable {
  /// These paths may have changed.
  case dirty(DirtyPaths)
  /// The time requested by ``DirectoryWatcher/scheduleTick(after:)`` has come. Every change
  /// observed before it is in an earlier batch.
  case tick
}
