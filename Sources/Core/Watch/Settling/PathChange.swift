/// A change of one path, as a source observes it.
enum PathChange: Sendable, Hashable {
  /// Removed or renamed away. The cookie links it to its `arrived`; it is 0 if there is none.
  case vanished(cookie: UInt32)
  case created(isEmpty: Bool)
  /// Written to, and still open.
  case written(isEmpty: Bool)
  /// Its attributes changed, or the kind of change is unknown.
  case changed(isEmpty: Bool)
  /// Closed after writing.
  case completed(isEmpty: Bool)
  /// Renamed into place.
  case arrived(cookie: UInt32)
  /// No change is known, but a user of the watcher requested a check.
  case requested
}
