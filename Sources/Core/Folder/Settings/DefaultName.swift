import Files
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc
import Query
package import Values

/// A string in the defaults that is replaced when an item is written.
enum DefaultName: RawRepresentable, CaseIterable, Hashable {
  case now
  case today
  case uuid
  /// A pseudo-field that is known before the file exists.
  case field(PseudoField)

  static let allCases = [now, today, uuid] + PseudoField.allCases.filter(\.isKnownWithoutFile).map(field)

  package init?(rawValue: String) {
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

  /// Returns the value that replaces the name in a new item with this id and path.
  func value(of id: Item.ID, at path: RelativePath, _ context: DefaultContext) -> Value {
    switch self {
    // Seconds are precise enough for a file that people read.
    case .now: Value(text: "\(context.now.text.prefix(19))Z")
    case .today: Value(text: String(context.local.text.prefix(10)))
    case .uuid: .string(context.uuid())
    case .field(let field): field.value(of: id, at: path) ?? .null
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
    now: Timestamp, local: Timestamp,
    uuid: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
  ) {
    self.now = now
    self.local = local
    self.uuid = uuid
  }

  /// Returns the context of this moment.
  package static func current() -> DefaultContext {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    localtime_r(&now.tv_sec, &parts)
    return DefaultContext(
      now: Timestamp(seconds: Int64(now.tv_sec), nanoseconds: Int32(now.tv_nsec)),
      local: Timestamp(seconds: Int64(timegm(&parts)), nanoseconds: 0).local)
  }
}
