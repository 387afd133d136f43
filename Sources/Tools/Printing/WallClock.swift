import Glibc
package import Values

/// The clock of the system, for the times that outputs show.
package enum WallClock {
  @Sendable package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// Returns the current local time of day, such as `12:03:04`.
  package static func timeOfDay() -> String {
    var time = time(nil)
    var parts = tm()
    localtime_r(&time, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { ($0 < 10 ? "0" : "") + String($0) }.joined(
      separator: ":")
  }

  /// Returns the current local time, without a time zone and to the second.
  @Sendable package static func local() -> Timestamp {
    var time = time(nil)
    var parts = tm()
    localtime_r(&time, &parts)
    return Timestamp(seconds: Int64(timegm(&parts)), nanoseconds: 0).local
  }
}
