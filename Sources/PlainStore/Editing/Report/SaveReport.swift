public import DirectoryWatch

/// The outcomes of the changes of one save.
public struct SaveReport: Sendable, CustomStringConvertible {
  /// The outcomes, in the order of the changes.
  public internal(set) var outcomes: [SaveOutcome] = []

  /// True if no change failed.
  public var isComplete: Bool { failures.isEmpty }

  /// The errors of the changes that were not saved.
  public var failures: [EditError] { outcomes.compactMap(\.error) }

  /// The outcomes, such as `ada: updated, bob: deleted`.
  public var description: String {
    outcomes.isEmpty ? "no changes" : outcomes.map(\.description).joined(separator: ", ")
  }

  /// Throws a `SaveError` with this report if a change failed.
  public func check() throws(SaveError) {
    if let error = SaveError(self) { throw error }
  }
}

/// The outcome of the changes to one item.
public struct SaveOutcome: Sendable, CustomStringConvertible {
  /// The possible results for one item. A program that saves has to handle each of them, so this is
  /// an enum.
  public enum Result: Sendable, Hashable, CustomStringConvertible {
    /// The file was created.
    case inserted
    /// The file was changed. `isMerged` is true if the change was merged with changes that another
    /// program made since the item was read; `unsaved` lists the parts of our change that were not
    /// written.
    case updated(isMerged: Bool)
    /// The file was deleted.
    case deleted
    /// The file already has these values. Nothing was written.
    case unchanged
    /// The policy kept the file as another program saved it; `unsaved` lists the parts that were
    /// not written.
    case discarded
    /// The change was not saved.
    case failed(EditError)

    /// The name of the result, such as `updated`, `merged` or `failed (conflict)`.
    public var description: String {
      switch self {
      case .inserted: "inserted"
      case .updated(let isMerged): isMerged ? "merged" : "updated"
      case .deleted: "deleted"
      case .unchanged: "unchanged"
      case .discarded: "discarded"
      case .failed(let error): "failed (\(error.code))"
      }
    }
  }

  /// The id of the item.
  public let id: Item.ID
  /// The path of the file; nil if there is none for the id.
  public let path: RelativePath?
  public let result: Result
  /// Sentences about properties of the file that could not be kept, such as hard links.
  public var warnings: [String] = []
  /// The parts of the change that were not saved because the merge policy preferred those of
  /// another program.
  public var unsaved = UnsavedChanges()

  /// The error, if the change failed.
  public var error: EditError? { if case .failed(let error) = result { error } else { nil } }

  /// The id and the result, such as `ada: updated`.
  public var description: String { "\(id): \(result)" }
}

/// The effect that a save would have on one file.
public struct EditPreview: Sendable {
  /// The outcome that the save would report.
  public let outcome: SaveOutcome
  /// The current text; nil if there is no file.
  public let old: [UInt8]?
  /// The text after the save; nil if there would be no file. Equal to `old` if nothing would be
  /// written.
  public let new: [UInt8]?
}
