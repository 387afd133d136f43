import Foundation
import Glibc

/// A connection to a Unix socket, by which a test says and reads exactly what it wants.
///
/// Reads block the calling thread, at most for a while.
package final class SocketClient {
  /// The reason why nothing more can be read.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  private static let patience = CInt(40_000 * Patience.factor)

  private let socket: CInt
  /// The bytes that were received and not consumed yet.
  private var bytes: [UInt8] = []
  private var isOpen = true

  /// Connects to a socket.
  package init(_ path: String) throws {
    socket = try UnixSocket.open(path) { Glibc.connect($0, $1, $2) }
  }

  /// Adopts a connection.
  package init(owning socket: CInt) {
    self.socket = socket
  }

  deinit { close() }

  /// Closes the connection.
  package func close() {
    if isOpen { Glibc.close(socket) }
    isOpen = false
  }

  /// Ends the sending side. The daemon can still send.
  package func closeWriting() { shutdown(socket, CInt(SHUT_WR)) }

  /// Sends all bytes. A closed connection is not an error.
  package func send(_ bytes: some Sequence<UInt8>) { sendAll(Array(bytes), to: socket) }

  /// Sends a text with a line break.
  package func send(line: String) { send("\(line)\n".utf8) }

  /// Returns the next line without its line break; nil at the end of the connection.
  ///
  /// - Throws: `Failure` if the end comes in the middle of a line, or if nothing comes.
  package func nextLine() throws -> [UInt8]? {
    var scanned = 0
    while true {
      if let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return Array(bytes[..<end])
      }
      scanned = bytes.count
      if try !readMore() {
        if bytes.isEmpty { return nil }
        throw Failure(
          description:
            "the connection ended in the middle of a line: \(String(decoding: bytes.suffix(200), as: UTF8.self))"
        )
      }
    }
  }

  /// Returns the next line as JSON.
  ///
  /// - Throws: `Failure` at the end of the connection.
  package func nextJSON() throws -> JSON {
    guard let line = try nextLine() else { throw Failure(description: "the connection has ended") }
    return try JSON(Data(line))
  }

  /// Returns exactly `count` bytes.
  ///
  /// - Throws: `Failure` at the end of the connection.
  package func nextBytes(_ count: Int) throws -> [UInt8] {
    while bytes.count < count {
      if try !readMore() {
        throw Failure(description: "the connection ended after \(bytes.count) of \(count) bytes")
      }
    }
    defer { bytes.removeFirst(count) }
    return Array(bytes[..<count])
  }

  /// Applies lines to a reader until a condition holds.
  ///
  /// - Throws: The reader's errors, and `Failure` at the end of the connection.
  package func read(into reader: inout StreamReader, until condition: (StreamReader) throws -> Bool) throws {
    while try !condition(reader) {
      guard let line = try nextLine() else { throw Failure(description: "the connection has ended") }
      try reader.apply(line)
    }
  }

  private func readMore() throws -> Bool {
    var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, SocketClient.patience) > 0 else {
      throw Failure(
        description: "nothing more came after: \(String(decoding: bytes.suffix(200), as: UTF8.self))")
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count <= 0 { return false }
    bytes += buffer[..<count]
    return true
  }
}
