import Glibc

/// The outcomes of the changes of one save.
public struct SaveReport: Sendable, CustomStringConvertible {
  /// The outcomes, in the order of the changes.
  public internal(set) var outcomes: [SaveOutcome] = []

  package init(outcomes: [SaveOutcome] = []) {
    self.outcomes = outcomes
  }

  /// True if no change failed.
  public var isComplete: Bool { failures.isEmpty }

  /// The errors of the changes that were not saved.
  public var failures: [EditError] { outcomes.compactMap(\.error) }

  /// The outcomes, such as `ada: updated, bob: deleted`.
  public var description: String {
    outcomes.isEmpty ? "no changes" : outcomes.map(\.description).joined(separator: ", ")
  }

  /// The changes that undo this save, the last one first. New items are deleted. Changed, deleted
  /// and renamed items get their old text and id again. Linear in the number of changes. The report
  /// holds the old and the new text of each file.
  ///
  /// Each change is made only if the file is still as the save left it. Otherwise it fails with
  /// `conflict` under every merge policy, and the message names the fields that differ. The inverse
  /// of the report of an undo is the redo.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// scope.delete("bob")
  /// let report = try await store.save(scope)
  /// let undone = try await store.save(report.inverse)
  /// try await store.save(undone.inverse)
  /// ```
  public var inverse: EditScope { EditScope(undoing: outcomes) }

  package func single(_ id: Item.ID) throws(EditError) -> SaveOutcome {
    if let error = failures.first { throw error }
    return outcomes.last ?? SaveOutcome(id: id, path: nil, result: .unchanged)
  }

  /// Throws a `SaveError` with this report if a change failed.
  package func check() throws(SaveError) {
    if let error = SaveError(self) { throw error }
  }
}

extension SaveReport {
  init(of outcomes: [SaveOutcome]) { self.init(outcomes: outcomes.sorted { $0.number < $1.number }) }
}

extension EditScope {
  /// Creates a scope that undoes some changes of a save, the last one first; see ``SaveReport/inverse``.
  /// Outcomes without an effect are left out.
  package init(undoing outcomes: [SaveOutcome]) {
    self.init(outcomes.reversed().compactMap(\.saved?.inverse))
  }
}

/// The outcome of the changes to one item.
public struct SaveOutcome: Sendable, CustomStringConvertible {
  /// The possible results for one item. A program that saves has to handle each of them: so this is an enum.
  public enum Result: Sendable, Hashable, CustomStringConvertible {
    /// The file was created.
    case inserted
    /// The file was changed. If `isMerged`, the change was merged with those of another program since the
    /// item was read; some parts of ours may not be written then, as the merge policy says.
    case updated(isMerged: Bool)
    /// The item got another id, and its other changes were saved.
    case renamed(to: Item.ID)
    /// The file was deleted.
    case deleted
    /// The file already has these values. Nothing was written.
    case unchanged
    /// The policy kept the file as another program saved it.
    case discarded
    /// The change was not saved.
    case failed(EditError)

    /// The name of the result, such as `updated`, `merged` or `failed (conflict)`.
    public var description: String {
      switch self {
      case .inserted: "inserted"
      case .updated(let isMerged): isMerged ? "merged" : "updated"
      case .renamed(let id): "renamed to \(id)"
      case .deleted: "deleted"
      case .unchanged: "unchanged"
      case .discarded: "discarded"
      case .failed(let error): "failed (\(error.code))"
      }
    }
  }

  /// The id that the item had before the change, or has as a new item.
  public internal(set) var id: Item.ID
  /// The path of the file, after a rename the new one; nil if there is none for the id.
  public internal(set) var path: RelativePath?
  /// The result, such as `updated` or `failed`.
  public internal(set) var result: Result
  /// Sentences about properties of the file that could not be kept, such as hard links.
  public var warnings: [String] = []
  /// The parts that were not saved because the merge policy preferred those of another program.
  package var unsaved = UnsavedChanges()
  /// The change as it was made, for `SaveReport.inverse`; nil if nothing was changed.
  var saved: SavedChange?
  var number = 0
  var oldPath: RelativePath?

  var paths: [RelativePath] { [path, oldPath, error?.path].compactMap { $0 } }

  /// True if the values of the item were written: not for a deletion, and not if nothing changed.
  package var isWritten: Bool {
    switch result {
    case .inserted, .updated, .renamed: saved != nil
    case .deleted, .unchanged, .discarded, .failed: false
    }
  }

  /// The error because of which the change was not saved; nil if it did not fail.
  public var error: EditError? { if case .failed(let error) = result { error } else { nil } }

  /// The change that takes this one back; without changes if nothing was written. See ``SaveReport/inverse``.
  ///
  /// ```swift
  /// let outcome = try await store.delete("ada")
  /// try await store.save(outcome.inverse)  // ada.yaml is there again, byte for byte
  /// ```
  public var inverse: EditScope { EditScope([saved?.inverse].compactMap { $0 }) }

  package var newText: ItemText? { saved?.new }

  /// The id that the item has after the change: another one if a field of the id was changed.
  package var newID: Item.ID { saved?.id ?? id }

  package var undoSize: Int { (saved?.old?.count ?? 0) + (saved?.new?.bytes.count ?? 0) }

  /// The id and the result, such as `ada: updated`.
  public var description: String { DisplayText.safe("\(id): \(result)") }
}

extension SaveOutcome {
  /// The outcome of a change that could not be worked out.
  package init(failing id: Item.ID, _ error: any Error) {
    let failure = error as? EditError ?? EditError(.invalid, id, nil, "\(error)")
    self.init(id: id, path: nil, result: .failed(failure))
  }
}

/// The effect that a save would have on one file.
package struct EditPreview: Sendable, CustomStringConvertible {
  /// The outcome that the save would report.
  package let outcome: SaveOutcome
  /// The current text; nil if there is no file.
  package let old: [UInt8]?
  /// The text after the save; nil if there would be no file, equal to `old` if nothing would be written.
  package let new: [UInt8]?

  /// The id and the result, such as `ada: updated`.
  package var description: String { outcome.description }
}

struct SavedChange {
  /// The id of the item after the change; for a deleted item, its last id.
  var id: Item.ID
  /// The path of the file after the change; for a deleted item, its last path.
  var path: RelativePath
  let format: TextFormat
  /// The text before the change; nil if the file was created.
  let old: [UInt8]?
  /// The text after the change; nil if the file was deleted.
  let new: ItemText?
  let mode: mode_t?
  var oldID: Item.ID?
  var made: [MadeFolder] = []

  var inverse: PendingChange {
    var change = PendingChange(
      id: id, act: act, newID: oldID, undo: PendingChange.Undo(mode: mode, made: made))
    change.isOfSettings = path == PathRules.settingsPath
    if let new {
      let fields = (try? new.fields.get()) ?? PackedValue(.map([:]))
      change.revision = ItemRevision(path: path, fields: fields, bytes: new.bytes)
    }
    return change
  }

  private var act: PendingChange.Act {
    switch (old, new) {
    case (let old?, nil): .insert(.text(old), format, path)
    case (nil, _): .delete
    case (let old?, let new?): old == new.bytes ? .update : .replace(old)
    }
  }
}

/// The error of a save in which at least one change was not made.
///
/// Each change is made completely or not at all, independent of the others; `report` says which were made. Of
/// a save with `atomically: true`, none was.
///
/// ```swift
/// var scope = store.makeEditScope()
/// scope.delete("bob")
/// do {
///   try await store.save(scope)
/// } catch let error as SaveError {
///   for failure in error.failures { print(failure) }
/// }
/// ```
public struct SaveError: PlainStoreError {
  /// The outcomes of all changes, including those that were made.
  public let report: SaveReport
  private let first: EditError

  init?(_ report: SaveReport) {
    let failures = report.failures
    guard let first = failures.first(where: { $0.code != .rolledBack }) ?? failures.first else { return nil }
    self.report = report
    self.first = first
  }

  /// The code of the first error that is not `rolledBack`.
  public var code: ErrorCode { first.code }
  /// The only error; or the number of changes that were not made, and the first error.
  public var message: String { description }
  /// The place of the first error.
  public var place: ErrorPlace? { first.place }
  /// The sentences that say what to do about the first error; nil if there are none.
  public var advice: String? { first.advice }

  /// The errors of the changes that were not made, in the order of the changes.
  public var failures: [EditError] { report.failures }

  /// The only error; or the number of changes that were not made, and the first error.
  public var description: String {
    let failures = failures
    if report.outcomes.count == 1 { return first.description }
    let count = report.outcomes.count
    if failures.contains(where: { $0.code == .rolledBack }) {
      let rest = report.outcomes.count { $0.saved != nil }
      return rest == 0
        ? "Nothing was saved. \(first)" : "\(rest) of \(count) changes could not be taken back. \(first)"
    }
    return failures.count == 1
      ? "1 of \(count) changes was not saved. \(first)"
      : "\(failures.count) of \(count) changes were not saved. The first error: \(first)"
  }
}
