package import Files
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc
package import Query
package import Values

/// The fields that a new item has from the start: the `defaults` of the settings of a data set.
///
/// ```yaml
/// defaults:
///   createdAt: "@now"
///   friends/: {group: friends, tags: []}
///   journal/: {date: "@today", title: "@name"}
/// ```
///
/// A key that ends in `/` names folders, as in `ignore`: its fields are for the items in these
/// folders and in folders below. All fields that apply to an item are combined; if several have one
/// name, the last one wins.
///
/// The strings `@now` (the time in UTC), `@today` (the local date), `@uuid`, `@id`, `@path`,
/// `@dir`, `@name` and `@ext` are replaced by their values when the item is written. Write a string
/// that begins with `@` with `@@`.
package struct ItemDefaults: Sendable, Hashable {
  private struct Part: Hashable {
    /// The folder pattern as it is written; nil for the fields of every item.
    let pattern: String?
    /// The folders to which the fields apply; nil for every item.
    let folders: Glob?
    let fields: Fields

    func applies(to path: RelativePath) -> Bool {
      guard let folders else { return true }
      var folder = path.parent
      while let current = folder, current != .root {
        if current.withUTF8(folders.matches) { return true }
        folder = current.parent
      }
      return false
    }
  }

  private let parts: [Part]

  /// Creates defaults without fields.
  package init() {
    parts = []
  }

  package init(_ written: Fields, at place: [String]) throws(SettingsError) {
    // The keys of a map are unique, so no search for duplicates is needed.
    var general: Fields = [:]
    var parts: [Part] = []
    for (key, value) in written {
      if key.utf8.last == UInt8(ascii: "/") {
        let fields = try SettingReader(value, place + [key]).map()
        try ItemDefaults.check(.map(fields), place + [key])
        parts.append(Part(pattern: key, folders: Glob(key), fields: fields))
      } else {
        try ItemDefaults.check(value, place + [key])
        general.append(value, unique: key)
      }
    }
    try Settings.check(
      parts.count, "keys name folders", place, advice: "patterns that match several folders")
    self.parts = (general.isEmpty ? [] : [Part(pattern: nil, folders: nil, fields: general)]) + parts
  }

  /// Returns the fields that a new item at this path gets, as they are written: `@now` is not
  /// replaced. Of the path only the folders matter, so it need not have an extension.
  package func fields(at path: RelativePath) -> Fields {
    parts.filter { $0.applies(to: path) }.reduce(Fields()) { $0.merging($1.fields) }
  }

  package func fields(of id: Item.ID, at path: RelativePath, _ context: DefaultContext) -> Fields {
    Fields(
      unique: fields(at: path).map {
        ($0.key, ItemDefaults.evaluated($0.value) { $0.value(of: id, at: path, context) })
      })
  }

  var written: Fields {
    parts.reduce(into: Fields()) { written, part in
      if let pattern = part.pattern {
        written[pattern] = .map(part.fields)
      } else {
        written = written.merging(part.fields)
      }
    }
  }

  private static func check(_ value: Value, _ place: [String]) throws(SettingsError) {
    var names: [String] = []
    _ = evaluated(value, unknown: { names.append($0) }, { _ in .null })
    guard let name = names.first else { return }
    let known = DefaultName.allCases.map(\.rawValue)
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(
      place,
      "There is no default `\(name)`.\(nearest) The defaults are \(known.joined(separator: ", ")). Write "
        + "a string that begins with @ with @@."
    )
  }

  /// The recursion is bounded by the maximum depth of a file.
  private static func evaluated(
    _ value: Value, unknown: (String) -> Void = { _ in }, _ meaning: (DefaultName) -> Value
  ) -> Value {
    switch value {
    case .string(let text) where text.utf8.first == UInt8(ascii: "@"):
      if text.utf8.dropFirst().first == UInt8(ascii: "@") {
        return Value(text: String(text.unicodeScalars.dropFirst()))
      }
      if let name = DefaultName(rawValue: text) { return meaning(name) }
      unknown(text)
      return value
    case .list(let elements): return .list(elements.map { evaluated($0, unknown: unknown, meaning) })
    case .map(let fields):
      return .map(Fields(unique: fields.map { ($0.key, evaluated($0.value, unknown: unknown, meaning)) }))
    default: return value
    }
  }
}

/// The values besides the item from which defaults are computed.
package struct DefaultContext {
  package let now: Timestamp
  package let local: Timestamp
  package var uuid: @Sendable () -> String = { UUID().uuidString.lowercased() }

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

/// A string in the defaults that is replaced when an item is written.
private enum DefaultName: RawRepresentable, CaseIterable {
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
    // Seconds are precise enough for a file that people read.
    case .now: Value(text: "\(context.now.text.prefix(19))Z")
    case .today: Value(text: String(context.local.text.prefix(10)))
    case .uuid: .string(context.uuid())
    case .field(let field): field.value(of: id, at: path) ?? .null
    }
  }
}
