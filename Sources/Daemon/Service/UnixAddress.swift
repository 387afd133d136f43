import Glibc
import LinuxFiles
import SystemPackage

/// The address of a socket of this machine: an absolute path, or a name in the abstract namespace
/// that begins with `@`.
struct UnixAddress: Sendable {
  private let address: sockaddr_un
  private let length: socklen_t

  /// Returns nil if the name is neither, or is too long.
  init?(_ name: String) {
    var bytes = Array(name.utf8)
    guard bytes.count > 1, !bytes.contains(0) else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "@"): bytes[0] = 0
    case UInt8(ascii: "/"): bytes.append(0)
    default: return nil
    }
    var address = sockaddr_un()
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    self.address = address
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
  }

  /// Sends one datagram without waiting.
  func send(_ text: String) throws(Errno) {
    let socket = try UnixAddress.socket(SOCK_DGRAM)
    let bytes = Array(text.utf8)
    try systemCall {
      withAddress { sendto(socket.raw, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL), $0, length) }
    }
  }

  /// Returns true if a program accepts connections there.
  var accepts: Bool {
    guard let socket = try? UnixAddress.socket(SOCK_STREAM) else { return false }
    return retryOnInterrupt { withAddress { connect(socket.raw, $0, length) } } == 0
  }

  private static func socket(_ type: __socket_type) throws(Errno) -> Descriptor {
    let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    return Descriptor(owning: try systemCall { Glibc.socket(AF_UNIX, CInt(type.rawValue) | flags, 0) })
  }

  private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }
}
