import DirectoryWatch
import Foundation
package import PlainText

/// A string in the defaults that is replaced by a computed value.
enum DefaultName: RawRepresentable, CaseIterable, Hashable {
  case now
  case today
  case uuid
  /// A pseudo-field that is known before the file exists.
  case field(PseudoField)

  static let allCases = [now, today, uuid] + PseudoField.allCases.filter(\.isKnownWithoutFile).map(field)

  init?(rawValue: String) {
    guard let name = DefaultName.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = name
  }

  var rawValue: String {
    switch self {
    case .now: "@now"
    case .today: "@today"
    case .uuid: "@uuid"
    case .field(let field): field.rawValue
    }
  }

  func value(of id: Item.ID, at path: RelativePath, _ context: DefaultContext) -> Value {
    switch self {
    // To the second: a file needs no more.
    case .now: Value(text: "\(context.now.text.prefix(19))Z")
    case .today: Value(text: String(context.local.text.prefix(10)))
    case .uuid: .string(context.uuid())
    case .field(let field): field.value(of: id, at: path) ?? .null
    }
  }
}

/// What a default is made from, besides the item itself.
package struct DefaultContext: Sendable {
  /// The moment.
  package let now: Timestamp
  /// The same by the clock on the wall.
  package let local: Timestamp
  /// A random UUID.
  package let uuid: @Sendable () -> String

  package init(
    now: Timestamp, local: Timestamp, uuid: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
  ) {
    self.now = now
    self.local = local
    self.uuid = uuid
  }
}
