#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Values

extension PredicateContext: CustomStringConvertible {
  /// The day and the time zone: `2026-11-22 in Europe/Berlin`; only the day in the zone of the
  /// system.
  public var description: String {
    let midnight = Timestamp(seconds: Int64(today) * 86_400, nanoseconds: 0)
    return midnight.text.prefix { $0 != "T" } + (timeZone.map { " in \($0.identifier)" } ?? "")
  }
}
