public import Store

/// One line of a stream, as a reader gets it. `docs/stream.md` describes the keys of each type.
///
/// ```swift
/// let line = try StreamLine(#"{"v":1,"type":"bookmark","seq":4,"token":"n1.x"}"#)
/// print(line.type, line.position?.seq ?? 0)  // bookmark 4
/// ```
public struct StreamLine: Sendable, CustomStringConvertible {
  /// The type: `hello`, `snapshot`, `update`, … There may be types that this version does not know.
  public let type: String
  /// All keys of the line, in its order. What JSON does not have is written as a string: dates, for example.
  public let fields: Fields

  /// Reads a line, with or without its line break. Linear.
  ///
  /// - Throws: `TextError` if the line is no JSON object, is of another version, or has over 256 MiB or 1,000
  ///   levels, of which six are of the line itself.
  public init(_ line: String) throws(TextError) { try self.init(bytes: Array(line.utf8)) }

  /// Reads a line from its bytes. See ``init(_:)``.
  public init(bytes: [UInt8]) throws(TextError) {
    fields =
      try PackedValue(reading: bytes, as: .json, limits: ReadLimits(maxSize: 256 << 20)).value.fields ?? [:]
    type = try fields.text("type")
    if try fields.number("v") != 1 {
      throw TextError(line: "The line is not of version 1. Update this program.")
    }
  }

  /// The line as JSON, without its line break.
  public var description: String { JSONWriter.text(of: .map(fields)) }

  /// The position that a reader has after this line; nil for a line that has none.
  public var position: StreamPosition? {
    guard let seq = try? fields.number("seq"), StreamToken.numbers.contains(seq),
      let token = try? fields.text("token")
    else { return nil }
    return StreamPosition(seq: seq, token: token)
  }

  /// The difference that an `update` describes: from the list that `since` names to that of `token`.
  ///
  /// - Throws: `TextError` if a key is missing.
  public var difference: SnapshotDiff<SectionID, Item.ID> {
    get throws(TextError) {
      var difference = SnapshotDiff<SectionID, Item.ID>()
      for change in try fields["sections"] == nil ? [] : fields.maps("sections") {
        difference.sections.append(try change.sectionChange)
      }
      for change in try fields.maps("changes") { difference.changes.append(try change.itemChange) }
      return difference
    }
  }
}

extension Fields {
  func text(_ key: String) throws(TextError) -> String {
    guard case .string(let text)? = self[key] else { throw .missing(key) }
    return text
  }

  func number(_ key: String) throws(TextError) -> Int {
    guard case .number(.integer(let number))? = self[key] else { throw .missing(key) }
    return number
  }

  func maps(_ key: String) throws(TextError) -> [Fields] {
    guard case .list(let elements)? = self[key] else { throw .missing(key) }
    let maps = elements.compactMap(\.fields)
    if maps.count < elements.count { throw .missing(key) }
    return maps
  }

  var id: Item.ID { get throws(TextError) { Item.ID(printed: try text("id")) } }

  private func place(_ key: String) throws(TextError) -> Place<SectionID> {
    guard let place = self[key]?.fields else { throw .missing(key) }
    return Place(section: SectionID(try place.text("section")), index: try place.number("index"))
  }

  fileprivate var itemChange: SnapshotDiff<SectionID, Item.ID>.ItemChange {
    get throws(TextError) {
      switch try text("op") {
      case "delete": .delete(try id, from: try place("from"))
      case "insert": .insert(try id, to: try place("to"))
      case "move":
        .move(try id, from: try place("from"), to: try place("to"), isUpdated: self["fields"] != nil)
      case "update": .update(try id, from: try place("from"), to: try place("to"))
      default: throw .missing("op")
      }
    }
  }

  fileprivate var sectionChange: SnapshotDiff<SectionID, Item.ID>.SectionChange {
    get throws(TextError) {
      let id = SectionID(try text("id"))
      return switch try text("op") {
      case "delete": .delete(id, from: try number("from"))
      case "insert": .insert(id, to: try number("to"))
      case "move": .move(id, from: try number("from"), to: try number("to"))
      case "update": .update(id, from: try number("from"), to: try number("to"))
      default: throw .missing("op")
      }
    }
  }
}

extension TextError {
  init(line message: String) { self.init(line: 1, column: 1, message: message) }

  static func missing(_ key: String) -> TextError {
    TextError(line: "The key `\(key)` is missing, or has a value that this version does not know.")
  }
}
