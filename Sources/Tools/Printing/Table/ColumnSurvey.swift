package import Store

/// Chooses the columns of a table whose view names no fields: the id, then the scalar fields that
/// at least half of the items have, in the order of the files.
///
/// Reads only the first items, so a table of a million items starts at once. Fields of the sort
/// order come first. The section's field is left out because it is in the headings, and so are
/// fields that repeat the id.
package struct ColumnSurvey {
  package static let sampleSize = 256
  /// The maximum number of columns without a width: a map with very many keys is not a table.
  private static let maxColumns = 100
  /// A readable width. A column is included if it gets this width, or all that it needs.
  private static let readableWidth = 20
  private static let sampleBytes = 16 << 10

  private var summaries: [FieldPath: FieldSummary] = [:]
  private var seen = 0

  package static func columns(for snapshot: ListSnapshot<Item>, width: Int?) -> [FieldPath] {
    var survey = ColumnSurvey()
    var idWidth = 0
    let ids = snapshot.list.items(in: 0..<min(sampleSize, snapshot.count))
    for item in ids.compactMap({ snapshot.item($0) }) {
      survey.add(item)
      idWidth = max(idWidth, DisplayText.width(of: item.id.description, limit: readableWidth))
    }
    let room = width.map { $0 - max(idWidth, TableColumn.idPath.keys[0].count) } ?? .max
    return [TableColumn.idPath]
      + survey.choose(
        sortedBy: snapshot.request.ownSort.compactMap(\.path), without: snapshot.request.section?.path,
        room: room)
  }

  private mutating func add(_ item: Item) {
    seen += 1
    let id = item.id.description
    let fields = item.fields.fields(limit: max(ColumnSurvey.sampleBytes, id.utf8.count + 1))
    for (position, (key, value)) in fields.enumerated() where value.isScalar {
      let text = value.cellText
      let path = FieldPath(keys: [key])
      var summary = summaries[path] ?? FieldSummary(path)
      summary.count += 1
      summary.positions += position
      summary.widest = max(summary.widest, DisplayText.width(of: text, limit: ColumnSurvey.readableWidth))
      summary.repeatsID = summary.repeatsID && text.hasSameBytes(as: id)
      summary.hasLines = summary.hasLines || text.utf8.contains(UInt8(ascii: "\n"))
      summary.isText = summary.isText || !value.isAtomic
      summaries[path] = summary
    }
  }

  /// Returns the most useful fields that fit into `room`, in the order of the files.
  private func choose(sortedBy sort: [FieldPath], without section: FieldPath?, room: Int) -> [FieldPath] {
    let wanted = sort.filter { $0 != section && $0 != TableColumn.idPath }.map {
      summaries[$0] ?? FieldSummary($0)
    }
    let common = summaries.values.filter { $0.count * 2 >= seen && !$0.repeatsID && $0.path != section }
    let useful = common.sorted(by: FieldSummary.isMoreUseful)
    // These may be narrow: the sort fields, because an order without its field is confusing, and the
    // text that says most about an item, such as its title.
    let first = wanted + useful.filter { $0.isText && !$0.hasLines }.prefix(1)
    let narrow = Set(first.map(\.path))
    var room = room
    var chosen: [FieldSummary] = []
    var paths: Set<FieldPath> = []
    for summary in first + useful
    where !paths.contains(summary.path) && chosen.count < ColumnSurvey.maxColumns {
      let width =
        narrow.contains(summary.path) ? min(summary.widest, TableLayout.minTextWidth) : summary.widest
      let need = width + TableLayout.gap
      guard need <= room else { continue }
      room -= need
      chosen.append(summary)
      paths.insert(summary.path)
    }
    return chosen.sorted(by: FieldSummary.isBefore).map(\.path)
  }

  private struct FieldSummary {
    let path: FieldPath
    var count = 0
    var positions = 0
    /// The widest value in columns, up to `readableWidth`.
    var widest: Int
    var repeatsID = true
    /// True if a value has several lines. A cell shows little of such values.
    var hasLines = false
    /// True if a value is a string or a list, so that it can be cut.
    var isText = false

    init(_ path: FieldPath) {
      self.path = path
      widest = DisplayText.width(of: path.description, limit: ColumnSurvey.readableWidth)
    }

    static func isMoreUseful(_ a: FieldSummary, _ b: FieldSummary) -> Bool {
      if a.hasLines != b.hasLines { return b.hasLines }
      return a.count == b.count ? isBefore(a, b) : a.count > b.count
    }

    /// Orders by mean position, then by name. Fields that no file contains, such as `@modified`,
    /// come first.
    static func isBefore(_ a: FieldSummary, _ b: FieldSummary) -> Bool {
      if a.count == 0 || b.count == 0 { return b.count > 0 }
      let first = a.positions * b.count
      let second = b.positions * a.count
      return first == second ? a.path.description < b.path.description : first < second
    }
  }
}
