package import PlainText

/// The first line of a client: a request to the daemon.
package struct DaemonRequest: Sendable, Hashable {
  /// The fields of the line after the version.
  private(set) var fields: Fields

  /// The line with its line break.
  package var line: [UInt8] {
    var all: Fields = ["v": .number(.integer(1))]
    for (key, value) in fields { all[key] = value }
    return Array(JSONWriter.text(of: .map(all)).utf8) + [UInt8(ascii: "\n")]
  }

  /// Asks what the daemon knows.
  ///
  /// - Parameter folder: The absolute path of one folder; nil for all.
  package static func status(of folder: String?) -> DaemonRequest {
    var fields: Fields = ["request": "status"]
    fields["folder"] = folder.map(Value.string)
    return DaemonRequest(fields: fields)
  }

  /// Asks to continue a parked sink.
  ///
  /// - Parameters:
  ///   - sink: The name of the sink.
  ///   - folder: The absolute path of its folder.
  package static func retry(_ sink: String, in folder: String) -> DaemonRequest {
    DaemonRequest(fields: ["request": "retry", "folder": .string(folder), "sink": .string(sink)])
  }

  /// Asks for the stream of a list.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - view: The parts of the view, under the keys of the settings.
  ///   - name: The named view that `view` overrides; nil for none.
  ///   - since: The token after which the stream continues; nil for the complete list.
  ///   - idField: The fields that make an id, as the client expects them; nil to accept any.
  ///   - maxSize: The largest size of a file that the client expects; nil to accept any.
  package static func stream(
    of folder: String, view: Fields, named name: String?, since: String?, idField: String?, maxSize: Int?
  ) -> DaemonRequest {
    var fields: Fields = ["folder": .string(folder)]
    if !view.isEmpty { fields["view"] = .map(view) }
    fields["named"] = name.map(Value.string)
    fields["since"] = since.map(Value.string)
    fields["id-field"] = idField.map(Value.string)
    fields["max-size"] = maxSize.map { .number(.integer($0)) }
    return DaemonRequest(fields: fields)
  }

  /// Returns the request for the same list as text, which the daemon renders.
  package func rendered(_ form: RenderedForm) -> DaemonRequest {
    var request = self
    request.fields["output"] = .map(form.fields)
    return request
  }
}

/// The form in which the daemon renders a list for a client.
package struct RenderedForm: Sendable, Hashable {
  /// The format: `text`, `table`, `json`, `jsonl`, `csv`, `tsv` or `id`.
  package var format: String
  /// The folder as its user typed it, for messages.
  package var name: String
  /// True to use colours.
  package var usesColor: Bool
  /// The width of the terminal; nil if the output is not a terminal.
  package var columns: Int?
  /// True if the output is a terminal.
  package var isTerminal: Bool
  /// True for the list alone, without the changes that follow.
  package var isOnce: Bool

  /// Describes the form.
  ///
  /// - Parameters:
  ///   - format: The name of the format.
  ///   - name: The folder as its user typed it, for messages.
  ///   - usesColor: True to use colours.
  ///   - columns: The width of the terminal; nil if the output is not a terminal.
  ///   - isTerminal: True if the output is a terminal.
  ///   - isOnce: True for the list alone, without the changes that follow.
  package init(_ format: String, name: String, usesColor: Bool, columns: Int?, isTerminal: Bool, isOnce: Bool) {
    self.format = format
    self.name = name
    self.usesColor = usesColor
    self.columns = columns
    self.isTerminal = isTerminal
    self.isOnce = isOnce
  }

  /// The value of the key `output`.
  fileprivate var fields: Fields {
    var fields: Fields = [
      "format": .string(format), "name": .string(name), "color": .bool(usesColor), "terminal": .bool(isTerminal), "once": .bool(isOnce),
    ]
    fields["columns"] = columns.map { .number(.integer($0)) }
    return fields
  }
}
