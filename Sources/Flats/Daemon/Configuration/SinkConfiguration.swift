import Sinks
import Store

/// One sink of a folder: a receiver of its changes.
struct SinkConfiguration: Sendable, Hashable {
  /// The name of the sink and of its state: 1 to 64 letters, digits, `.`, `_` and `-`.
  let name: String
  /// The receiver of the changes.
  let kind: Kind
  /// The list whose changes it gets.
  let view: SinkView

  /// The kinds of receivers.
  enum Kind: Sendable, Hashable {
    /// A command runs for them.
    case run(SinkCommand)
    /// They are appended to a file.
    case file(SinkFile)
  }
}

/// The list that a sink follows.
enum SinkView: Sendable, Hashable {
  /// All items.
  case all
  /// A view of the folder's `.notes-watch.yaml`.
  case named(String)
  /// A view that the configuration defines.
  case defined(ViewDefinition)
}

/// A command that runs for changes.
struct SinkCommand: Sendable, Hashable {
  /// The program and its arguments. Not empty.
  let words: [String]
  /// The options of its runs.
  let options: ScriptOptions
  /// The label of the command's lines in the log; nil for the name of the sink.
  let label: String?
  /// The absolute path of its working directory.
  let directory: String
  /// The reason for which the command does not run, such as a key of an earlier version; nil if it
  /// runs.
  var refusal: String?
}

/// A file to which the lines of a stream are appended.
struct SinkFile: Sendable, Hashable {
  /// The absolute path.
  let path: String
  /// The size in bytes from which a new file is begun; nil to keep one file.
  var rotate: Int?
  /// The number of earlier files that are kept.
  var keep = 5
}
