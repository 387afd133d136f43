import Values

struct Candidate: Hashable {
  let text: String
  /// The description that the shell shows beside it; empty for none.
  var about = ""
  /// True if more must follow, such as the value after `--sort=`. The shell then adds no space.
  var isPartial = false
}

extension [Candidate] {
  /// The most words from a folder that are offered.
  static let maxCount = 200

  /// Code units of `typed` are compared: a shell inserts what follows them. `ignoresCase` is for a shell that
  /// itself decides whether case matters.
  func fitting(_ typed: String, ignoresCase: Bool) -> [Candidate] {
    let start = ignoresCase ? typed.lowercased() : typed
    var known: Set<ExactString> = []
    let fitting = filter { candidate in
      (ignoresCase ? candidate.text.lowercased() : candidate.text).utf8.starts(with: start.utf8)
        && candidate.text.unicodeScalars.allSatisfy([Candidate].isPlain)
        && known.insert(ExactString(candidate.text)).inserted
    }
    guard fitting.count > [Candidate].maxCount else { return fitting }
    // Some are left out evenly. The first and the last stay: the shell inserts only what all have in common.
    let sorted = fitting.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let last = [Candidate].maxCount - 1
    return (0...last).map { sorted[$0 * (sorted.count - 1) / last] }
  }

  /// False for what could control the terminal, or change how a line looks or is read.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
    default: true
    }
  }
}

enum CompletionTarget: Equatable {
  case nothing
  case words([Candidate])
  case folders([Candidate])
  case files
  /// The command line of another program, which begins at this index of the words.
  case command(at: Int)
  /// Data of a folder of items, after the part of the word that stays as it is.
  case data(FolderData, after: String)
}

enum FolderData: Equatable {
  case ids
  /// The folders of ids, for an item that does not exist yet.
  case folders
  /// Fields, each with a text before and after it.
  case fields(before: String, after: String, hasPseudoFields: Bool)
  /// Ids, or fields with a text after them.
  case idsOrFields(after: String)
  /// The names of views, the ids of sections, the names of git revisions.
  case views, sections, revisions
}
