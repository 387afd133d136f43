public import DirectoryWatch

/// What a save did, change by change and in their order.
public struct SaveReport: Sendable {
  public internal(set) var outcomes: [SaveOutcome] = []

  /// Whether every change was made, or was made already.
  public var isComplete: Bool { failures.isEmpty }

  /// What was not saved, and why.
  public var failures: [EditError] { outcomes.compactMap(\.error) }

  /// Throws the first failure, if there is one.
  public func check() throws(EditError) {
    if let error = failures.first { throw error }
  }
}

/// What became of the changes to one item.
public struct SaveOutcome: Sendable {
  /// The possible results for one item. A program that saves has to handle each of them, so this is an enum.
  public enum Result: Sendable, Hashable {
    case inserted
    /// `isMerged`: merged with what another program had changed since the item was read. `unsaved` says what of the change was not written.
    case updated(isMerged: Bool)
    case deleted
    /// The file says so already: nothing was written.
    case unchanged
    /// The policy left the file as another program had saved it; `unsaved` says what was not written.
    case discarded
    case failed(EditError)
  }

  public let id: Item.ID
  /// Nil where none was found for the id.
  public let path: RelativePath?
  public let result: Result
  /// Sentences about what could not be kept, such as a hard link.
  public var warnings: [String] = []
  /// What of the change was not saved because the merge policy preferred what another program had saved.
  public var unsaved = UnsavedChanges()

  public var error: EditError? { if case .failed(let error) = result { error } else { nil } }
}

/// What a save would do to one file.
public struct EditPreview: Sendable {
  /// What it would come to.
  public let outcome: SaveOutcome
  /// The text as it is; nil where there is no file.
  public let old: [UInt8]?
  /// The text as it would be; nil where there would be no file. The same as `old` where nothing would be written.
  public let new: [UInt8]?
}
