import PlainText

/// A message for people that the daemon sends beside a rendered list.
package struct RenderedMessage: Sendable, Hashable {
  /// The text.
  package let text: String

  /// Makes a message.
  package init(_ text: String) {
    self.text = text
  }
}

/// One frame of a rendered list.
enum RenderedFrame: Hashable {
  /// So many bytes of output follow the line.
  case output(Int)
  case message(RenderedMessage)
  /// The list is complete; the exit code.
  case end(Int32)
  /// The daemon refused the request, or ended it.
  case refusal(DaemonError)
  /// A frame of a later version, which clients ignore.
  case unknown

  /// Reads the line of a frame.
  ///
  /// - Throws: `DaemonError` if the line is not a frame.
  init(_ line: [UInt8]) throws(DaemonError) {
    guard let value = try? PackedValue(reading: line, as: .json).value, let type = value["type"]?.text else { throw .badAnswer }
    switch type {
    case "output":
      guard let count = value["bytes"]?.integer, count >= 0 else { throw .badAnswer }
      self = .output(count)
    case "message": self = .message(RenderedMessage(value["text"]?.text ?? ""))
    case "end":
      guard let code = value["code"]?.integer, (0...255).contains(code) else { throw .badAnswer }
      self = .end(Int32(code))
    case "error": self = DaemonClient.refusal(in: line).map(RenderedFrame.refusal) ?? .unknown
    default: self = .unknown
    }
  }
}

extension Value {
  /// The number of a value that is an integer; nil for anything else.
  var integer: Int? {
    guard case .number(.integer(let number)) = self else { return nil }
    return number
  }
}
