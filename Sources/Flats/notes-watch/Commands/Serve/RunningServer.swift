import Files
import Glibc
import SystemPackage
import Values

/// A web server that runs on this machine, asked by its own user.
struct RunningServer {
  /// The IP address, without brackets.
  let address: String
  /// The port.
  let port: Int

  /// The address as the field `Host` has it.
  var host: String { address.contains(":") ? "[\(address)]" : address }

  /// The reason why a server cannot be asked.
  struct Failure: Error {
    /// One sentence.
    let message: String
    /// True if the server belongs to another user.
    var isDenied = false
  }

  /// The answer of a server.
  struct Answer {
    let status: Int
    /// The JSON document; nil if it is none.
    let document: Value?
  }

  /// The time that the server has for an answer, in seconds.
  private static let timeout = 5
  private static let maxAnswer = 1 << 16

  /// Checks that the server belongs to this user: another program on the port must not get the
  /// token.
  func checkOwner() throws(Failure) {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { try? InputFile.read($0, upTo: 1 << 26) }
    let owners = tables.flatMap {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").dropFirst().compactMap(owner)
    }
    if owners.isEmpty { throw Failure(message: "No server listens on port \(port).") }
    if owners.contains(where: { $0 != geteuid() }) {
      throw Failure(message: "The server on port \(port) belongs to another user.", isDenied: true)
    }
  }

  /// Returns the user of a socket that listens on the port; nil for other lines of the table.
  private func owner(_ line: Substring) -> uid_t? {
    let words = line.split(separator: " ")
    guard words.count > 7, words[3] == "0A", let digits = words[1].split(separator: ":").last,
      Int(digits, radix: 16) == port
    else {
      return nil
    }
    return uid_t(words[7])
  }

  /// Sends an empty JSON object, and reads the answer.
  func post(_ path: String, host: String, token: String) throws(Failure) -> Answer {
    let request = """
      POST \(path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\
      Content-Length: 2\r\nConnection: close\r\n\r\n{}
      """
    let answer: [UInt8]
    do throws(Errno) {
      let connection = try connected()
      try systemCall { send(connection.raw, request, request.utf8.count, CInt(MSG_NOSIGNAL)) }
      answer = try RunningServer.read(connection.raw)
    } catch {
      throw Failure(message: "The server on port \(port) does not answer: \(error.reason).")
    }
    let text = String(decoding: answer, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let words = parts.first?.split(separator: " ", maxSplits: 2) ?? []
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw Failure(message: "The program on port \(port) is not a web server.")
    }
    return Answer(
      status: status,
      document: parts.count < 2 ? nil : try? PackedValue(reading: Array(parts[1].utf8), as: .json).value)
  }

  /// Reads to the end of the connection. Each part has to arrive within the time limit.
  private static func read(_ connection: CInt) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 12)
    while bytes.count < maxAnswer {
      let count = try systemCall { recv(connection, &room, room.count, 0) }
      if count == 0 { break }
      bytes += room[..<count]
    }
    return bytes
  }

  private func connected() throws(Errno) -> Descriptor {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &found) == 0, let place = found?.pointee else {
      throw .addressNotAvailable
    }
    defer { freeaddrinfo(found) }
    let connection = Descriptor(
      owning: try systemCall { socket(place.ai_family, place.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0) })
    var limit = timeval(tv_sec: RunningServer.timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      try systemCall {
        setsockopt(connection.raw, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
    }
    try systemCall { connect(connection.raw, place.ai_addr, place.ai_addrlen) }
    return connection
  }
}
