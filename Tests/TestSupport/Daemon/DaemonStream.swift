import Foundation

/// A client of the daemon that gets a stream and changes it with control lines, as `watch --connect`
/// does, and by which a test says and reads exactly what it wants.
///
/// Reads block the calling thread, at most for a while.
package final class DaemonStream {
  /// The reason why nothing more can be read.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let path: String
  private let client: WebClient
  private var control: WebClient?
  /// True if the answer to the last control lines was not read yet.
  private var awaitsControl = false
  /// The place for control lines without the id of the stream.
  private var controlBase = ""
  /// The place for control lines; nil until the stream has begun.
  private var controlTarget: String?
  /// The bytes of lines that were not read yet.
  private var bytes: [UInt8] = []
  /// The lines that were not consumed yet.
  private var lines: [[UInt8]] = []
  private var event: String?
  private var hasRequest = false
  private var hasEnded = false
  /// True if the connection ended before the answer.
  private var isBroken = false

  /// Connects to the socket of a daemon.
  package init(_ path: String) throws {
    self.path = path
    client = try WebClient(path: path)
  }

  /// Closes the connection.
  package func close() { client.close() }

  /// Ends the sending side. The daemon can still send.
  package func closeWriting() { client.closeWriting() }

  /// Sends the request, `{"folder":PATH,"view":{…} or NAME,"since":TOKEN,"id-field":…,"max-size":…}`;
  /// later a control line.
  package func send(line: String) { hasRequest ? send("\(line)\n".utf8) : begin(line) }

  /// Sends bytes of control lines.
  package func send(_ bytes: some Sequence<UInt8>) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 << 16)
      rest = rest.dropFirst(piece.count)
      try? sendControl(Array(piece))
    }
  }

  private func sendControl(_ bytes: [UInt8]) throws {
    while controlTarget == nil, try readMore() {}
    if awaitsControl { _ = try control?.answer() }
    let control = try self.control ?? WebClient(path: path)
    self.control = control
    control.send(
      "POST \(controlTarget ?? "/") HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(bytes.count)\r\n\r\n")
    control.send(bytes)
    awaitsControl = true
  }

  private func begin(_ request: String) {
    hasRequest = true
    do {
      let request = try JSONSerialization.jsonObject(with: Data(request.utf8)) as? [String: Any] ?? [:]
      var target = "/folder?path=\(DaemonStream.encoded(request["folder"] as? String ?? ""))"
      if let fields = request["id-field"] as? String { target += "&id-field=\(DaemonStream.encoded(fields))" }
      if let size = request["max-size"] as? Int { target += "&max-size=\(size)" }
      if let view = request["view"] as? String { target += "&view=\(DaemonStream.encoded(view))" }
      client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
      let found = try client.answer()
      guard found.status == 200 else { return refuse(found) }
      let name = DaemonStream.encoded(try JSON(Data(found.body)).name.string ?? "")
      var view = request["view"] as? [String: Any] ?? [:]
      if let name = request["view"] as? String { view["view"] = name }
      if let token = request["since"] as? String { view["since"] = token }
      let body = try JSONSerialization.data(withJSONObject: view)
      client.send(
        "POST /\(name)/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.count)\r\n\r\n\(String(decoding: body, as: UTF8.self))")
      let head = try client.head()
      guard head.status == 200 else { return refuse(try client.body(of: head)) }
      controlBase = "/\(name)/stream/lines?stream="
    } catch {
      (hasEnded, isBroken) = (true, true)
    }
  }

  /// Makes a line of a problem document.
  private func refuse(_ answer: WebClient.Answer) {
    let problem = try? JSON(Data(answer.body))
    let code = problem?.type.string?.split(separator: ":").last.map(String.init) ?? ""
    let line = ["type": "error", "code": code, "message": problem?.detail.string ?? ""]
    lines.append([UInt8]((try? JSONEncoder().encode(line)) ?? Data()))
    hasEnded = true
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Returns the next line without its line break; nil at the end of the stream.
  ///
  /// - Throws: `Failure` if the end comes in the middle of a line, or if nothing comes.
  package func nextLine() throws -> [UInt8]? {
    while lines.isEmpty {
      if try !readMore() {
        if bytes.isEmpty, !isBroken { return nil }
        throw Failure(
          description:
            "the stream ended in the middle of a line: \(String(decoding: bytes.suffix(200), as: UTF8.self))")
      }
    }
    return lines.removeFirst()
  }

  /// Returns the next line as JSON.
  ///
  /// - Throws: `Failure` at the end of the stream.
  package func nextJSON() throws -> JSON {
    guard let line = try nextLine() else { throw Failure(description: "the stream has ended") }
    return try JSON(Data(line))
  }

  /// Applies lines to a reader until a condition holds.
  ///
  /// - Throws: The reader's errors, and `Failure` at the end of the stream.
  package func read(into reader: inout StreamReader, until condition: (StreamReader) throws -> Bool) throws {
    while try !condition(reader) {
      guard let line = try nextLine() else { throw Failure(description: "the stream has ended") }
      try reader.apply(line)
    }
  }

  /// Reads a chunk of the stream. Returns false at its end.
  private func readMore() throws -> Bool {
    guard !hasEnded, hasRequest else { return false }
    do {
      guard let chunk = try client.chunk() else {
        hasEnded = true
        return false
      }
      bytes += chunk
    } catch {
      (hasEnded, isBroken) = (true, true)
      return false
    }
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: bytes[..<end], as: UTF8.self)
      let raw = Array(bytes[..<end])
      bytes.removeFirst(end + 1)
      if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
      if line.isEmpty { event = nil }
      guard line.hasPrefix("data: ") else { continue }
      let data = Array(raw.dropFirst(6))
      if event == "stream" {
        controlTarget = controlBase + (try JSON(Data(data)).stream.string ?? "")
      } else {
        lines.append(data)
      }
    }
    return true
  }
}
