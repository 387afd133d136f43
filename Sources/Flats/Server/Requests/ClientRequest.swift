import PlainStore
import Sinks
import Streams
import Values

/// The first line of a client.
package enum ClientRequest: Sendable, Hashable {
  /// A live stream, as `-o jsonl --control` prints it.
  case stream(ViewRequest)
  /// A list as text.
  case rendered(ViewRequest, OutputRequest)
  /// The state of the daemon, with one folder or all.
  case status(folder: String?)
  /// The continuation of a sink whose change failed too often.
  case retry(sink: String, folder: String)

  /// The version of the protocol.
  package static let version = 1
  /// The largest number of bytes in a line, without its line break.
  package static let maxLength = LineBuffer.maxLength
}

extension ClientRequest {
  /// The line that asks for this, with its line break.
  package var line: [UInt8] {
    var fields: Fields = ["v": .number(.integer(ClientRequest.version))]
    switch self {
    case .stream(let view): ClientRequest.write(view, to: &fields)
    case .rendered(let view, let output):
      ClientRequest.write(view, to: &fields)
      fields["output"] = .map(output.written)
    case .status(let folder):
      fields["request"] = .string("status")
      fields["folder"] = folder.map(Value.string)
    case .retry(let sink, let folder):
      fields["request"] = .string("retry")
      fields["folder"] = .string(folder)
      fields["sink"] = .string(sink)
    }
    return Array("\(JSONWriter.text(of: .map(fields)))\n".utf8)
  }

  private static func write(_ view: ViewRequest, to fields: inout Fields) {
    fields["folder"] = .string(view.folder)
    let own = view.own.written
    // A view that is only a name is written as such.
    if let name = view.name, own.isEmpty {
      fields["view"] = .string(name)
    } else {
      if !own.isEmpty { fields["view"] = .map(own) }
      fields["named"] = view.name.map(Value.string)
    }
    fields["since"] = view.since.map(Value.string)
    fields["id-field"] = view.idField.map(Value.string)
    fields["max-size"] = view.maxSize.map { .number(.integer($0)) }
  }

  /// Reads the first line of a client.
  ///
  /// - Parameter bytes: The line without its line break; nil if it was too long to keep.
  /// - Throws: `RequestError` with the column of the mistake.
  package init(reading bytes: [UInt8]?) throws(RequestError) {
    guard let bytes else {
      throw RequestError(.badRequest, "The request is longer than \(ClientRequest.maxLength) bytes.")
    }
    let reader = RequestReader(try ClientRequest.fields(of: bytes))
    try reader.checkVersion()
    switch try reader.text("request") {
    case nil: self = try reader.list()
    case "status"?: self = .status(folder: try reader.folder())
    case "retry"?:
      self = .retry(
        sink: try reader.required(reader.text("sink"), "sink"),
        folder: try reader.required(reader.folder(), "folder"))
    case let other?:
      throw RequestError(.badRequest, "There is no request `\(other)`. The requests are status and retry.")
    }
  }

  private static func fields(of bytes: [UInt8]) throws(RequestError) -> Fields {
    let value: Value
    do throws(TextError) {
      value = try PackedValue(reading: bytes, as: .json).value
    } catch {
      throw RequestError(
        .badRequest, "The request is not valid JSON, column \(error.column): \(error.message)")
    }
    guard case .map(let fields) = value else {
      throw RequestError(
        .badRequest,
        "The request is not a JSON object. Send a line such as {\"v\":1,\"folder\":\"/home/ada/notes\"}.")
    }
    return fields
  }
}
