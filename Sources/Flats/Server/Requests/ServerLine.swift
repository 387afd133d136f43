package import Values

/// A line of the server that is not part of a stream.
package enum ServerLine: Sendable, Hashable {
  /// The header of this many bytes of output, which follow its line break.
  case output(bytes: Int)
  /// A sentence for people, without a program's name.
  case message(String)
  /// A problem of a file, with its place, as `list` prints it: without a program's name.
  case problem(String)
  /// The end of a rendered list, with the exit code.
  case end(code: Int)
  /// The answer to `status`.
  case status(Fields)
  /// The answer to `retry`.
  case done
  /// The refusal of the request. The connection then ends.
  case error(code: String, message: String)

  /// The line, with its line break.
  package var bytes: [UInt8] {
    var fields: Fields = ["v": .number(.integer(ClientRequest.version))]
    switch self {
    case .output(let count):
      fields["type"] = .string("output")
      fields["bytes"] = .number(.integer(count))
    case .message(let text):
      fields["type"] = .string("message")
      fields["text"] = .string(text)
    case .problem(let text):
      fields["type"] = .string("message")
      fields["problem"] = .bool(true)
      fields["text"] = .string(text)
    case .end(let code):
      fields["type"] = .string("end")
      fields["code"] = .number(.integer(code))
    case .status(let answer):
      fields["type"] = .string("status")
      fields = fields.merging(answer)
    case .done: fields["type"] = .string("done")
    case .error(let code, let message):
      fields["type"] = .string("error")
      fields["code"] = .string(code)
      fields["message"] = .string(message)
    }
    return Array("\(JSONWriter.text(of: .map(fields)))\n".utf8)
  }

  /// The line of a refusal.
  package init(_ error: RequestError) {
    self = .error(code: error.code.rawValue, message: error.message)
  }

  /// Reads a line.
  ///
  /// - Parameter bytes: The line without its line break.
  /// - Returns: Nil if the line is part of a stream, or of a type that this version does not know.
  ///   Skip such a line if it is not part of a stream.
  package init?(reading bytes: [UInt8]) {
    guard case .map(let fields)? = try? PackedValue(reading: bytes, as: .json).value,
      case .string(let type)? = fields["type"]
    else {
      return nil
    }
    switch (type, fields["bytes"], fields["code"], fields["message"] ?? fields["text"]) {
    case ("output", .number(.integer(let count))?, _, _) where count >= 0: self = .output(bytes: count)
    case ("message", _, _, .string(let text)?):
      self = fields["problem"] == .bool(true) ? .problem(text) : .message(text)
    case ("end", _, .number(.integer(let code))?, _): self = .end(code: code)
    case ("status", _, _, _):
      var answer = fields
      answer["v"] = nil
      answer["type"] = nil
      self = .status(answer)
    case ("done", _, _, _): self = .done
    case ("error", _, .string(let code)?, .string(let message)?): self = .error(code: code, message: message)
    default: return nil
    }
  }
}
