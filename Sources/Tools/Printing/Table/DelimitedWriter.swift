package import Store
package import Streams

/// Writes a list as rows for programs: CSV (RFC 4180) or TSV, in UTF-8 without a BOM, with a
/// header.
///
/// The columns are `id`, `path`, `section` if the view has sections, and the view's fields. If the
/// view names no fields, they are the top-level fields of all items in order of first appearance. A
/// field called `id`, `path` or `section` becomes the column `value.id` and so on, as in
/// `list -o json`. Missing values and null are empty; lists and maps are JSON.
///
/// - CSV lines end in CRLF, as in the RFC. A cell with a comma, a quote or a line break is quoted.
/// - TSV lines end in LF. In a cell a tab is `\t`, a line break `\n` or `\r`, and a backslash `\\`.
///
/// Values are not altered, even if they begin with `=`, `+`, `-` or `@`, which a spreadsheet may
/// take for a formula. A prefix would change negative numbers and names such as `@ada`. Import the
/// columns as text instead. On a terminal, control characters are escaped, as in a table.
package struct DelimitedWriter {
  package enum Format {
    case csv
    case tsv
  }

  private let format: Format
  private let isTerminal: Bool
  private var bytes: [UInt8] = []
  private var isFirst = true

  /// The maximum number of columns for fields. It keeps a folder whose files all have different
  /// fields from making a table of n × n cells. Further fields are in a last column `*`, as a JSON
  /// map.
  static let maxColumns = 1_000

  package init(_ format: Format, isTerminal: Bool) {
    self.format = format
    self.isTerminal = isTerminal
  }

  private static let itemsPerPiece = 500

  /// Linear in the number of cells. If the view names no fields, iterates over the items twice.
  package func pieces(of snapshot: ListSnapshot<Item>) -> OutputPieces {
    let isSectioned = snapshot.request.section != nil
    let fields = DelimitedFields(snapshot)
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: DelimitedWriter.itemsPerPiece)
    return OutputPieces(parts.count) { [self] number in
      var writer = self
      if number == 0 { writer.writeHeader(fields, isSectioned: isSectioned) }
      parts[number].forEachItem(of: snapshot) { item, section in
        writer.append(item.id.description)
        writer.append(item.path.description)
        if isSectioned { writer.append(section.description) }
        fields.forEachCell(of: item) { writer.append($0) }
        writer.endRow()
      }
      return writer.bytes
    }
  }

  private mutating func writeHeader(_ fields: DelimitedFields, isSectioned: Bool) {
    let fixed = ["id", "path"] + (isSectioned ? ["section"] : [])
    for name in fixed { append(name) }
    for name in fields.names { append(fixed.contains(name) ? "value.\(name)" : name) }
    endRow()
  }
}

private enum DelimitedFields {
  case named([FieldPath])
  /// The top-level keys with their columns, and true if there are more keys than columns.
  case found([FieldPath: Int], names: [String], hasMore: Bool)

  init(_ snapshot: ListSnapshot<Item>) {
    guard snapshot.request.fields.isEmpty else {
      self = .named(snapshot.request.fields)
      return
    }
    var columns: [FieldPath: Int] = [:]
    var names: [String] = []
    var hasMore = false
    snapshot.forEachItem { item, _ in
      for (key, _) in item.projected([]) where columns[FieldPath(keys: [key])] == nil {
        guard names.count < DelimitedWriter.maxColumns else {
          hasMore = true
          continue
        }
        let path = FieldPath(keys: [key])
        columns[path] = names.count
        names.append(path.description)
      }
    }
    self = .found(columns, names: names, hasMore: hasMore)
  }

  var names: [String] {
    switch self {
    case .named(let paths): paths.map(\.description)
    case .found(_, let names, let hasMore): hasMore ? names + ["*"] : names
    }
  }

  func forEachCell(of item: Item, _ body: (String) -> Void) {
    switch self {
    case .named(let paths):
      for path in paths { body(item.value(at: path)?.text ?? "") }
    case .found(let columns, let names, let hasMore):
      var cells = [String](repeating: "", count: names.count)
      var rest = Fields()
      for (key, value) in item.projected([]) {
        if let column = columns[FieldPath(keys: [key])] {
          cells[column] = value.text
        } else {
          rest.append(value, unique: key)
        }
      }
      cells.forEach(body)
      if hasMore { body(rest.isEmpty ? "" : Value.map(rest).text) }
    }
  }
}

extension DelimitedWriter {
  private mutating func append(_ cell: String) {
    if !isFirst { bytes.append(UInt8(ascii: format == .csv ? "," : "\t")) }
    isFirst = false
    let start = bytes.count
    var cell = cell
    cell.withUTF8 {
      switch format {
      case .csv: appendQuoted($0)
      case .tsv: appendEscaped($0)
      }
    }
    if isTerminal { makeVisible(from: start) }
  }

  private mutating func makeVisible(from start: Int) {
    let encoded = String(decoding: bytes[start...], as: UTF8.self)
    bytes.removeSubrange(start...)
    _ = DisplayText.append(encoded, to: &bytes)
  }

  private mutating func endRow() {
    bytes.append(contentsOf: (format == .csv ? "\r\n" : "\n").utf8)
    isFirst = true
  }

  private mutating func appendQuoted(_ cell: UnsafeBufferPointer<UInt8>) {
    let quote = UInt8(ascii: "\"")
    guard
      cell.contains(where: {
        $0 == quote || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
      })
    else {
      bytes.append(contentsOf: cell)
      return
    }
    bytes.append(quote)
    for byte in cell {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private mutating func appendEscaped(_ cell: UnsafeBufferPointer<UInt8>) {
    for byte in cell {
      switch byte {
      case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
      case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
      default: bytes.append(byte)
      }
    }
  }
}
