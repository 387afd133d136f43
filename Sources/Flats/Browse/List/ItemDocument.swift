package import Store

/// The file of an item, as the detail pane shows it.
///
/// Make it on a thread that may be busy: it parses the file and finds its lines, which is linear in
/// the file. Everything after that costs as much as the visible lines.
package struct ItemDocument: Sendable {
  package let id: Item.ID
  /// The path of the file, relative to the root.
  package let path: RelativePath
  /// The bytes of the file; nil if it cannot be read.
  let bytes: [UInt8]?
  let problems: [Problem]
  let lines: DocumentLines?
  /// The places of the fields; nil if the file is large or cannot be parsed.
  let fields: LocatedText?

  /// The size of the largest file whose values get styles. A larger one is shown at once, too.
  private static let maxHighlightedSize = 1 << 20
  /// The size of the largest file whose fields are located, so that the pane stays small in memory.
  private static let maxLocatedSize = 128 << 10

  init(id: Item.ID, path: RelativePath, format: TextFormat, bytes: [UInt8]?, problems: [Problem]) {
    self.id = id
    self.path = path
    self.bytes = bytes
    self.problems = problems
    // A file that cannot be parsed is plain.
    let located = bytes.flatMap { bytes in
      bytes.count > ItemDocument.maxHighlightedSize ? nil : try? LocatedText(reading: bytes, as: format)
    }
    lines = bytes.map { DocumentLines($0, located.map { Highlights(of: $0).spans } ?? []) }
    fields = located.flatMap { $0.bytes.count > ItemDocument.maxLocatedSize ? nil : $0 }
  }
}

extension ItemDocument {
  /// Reads the file of an item as it is now. Blocks while it reads.
  init(_ id: Item.ID, in store: ItemStore) {
    let problems = store.problems
    guard let item = store.item(id) else {
      self.init(id: id, path: .root, format: .yaml, bytes: nil, problems: [])
      return
    }
    var own = problems.filter { $0.path == item.path }
    var bytes: [UInt8]?
    do throws(Problem) {
      bytes = try store.fileBytes(of: item)
    } catch {
      if own.isEmpty { own = [error] }
    }
    let ending = item.path.name.split(separator: ".").last.map(String.init) ?? ""
    self.init(
      id: id, path: item.path, format: TextFormat(pathExtension: ending) ?? .yaml, bytes: bytes, problems: own
    )
  }
}
