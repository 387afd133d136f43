import ArgumentParser
import Files
import Glibc
import SystemPackage
import Values

/// An address and a port: `127.0.0.1:7747`, `[::1]:7747`, `localhost:8080`, or only a port.
struct ListenAddress: Hashable, CustomStringConvertible {
  let address: String
  let port: Int

  static let standard = ListenAddress(address: "127.0.0.1", port: 7_747)

  var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

  var isAny: Bool { ["0.0.0.0", "::"].contains(address) }

  var loopbackNames: [String] {
    switch address {
    case "::1", "::": ["[::1]", "localhost"]
    case "127.0.0.1", "0.0.0.0": ["127.0.0.1", "localhost"]
    default: [address]
    }
  }

  var host: String { address.contains(":") ? "[\(address)]" : address }

  var description: String { "\(host):\(port)" }

  static func refusal(of text: String) -> String {
    "`\(text)` is not an IP address with a port. Write one such as 127.0.0.1:7747 or [::1]:7747, localhost:7747, or only a port."
  }

  /// Returns what is wrong with an address for other machines if something that these need is missing.
  func mistake(lacking needs: [(isMissing: Bool, name: String)]) -> String? {
    let missing = needs.filter(\.isMissing).map(\.name)
    if isLoopback || missing.isEmpty { return nil }
    return "\(self) lets other machines connect. Give \(missing.joined(separator: " and ")), too."
  }

  func at(port: Int) -> ListenAddress { ListenAddress(address: address, port: port) }
}

extension ListenAddress {
  /// Reads an address; nil if the text is none. Names other than `localhost` are not looked up.
  init?(parsing text: String) {
    let (host, digits): (Substring, Substring)
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      host = text[..<colon]
      digits = text[text.index(after: colon)...]
    } else {
      host = "127.0.0.1"
      digits = text[...]
    }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else { return nil }
    let isBracketed = host.first == "[" && host.last == "]"
    let address =
      host == "localhost" ? "127.0.0.1" : isBracketed ? String(host.dropFirst().dropLast()) : String(host)
    // Without brackets, the last part of such an address could be the port.
    guard isBracketed == address.contains(":"),
      let address = ListenAddress.canonical(address, isBracketed ? AF_INET6 : AF_INET)
    else {
      return nil
    }
    self.init(address: address, port: Int(port))
  }

  /// Returns an IP address as the system writes it: `::1` for `0:0::1`; nil for anything else.
  private static func canonical(_ text: String, _ family: CInt) -> String? {
    var address = in6_addr()
    var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_pton(family, text, &address) == 1,
      inet_ntop(family, &address, &name, socklen_t(name.count)) != nil
    else { return nil }
    return name.withUnsafeBufferPointer { name in name.baseAddress.map { String(cString: $0) } }
  }
}

/// A server that runs on this machine, asked by its own user.
extension ListenAddress {
  /// The address at which to ask a server that listens on this one.
  var asked: ListenAddress { isAny ? ListenAddress(address: loopbackNames[0], port: port) : self }

  static let advice =
    "Start a server with `notes-watch serve DIR`, or name its address with --listen and its token with --token-file."

  private static func failure(_ message: String, _ code: ExitCode = .unavailable) -> Failure {
    Failure(code, "\(message) \(advice)")
  }

  /// The time that the server has for an answer, in seconds.
  private static let timeout = 5
  private static let maxAnswer = 1 << 16

  /// Another program on the port must not get the token.
  func checkOwner() throws(Failure) {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { try? readInput($0, upTo: 1 << 26) }
    let owners = tables.flatMap {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").dropFirst().compactMap(owner)
    }
    if owners.isEmpty { throw ListenAddress.failure("No server listens on port \(port).") }
    if owners.contains(where: { $0 != geteuid() }) {
      throw ListenAddress.failure("The server on port \(port) belongs to another user.", .noPermission)
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

  /// Sends an empty JSON object. The document is nil if the answer has none.
  func post(_ path: String, host: String, token: String) throws(Failure) -> (status: Int, document: Value?) {
    let request = """
      POST \(path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\
      Content-Length: 2\r\nConnection: close\r\n\r\n{}
      """
    let answer: [UInt8]
    do throws(Errno) {
      let connection = try connected()
      try systemCall { send(connection.raw, request, request.utf8.count, CInt(MSG_NOSIGNAL)) }
      answer = try ListenAddress.read(connection.raw)
    } catch {
      throw ListenAddress.failure("The server on port \(port) does not answer: \(error.reason).")
    }
    let text = String(decoding: answer, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let words = parts.first?.split(separator: " ", maxSplits: 2) ?? []
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw ListenAddress.failure("The program on port \(port) is not a web server.")
    }
    let document = parts.count < 2 ? nil : try? PackedValue(reading: Array(parts[1].utf8), as: .json).value
    return (status, document)
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
    var limit = timeval(tv_sec: ListenAddress.timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      try systemCall {
        setsockopt(connection.raw, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
    }
    try systemCall { connect(connection.raw, place.ai_addr, place.ai_addrlen) }
    return connection
  }
}
