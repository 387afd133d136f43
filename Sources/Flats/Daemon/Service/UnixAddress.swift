import Files
import Glibc
import SystemPackage

/// The address to which a service manager wants its messages: an absolute path, or a name in the
/// abstract namespace that begins with `@`.
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
    let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(owning: try systemCall { Glibc.socket(AF_UNIX, kind, 0) })
    let bytes = Array(text.utf8)
    try systemCall {
      withUnsafePointer(to: address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(socket.raw, bytes, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL), $0, length)
        }
      }
    }
  }

}
