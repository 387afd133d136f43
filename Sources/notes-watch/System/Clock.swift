import Glibc
import PlainText

enum Clock {
  /// What time it is, in UTC.
  @Sendable static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// The same by the clock on the wall: local time, without a zone.
  @Sendable static func local() -> Timestamp {
    var time = time(nil)
    var parts = tm()
    localtime_r(&time, &parts)
    return Timestamp(seconds: Int64(timegm(&parts)), nanoseconds: 0).local
  }
}
