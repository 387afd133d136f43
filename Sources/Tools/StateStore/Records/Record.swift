import Store
import Streams

/// One stored entry of a list: a section or a row. Their keys begin with different bytes.
struct Record: Equatable {
  let key: [UInt8]
  /// The section of a row; empty for a section.
  var section: [UInt8] = []
  /// The order label: of a section among the sections, of a row in its section.
  var rank: Int64
  /// The path of a row; the title of a section, if it has one.
  var path: [UInt8]?
  var value: [UInt8]?
}

extension Record {
  init(section: SectionID, title: String?, rank: Int64) {
    self.init(key: Record.key(of: section), rank: rank, path: title.map { Array($0.utf8) })
  }

  init(_ row: ListRow, rank: Int64) {
    self.init(
      key: Record.key(of: row.id), section: Array(row.section.description.utf8), rank: rank,
      path: row.path.bytes, value: row.value.bytes)
  }

  private static let sectionKind: UInt8 = 1
  private static let rowKind: UInt8 = 2

  static func key(of section: SectionID) -> [UInt8] { [sectionKind] + section.description.utf8 }

  /// Returns the key of a row. For an occurrence, the key has the item and the section, each after
  /// a NUL, which no printed id contains.
  static func key(of id: Item.ID) -> [UInt8] {
    guard let section = id.section else { return [rowKind] + id.description.utf8 }
    return [rowKind, 0] + id.item.description.utf8 + [0] + section.description.utf8
  }

  static func section(ofKey key: UnsafeRawBufferPointer) -> SectionID? {
    key.first == sectionKind ? SectionID(String(decoding: key.dropFirst(), as: UTF8.self)) : nil
  }

  static func row(ofKey key: UnsafeRawBufferPointer) -> Item.ID? {
    guard key.first == rowKind else { return nil }
    guard key.count > 1, key[1] == 0 else { return id(key[1...]) }
    guard let end = key[2...].firstIndex(of: 0) else { return nil }
    return Item.ID(id(key[2..<end]), in: SectionID(String(decoding: key[(end + 1)...], as: UTF8.self)))
  }

  /// Reads a printed id. Without an escape, the printed form is the id itself.
  private static func id(_ printed: Slice<UnsafeRawBufferPointer>) -> Item.ID {
    printed.contains(UInt8(ascii: "%"))
      ? Item.ID(printed: String(decoding: printed, as: UTF8.self)) : Item.ID(bytes: printed)
  }
}

/// A record that borrows its bytes. It is valid only inside of the closure that receives it.
struct RecordBytes {
  let key: UnsafeRawBufferPointer
  let section: UnsafeRawBufferPointer
  let rank: Int64
  let path: UnsafeRawBufferPointer?
  let value: UnsafeRawBufferPointer?
}

extension Record {
  func withBytes<Result>(_ body: (RecordBytes) -> Result) -> Result {
    key.withUnsafeBytes { key in
      section.withUnsafeBytes { section in
        Record.withBytes(of: path) { path in
          Record.withBytes(of: value) { value in
            body(RecordBytes(key: key, section: section, rank: rank, path: path, value: value))
          }
        }
      }
    }
  }

  private static func withBytes<Result>(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Result)
    -> Result
  {
    guard let bytes else { return body(nil) }
    return bytes.withUnsafeBytes { body($0) }
  }

  init(_ bytes: RecordBytes) {
    self.init(
      key: Array(bytes.key), section: Array(bytes.section), rank: bytes.rank,
      path: bytes.path.map { Array($0) },
      value: bytes.value.map { Array($0) })
  }
}
