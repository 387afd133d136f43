import Store
import Synchronization

/// A text that a person edited, until it is saved.
struct EditedText: Sendable {
  /// The id of the item.
  let id: Item.ID
  /// The new text.
  let text: [UInt8]
  /// The state of the item with which the editor began.
  let revision: ItemRevision
  /// Removes the draft if all of it was saved.
  ///
  /// - Parameter isKept: True if it was not saved.
  /// - Returns: A sentence that says where the draft is, if it is kept.
  let finish: @Sendable (_ isKept: Bool) -> String?
}

/// The results of the editor that are waiting to be saved, in the order of their actions.
///
/// One lock guards them. Nothing else is locked while it is held.
final class EditedTexts: Sendable {
  /// Lock: guards what came from the editor and is not saved yet.
  private let waiting = Mutex<[ScreenEditing.Result]>([])

  /// Adds the result of one action.
  func add(_ result: ScreenEditing.Result) { waiting.withLock { $0.append(result) } }

  /// Takes the result of the next action.
  func next() -> ScreenEditing.Result {
    waiting.withLock { $0.isEmpty ? ScreenEditing.Result() : $0.removeFirst() }
  }
}
