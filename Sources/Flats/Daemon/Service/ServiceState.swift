/// A message to the service manager, such as systemd.
package enum ServiceState: Sendable, Hashable {
  /// All folders are open, or wait with a reason.
  case ready
  /// A sentence for people.
  case status(String)
  /// The configuration is being read again.
  case reloading
  /// The daemon ends.
  case stopping
  /// The loop that does the work is alive.
  case watchdog
}
