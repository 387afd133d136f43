package import PlainStore
package import Sinks

/// The list that a client asks for.
package struct ViewRequest: Sendable, Hashable {
  /// The absolute path of the folder, as the client has it.
  package var folder: String
  /// The name of a view in the settings of the folder; nil for none.
  package var name: String?
  /// The parts of the view that the client gives itself.
  package var own: ViewDefinition
  /// The token after which the stream continues; nil for a new stream.
  package var since: String?
  /// The fields that make an item's id, as `--id-field` has them. Nil to use what the daemon has.
  package var idField: String?
  /// The largest size of a file in bytes. Nil to use what the daemon has.
  package var maxSize: Int?

  /// Makes a request; by default for all items.
  package init(
    folder: String, name: String? = nil, own: ViewDefinition = ViewDefinition(), since: String? = nil,
    idField: String? = nil,
    maxSize: Int? = nil
  ) {
    self.folder = folder
    self.name = name
    self.own = own
    self.since = since
    self.idField = idField
    self.maxSize = maxSize
  }
}

/// The form in which a client wants a list: what `list` or `watch -o text` prints.
package struct OutputRequest: Sendable, Hashable {
  /// The formats. `text` is that of `watch`, the others are those of `list`.
  package enum Format: Sendable, Hashable {
    /// The list, and its changes unless the request is for once.
    case text
    /// The list, once.
    case list(ListFormat)
  }

  /// The format.
  package var format: Format
  /// True to use colours.
  package var usesColor: Bool
  /// The width of the window in columns; nil to cut nothing.
  package var columns: Int?
  /// True for a terminal: control characters are escaped in every format, and long updates are
  /// summarised.
  package var isTerminal: Bool
  /// True to print the list once, without the last good items of files with a problem; false to
  /// print each change, too. Only `text` has changes.
  package var once: Bool
  /// The folder as its user typed it, which messages name; nil for its path.
  package var name: String?

  package init(
    _ format: Format, name: String? = nil, usesColor: Bool = false, columns: Int? = nil,
    isTerminal: Bool = false, once: Bool = true
  ) {
    self.format = format
    self.name = name
    self.usesColor = usesColor
    self.columns = columns
    self.isTerminal = isTerminal
    self.once = once
  }
}

extension OutputRequest.Format: RawRepresentable, CaseIterable {
  /// All formats; `text` is the first.
  package static let allCases = [text] + ListFormat.allCases.map(Self.list)

  /// Returns the format with a name; nil if there is none.
  package init?(rawValue: String) {
    if rawValue == "text" {
      self = .text
    } else {
      guard let format = ListFormat(rawValue: rawValue) else { return nil }
      self = .list(format)
    }
  }

  /// The name in a request.
  package var rawValue: String {
    switch self {
    case .text: "text"
    case .list(let format): format.rawValue
    }
  }
}
