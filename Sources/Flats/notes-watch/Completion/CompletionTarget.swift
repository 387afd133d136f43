/// The candidates for the word that is being completed.
enum CompletionTarget: Equatable {
  /// No word that is known.
  case nothing
  /// One of these words.
  case words([Candidate])
  /// A folder, or one of these words.
  case folders([Candidate])
  /// The name of a file.
  case files
  /// The command line of another program, which begins at this index of the words.
  case command(at: Int)
  /// Data of a folder of items, after the part of the word that stays as it is.
  case data(FolderData, after: String)
}

/// The data of a folder of items from which a word is completed.
enum FolderData: Equatable {
  /// The ids of items.
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
