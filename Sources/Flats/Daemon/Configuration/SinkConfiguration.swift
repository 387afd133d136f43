import Scripts
import Store

/// One sink of a folder: a receiver of its changes.
struct SinkConfiguration: Hashable {
  /// The name of the sink and of its state: 1 to 64 letters, digits, `.`, `_` and `-`.
  let name: String
  let kind: Kind
  let view: SinkView

  enum Kind: Sendable, Hashable {
    case run(SinkCommand)
    case file(SinkFile)
  }
}

enum SinkView: Hashable {
  case all
  /// A view of the folder's `.notes-watch.yaml`.
  case named(String)
  /// A view that the configuration defines.
  case defined(ViewDefinition)
}

struct SinkCommand: Hashable {
  /// The program and its arguments. Not empty.
  let words: [String]
  let options: CommandSettings
  /// The label of the command's lines in the log; nil for the name of the sink.
  let label: String?
  let directory: String
  /// Why the command does not run, such as a key of an earlier version; nil if it runs.
  var refusal: String?
}

struct SinkFile: Hashable {
  let path: String
  /// The size in bytes from which a new file is begun; nil to keep one file.
  var rotate: Int?
  var keep = 5
}
