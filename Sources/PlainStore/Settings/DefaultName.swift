import DirectoryWatch
import Foundation
package import PlainText

/// A string in the defaults that is replaced when an item is written.
enum DefaultName: String, CaseIterable {
  case now = "@now"
  case today = "@today"
  case uuid = "@uuid"
  case id = "@id"
  case path = "@path"
  case dir = "@dir"
  case name = "@name"
  case ext = "@ext"

  func value(of id: Item.ID, at path: RelativePath, _ context: DefaultContext) -> Value {
    switch self {
    // To the second, which is enough in a file that people read.
    case .now: Value(text: "\(context.now.text.prefix(19))Z")
    case .today: Value(text: String(context.local.text.prefix(10)))
    case .uuid: .string(context.uuid())
    case .id: Value(text: id.description)
    case .path: .string(path.description)
    case .dir: Value(text: path.parent?.description ?? "")
    case .name: Value(text: PseudoField.split(path.name).name)
    case .ext: .string(PseudoField.split(path.name).ext)
    }
  }
}

/// The values besides the item from which defaults are computed.
package struct DefaultContext: Sendable {
  /// The current time in UTC.
  package let now: Timestamp
  /// The current local time.
  package let local: Timestamp
  /// Returns a random UUID.
  package let uuid: @Sendable () -> String

  package init(
    now: Timestamp, local: Timestamp, uuid: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
  ) {
    self.now = now
    self.local = local
    self.uuid = uuid
  }
}
