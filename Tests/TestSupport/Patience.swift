import Foundation

package enum Patience {
  /// The factor by which `NOTES_WATCH_PATIENCE` extends every deadline, for a program that a
  /// sanitizer slows down.
  package static let factor =
    ProcessInfo.processInfo.environment["NOTES_WATCH_PATIENCE"].flatMap(Int.init) ?? 1
}
