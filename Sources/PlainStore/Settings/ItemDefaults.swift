package import DirectoryWatch
package import PlainText

/// What a new item has from the start, as the `defaults` of a data set's settings say.
///
/// ```yaml
/// defaults:
///   createdAt: "@now"
///   friends/: {group: friends, tags: []}
///   journal/: {date: "@today", title: "@name"}
/// ```
///
/// A key that ends in `/` names folders, as in `ignore`: what it holds is for the items in them, and in folders below. The fields of all that fit are taken
/// together, and of equal ones the last stands. A text that is one of `@now` (the moment, UTC), `@today` (local), `@uuid`, `@id`, `@path`, `@dir`, `@name`, `@ext`
/// stands for its value when the item is written; `@@` begins a text with an `@`.
public struct ItemDefaults: Sendable, Hashable {
  private struct Part: Sendable, Hashable {
    /// Nil: for every item.
    let folders: Glob?
    let fields: Fields

    /// Whether the file lies in a folder that is meant, or below one.
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

  /// No defaults.
  public init() {
    parts = []
  }

  init(_ written: Fields, at place: [String]) throws(SettingsError) {
    // The keys of a map are unique, so they are appended without a search.
    var general: Fields = [:]
    var parts: [Part] = []
    for (key, value) in written {
      if key.utf8.last == UInt8(ascii: "/") {
        let fields = try SettingReader(value, place + [key]).map()
        try ItemDefaults.check(.map(fields), place + [key])
        parts.append(Part(folders: Glob(key), fields: fields))
      } else {
        try ItemDefaults.check(value, place + [key])
        general.append(value, unique: key)
      }
    }
    try Settings.check(folders: parts.count, place)
    self.parts = (general.isEmpty ? [] : [Part(folders: nil, fields: general)]) + parts
  }

  /// The fields of a new item of this id, whose file will be at `path`.
  package func fields(of id: Item.ID, at path: RelativePath, _ context: DefaultContext) -> Fields {
    let fields = parts.filter { $0.applies(to: path) }.reduce(Fields()) { $0.merging($1.fields) }
    return Fields(unique: fields.map { ($0.key, ItemDefaults.evaluated($0.value) { $0.value(of: id, at: path, context) }) })
  }

  private static func check(_ value: Value, _ place: [String]) throws(SettingsError) {
    var names: [String] = []
    _ = evaluated(value, unknown: { names.append($0) }, { _ in .null })
    guard let name = names.first else { return }
    let known = DefaultName.allCases.map(\.rawValue)
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(
      place, "There is no `\(name)`.\(nearest) Known are: \(known.joined(separator: ", ")). A text that begins with @ is written @@.")
  }

  /// A value with what its texts stand for. The recursion is bounded by the depth that a file may have.
  private static func evaluated(_ value: Value, unknown: (String) -> Void = { _ in }, _ meaning: (DefaultName) -> Value) -> Value {
    switch value {
    case .string(let text) where text.utf8.first == UInt8(ascii: "@"):
      if text.utf8.dropFirst().first == UInt8(ascii: "@") { return Value(text: String(text.unicodeScalars.dropFirst())) }
      if let name = DefaultName(rawValue: text) { return meaning(name) }
      unknown(text)
      return value
    case .list(let elements): return .list(elements.map { evaluated($0, unknown: unknown, meaning) })
    case .map(let fields): return .map(Fields(unique: fields.map { ($0.key, evaluated($0.value, unknown: unknown, meaning)) }))
    default: return value
    }
  }
}
