import Glibc

/// Sends all bytes to a socket. A closed connection is not an error.
func sendAll(_ bytes: [UInt8], to socket: CInt) {
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes {
      Glibc.send(socket, $0.baseAddress.map { $0 + start }, bytes.count - start, CInt(MSG_NOSIGNAL))
    }
    if count < 0, errno == EINTR { continue }
    if count < 0 { return }
    start += count
  }
}
