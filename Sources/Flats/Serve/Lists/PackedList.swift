package import Store
package import Streams

/// A list as bytes, for a program of the same version that prints it as if it had read the folder:
/// a line of JSON with the view, its sections and what is to be said about the list, then the rows
/// with everything that is known of their items.
package struct PackedList {
  /// The view, with the parts that the settings give.
  package var view: Fields
  /// The sentences for people, complete lines.
  package var messages: [String]
  /// The exit code of the command that prints the list.
  package var code: Int
  package var snapshot: ListSnapshot<Item>?

  private static let rowsPerPiece = 500

  package var pieces: OutputPieces {
    let head = head
    guard let snapshot else { return OutputPieces(head) }
    let rows = snapshot.list.itemIdentifiers
    let size = PackedList.rowsPerPiece
    return OutputPieces(1 + (rows.count + size - 1) / size) { number in
      if number == 0 { return head }
      var bytes: [UInt8] = []
      for id in rows[(number - 1) * size..<min(rows.count, number * size)] {
        if let item = snapshot.item(ofShownRow: id) { PackedList.write(item, of: id, to: &bytes) }
      }
      return bytes
    }
  }

  private var head: [UInt8] {
    var fields: Fields = ["view": .map(view), "code": .integer(code)]
    fields["messages"] = .list(messages.map(Value.string))
    fields["sections"] = snapshot.map { snapshot in
      .list(
        snapshot.list.sectionIdentifiers.map { id in
          .list([.string(id.description), .integer(snapshot.list.numberOfItems(inSection: id))])
        })
    }
    return Array("\(JSONWriter.text(of: .map(fields)))\n".utf8)
  }

  private static func write(_ item: Item, of row: Item.ID, to bytes: inout [UInt8]) {
    bytes.append(row.section == nil ? 0 : 1)
    write(Array(item.id.description.utf8), to: &bytes)
    write(item.path.bytes, to: &bytes)
    let stamp = item.stamp
    let times = [stamp.modified, stamp.changed, stamp.created].map { UInt64(bitPattern: $0.total) }
    for number in [stamp.size] + times { write(number, to: &bytes) }
    write(item.fields.bytes, to: &bytes)
  }

  private static func write(_ part: [UInt8], to bytes: inout [UInt8]) {
    write(UInt64(part.count), to: &bytes)
    bytes += part
  }

  private static func write(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }
}

extension PackedList {
  package init(view: Fields, messages: [String], code: Int = 0, _ snapshot: ListSnapshot<Item>?) {
    self.view = view
    self.messages = messages
    self.code = code
    self.snapshot = snapshot
  }

  package init?(reading bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      case .map(let head)? = try? PackedValue(reading: Array(bytes[..<end]), as: .json).value,
      case .map(let view)? = head["view"], case .list(let messages)? = head["messages"],
      case .number(.integer(let code))? = head["code"]
    else { return nil }
    self.init(view: view, messages: messages.map(\.text), code: code, nil)
    guard case .list(let sections)? = head["sections"] else { return }
    guard let request = try? ViewDefinition(view).request else { return nil }
    var reader = PackedListReader(bytes, from: end + 1)
    var rows: [(id: SectionID, items: [Item.ID])] = []
    var items: [Item] = []
    for section in sections {
      guard case .list(let parts) = section, parts.count == 2, case .number(.integer(let count)) = parts[1]
      else { return nil }
      let id = SectionID(parts[0].text)
      var ids: [Item.ID] = []
      for _ in 0..<max(0, count) {
        guard let (item, isOccurrence) = reader.item() else { return nil }
        ids.append(isOccurrence ? Item.ID(item.id, in: id) : item.id)
        items.append(item)
      }
      rows.append((id, ids))
    }
    guard let list = try? Snapshot(rows) else { return nil }
    snapshot = ListSnapshot<Item>(request: request, list: list, showing: items)
  }
}

private struct PackedListReader {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    position = start
  }

  /// Returns the next item, and true if its row is an occurrence; nil if the bytes end before.
  mutating func item() -> (item: Item, isOccurrence: Bool)? {
    guard let kind = take(1)?.first, let id = part(), let path = part(), let size = number(),
      let modified = number(), let changed = number(), let created = number(), let fields = part()
    else { return nil }
    func time(_ number: UInt64) -> FileTime { FileTime(total: Int64(bitPattern: number)) }
    let stamp = FileStamp(
      size: size, modified: time(modified), changed: time(changed), created: time(created))
    let item = Item(
      id: Item.ID(printed: String(decoding: id, as: UTF8.self)), path: RelativePath(bytes: path),
      stamp: stamp,
      fields: PackedValue(bytes: Array(fields)))
    return (item, kind == 1)
  }

  private mutating func part() -> ArraySlice<UInt8>? { number().flatMap { take(Int(clamping: $0)) } }

  private mutating func number() -> UInt64? {
    guard take(8) != nil else { return nil }
    let place = position - 8
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
