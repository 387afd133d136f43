/// What can stand at the place of a word that is being completed.
enum CompletionTarget: Equatable {
  case nothing
  /// One of these words.
  case words([Candidate])
  /// A folder, or one of these words.
  case folders([Candidate])
  case files
  /// The command line of another program, which begins at this index of the words.
  case command(at: Int)
  /// Something that a data set holds, after the part of the word that stays as it is.
  case data(FolderData, after: String)
}

/// What can be completed from a folder of items.
enum FolderData: Equatable {
  case ids
  /// The folders of ids, for an item that does not exist yet.
  case folders
  /// Fields, each with a text before and after it.
  case fields(before: String, after: String, hasPseudoFields: Bool)
  /// Ids, or fields with a text after them.
  case idsOrFields(after: String)
  case views, sections, revisions
}
