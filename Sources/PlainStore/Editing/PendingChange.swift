import DirectoryWatch
import PlainText

/// The changes to one item that a save makes together.
struct PendingChange: Sendable {
  enum Act: Sendable, Hashable {
    case insert(NewContent, TextFormat, RelativePath?)
    case update
    case replace([UInt8])
    case delete
  }

  enum NewContent: Sendable, Hashable {
    case fields(Fields)
    case text([UInt8])
  }

  let id: Item.ID
  var act: Act
  /// The edits of the text that `act` produces, in order.
  var edits: [TextEdit] = []
  /// The item as it was read before the change; nil if it was not read.
  var revision: ItemRevision?
  /// The values of the changed item that no other item may have.
  var uniqueValues: [UniqueValue] = []

  /// True if it changes nothing, and only fails if there is no such item.
  var isCheck: Bool { act == .update && edits.isEmpty }
}
