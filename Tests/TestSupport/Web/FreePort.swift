import Glibc

/// A port of this machine on which no program listens.
package enum FreePort {
  /// Finds a port. Another program may take it before it is used.
  package static func find() throws -> Int {
    let end = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    defer { close(end) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(end, $0, size) | getsockname(end, $0, &size)
      }
    }
    if code != 0 { throw WebClient.Failure(description: "there is no free port: error \(errno)") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
