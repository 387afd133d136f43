package import Store

/// The file of an item or of a problem, as the detail pane shows it.
///
/// Make it on a thread that may be busy: it parses the file and finds its lines, which is linear in
/// the file. Everything after that costs as much as the visible lines.
package struct ItemDocument: Sendable {
  package let row: ScreenRow
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

  init(_ row: ScreenRow, path: RelativePath, format: TextFormat, bytes: [UInt8]?, problems: [Problem]) {
    self.row = row
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
  /// Reads the file of a row as it is now. Blocks while it reads.
  init(_ row: ScreenRow, in store: ItemStore) {
    let problems = store.problems
    let path: RelativePath
    switch row {
    case .problem(let broken): path = broken
    case .item(let id):
      guard let item = store.item(id) else {
        self.init(row, path: .root, format: .yaml, bytes: nil, problems: [])
        return
      }
      path = item.path
    }
    var own = problems.filter { $0.path == path }
    var bytes: [UInt8]?
    do throws(Problem) {
      bytes = try store.fileBytes(at: path)
    } catch {
      if own.isEmpty { own = [error] }
    }
    let ending = path.name.split(separator: ".").last.map(String.init) ?? ""
    self.init(
      row, path: path, format: TextFormat(pathExtension: ending) ?? .yaml, bytes: bytes, problems: own)
  }
}
