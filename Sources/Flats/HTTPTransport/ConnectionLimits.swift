import NIOCore
import NIOHTTP1

/// The limits of one connection that are the same for every server.
enum ConnectionLimits {
  /// The largest size of a head in bytes: the target, and the names and values of the fields.
  static let headSize = 32 << 10
  static let targetSize = 16 << 10
  static let fieldCount = 100
  static let readSize = 4 << 10
  /// The number of unwanted bytes after which requests are dropped.
  static let maxUnwantedBytes = 4 << 10
  /// The number of bytes that are written at a time. The client has `WebOptions.clientTimeout` for each.
  static let writeSize = 64 << 10
  /// The number of bytes of a body that have to arrive in each `WebOptions.requestTimeout`.
  static let bodyProgress = 4 << 10
  /// The time without a request after which a connection is closed.
  static let idleTimeout = TimeAmount.seconds(60)
  /// The time in which a client can read the end of an answer before its connection is closed.
  static let lingerTimeout = TimeAmount.seconds(1)
  /// The same time for a refused connection that has the last descriptor: others wait for it.
  static let shortLingerTimeout = TimeAmount.milliseconds(100)
  /// The largest number of bytes that the system holds for a client before it sends them.
  static let maxUnsentBytes = 128 << 10
  /// `TCP_NOTSENT_LOWAT` of Linux. Without it, the system holds some megabytes for each client.
  static let unsentBytes = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25))

  static var parser: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = headSize
    limits.maxHeaderListSize = headSize
    limits.maxHeaderFieldCount = fieldCount
    return limits
  }
}
