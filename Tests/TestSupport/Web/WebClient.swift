import Foundation
import Glibc

/// A connection to a web server, by which a test sends and reads exactly what it wants.
///
/// Reads block the calling thread, at most for a while.
package final class WebClient {
  /// The reason why something cannot be sent or read.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// An answer.
  package struct Answer {
    package let status: Int
    /// The lines of the head, without the first.
    package let fields: [String]
    package let body: [UInt8]

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the value of a field; nil if it is not there.
    package subscript(name: String) -> String? {
      fields.first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }.map {
        String($0.dropFirst(name.count + 2))
      }
    }
  }

  private static let patience = 40 * Patience.factor

  private let socket: CInt
  /// The bytes that were received and not consumed yet.
  private var bytes: [UInt8] = []
  private var isOpen = true

  /// Connects to a port of this machine.
  ///
  /// - Parameter room: The size of the buffer for what is received; nil for the usual one.
  package init(port: Int, room: CInt? = nil) throws {
    socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: WebClient.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var room { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code != 0 { throw Failure(description: "cannot connect: \(errno)") }
  }

  /// Connects to a Unix socket.
  package init(path: String) throws {
    socket = try UnixSocket.open(path) { Glibc.connect($0, $1, $2) }
    var limit = timeval(tv_sec: WebClient.patience, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close() }

  /// Closes the connection.
  package func close() {
    if isOpen { Glibc.close(socket) }
    isOpen = false
  }

  /// Closes the connection so that the server gets a reset.
  package func reset() {
    var reset = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Ends the sending side.
  package func closeWriting() { shutdown(socket, CInt(SHUT_WR)) }

  /// Sends a text. A closed connection is not an error.
  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes. A closed connection is not an error.
  package func send(_ bytes: [UInt8]) { sendAll(bytes, to: socket) }

  /// Reads the next answer.
  ///
  /// - Parameter hasBody: False for the answer to `HEAD`.
  package func answer(hasBody: Bool = true) throws -> Answer {
    let head = try head()
    return hasBody ? try body(of: head) : head
  }

  /// Reads the head of the next answer.
  package func head() throws -> Answer {
    var head: [String] = []
    while let line = try line(), !line.isEmpty { head.append(line) }
    guard let first = head.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
      throw Failure(description: "there is no answer: \(head)")
    }
    return Answer(status: status, fields: Array(head.dropFirst()), body: [])
  }

  /// Reads the body of an answer.
  package func body(of answer: Answer) throws -> Answer {
    guard ![204, 304].contains(answer.status), answer.status >= 200 else { return answer }
    let body: [UInt8]
    if answer["transfer-encoding"] == "chunked" {
      var all: [UInt8] = []
      while let chunk = try chunk() { all += chunk }
      body = all
    } else if let length = answer["content-length"].flatMap(Int.init) {
      body = try read(length)
    } else {
      body = try rest()
    }
    return Answer(status: answer.status, fields: answer.fields, body: body)
  }

  /// Reads the next chunk of a body; nil at its end.
  package func chunk() throws -> [UInt8]? {
    guard let count = try line().flatMap({ Int($0, radix: 16) }) else {
      throw Failure(description: "there is no chunk")
    }
    let bytes = try read(count)
    guard try line() == "" else { throw Failure(description: "a chunk does not end with its length") }
    return count == 0 ? nil : bytes
  }

  /// Reads a line without its end; nil at the end of the connection.
  package func line() throws -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      }
      if try !readMore() { return nil }
    }
  }

  /// Reads to the end of the connection.
  package func rest() throws -> [UInt8] {
    while try readMore() {}
    defer { bytes = [] }
    return bytes
  }

  /// Returns true if the connection ends without further bytes.
  package func isAtEnd() throws -> Bool { try bytes.isEmpty && !readMore() }

  /// Returns true if something has arrived, or the connection has ended.
  ///
  /// - Parameter milliseconds: The longest time to wait for it.
  package func hasInput(within milliseconds: CInt) throws -> Bool {
    if !bytes.isEmpty { return true }
    var end = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&end, 1, milliseconds)
      if count >= 0 { return count > 0 }
      if errno != EINTR { throw Failure(description: "cannot wait: error \(errno)") }
    }
  }

  private func read(_ count: Int) throws -> [UInt8] {
    while bytes.count < count {
      if try !readMore() {
        throw Failure(description: "the connection ended after \(bytes.count) of \(count) bytes")
      }
    }
    defer { bytes.removeFirst(count) }
    return Array(bytes[..<count])
  }

  /// Reads what has arrived. Returns false at the end of the connection.
  private func readMore() throws -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &room, room.count, 0)
      if count > 0 { bytes += room[..<count] }
      if count >= 0 { return count > 0 }
      if errno == EINTR { continue }
      if errno == ECONNRESET { return false }
      throw Failure(description: "nothing arrives: error \(errno)")
    }
  }
}
