package import Scripts
package import Store

/// One sink of a folder: a receiver of its changes.
package struct SinkConfiguration: Sendable, Hashable {
  /// The name of the sink and of its state: 1 to 64 letters, digits, `.`, `_` and `-`.
  package let name: String
  /// The receiver of the changes.
  package let kind: Kind
  /// The list whose changes it gets.
  package let view: SinkView

  /// The kinds of receivers.
  package enum Kind: Sendable, Hashable {
    /// A command runs for them.
    case run(SinkCommand)
    /// They are appended to a file.
    case file(SinkFile)
  }

  package init(name: String, kind: Kind, view: SinkView = .all) {
    self.name = name
    self.kind = kind
    self.view = view
  }
}

/// The list that a sink follows.
package enum SinkView: Sendable, Hashable {
  /// All items.
  case all
  /// A view of the folder's `.notes-watch.yaml`.
  case named(String)
  /// A view that the configuration defines.
  case defined(ViewDefinition)
}

/// A command that runs for changes.
package struct SinkCommand: Sendable, Hashable {
  /// The program and its arguments. Not empty.
  package let words: [String]
  /// The options of its runs.
  package let options: CommandSettings
  /// The label of the command's lines in the log; nil for the name of the sink.
  package let label: String?
  /// The absolute path of its working directory.
  package let directory: String
  /// The reason for which the command does not run, such as a key of an earlier version; nil if it
  /// runs.
  package var refusal: String?

  /// Describes a command.
  package init(
    _ words: [String], _ options: CommandSettings = CommandSettings(), label: String? = nil, directory: String
  ) {
    self.words = words
    self.options = options
    self.label = label
    self.directory = directory
  }
}

/// A file to which the lines of a stream are appended.
package struct SinkFile: Sendable, Hashable {
  /// The absolute path.
  package let path: String
  /// The size in bytes from which a new file is begun; nil to keep one file.
  package let rotate: Int?
  /// The number of earlier files that are kept.
  package let keep: Int

  /// The default for the number of earlier files.
  package static let defaultKeep = 5

  /// Describes a file.
  package init(_ path: String, rotate: Int? = nil, keep: Int = SinkFile.defaultKeep) {
    self.path = path
    self.rotate = rotate
    self.keep = keep
  }
}
