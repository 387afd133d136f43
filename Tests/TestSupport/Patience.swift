import Foundation

package enum Patience {
  /// What `NOTES_WATCH_PATIENCE` multiplies every deadline by, for a program that a sanitizer slows down.
  package static let factor = ProcessInfo.processInfo.environment["NOTES_WATCH_PATIENCE"].flatMap(Int.init) ?? 1
}
