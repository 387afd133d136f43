package import Store

/// Chooses the columns of a list for tables, the screen and the page alike: the fields that the view
/// names, or else those that say most about its items.
///
/// The title comes first, then the id unless every title says the same. Then come the sort fields, the
/// fields that at least half of the items have, those of maps, those that a fifth of the items have, those
/// with one value for all items, and long texts. Fields of one kind are in the order of the files. The
/// section's field is left out because it is in the headings, and so are fields that repeat the id.
///
/// Reads a bounded number of items, spread over the list, so a table of a million items starts at once.
package struct ColumnSurvey {
  package static let sampleSize = 256
  /// The maximum number of columns: a map with very many keys is not a table.
  static let maxColumns = 100
  /// A value that is wider, or has several lines, is a long text.
  private static let maxShortWidth = 60
  private static let sampleBytes = 4 << 10

  private var fields: [FieldPath: FieldSummary] = [:]
  private var seen = 0

  package static func columns(for list: ListSnapshot<Item>) -> [TableColumn] {
    let request = list.request
    let columns =
      request.fields.isEmpty ? automatic(for: list) : request.fields.map { TableColumn($0) }
    return columns.map { $0.with(width: request.widths[$0.path]) }
  }

  /// Returns the columns that a view gets that names no fields.
  package static func automatic(for list: ListSnapshot<Item>) -> [TableColumn] {
    let request = list.request
    let items = list.sample
    var survey = ColumnSurvey()
    for item in items { survey.add(item) }
    let section = request.section?.path
    let sort = request.ownSort.compactMap(\.path).filter { $0 != section }
    let title = survey.title(without: section)
    var leading = [title ?? TableColumn.idPath]
    if let title {
      var check = TitleCheck(title)
      for item in items { check.add(item) }
      if check.needsID || sort.contains(TableColumn.idPath) { leading.append(TableColumn.idPath) }
    }
    return leading.map { TableColumn($0, .readable) }
      + survey.choose(sort, without: leading + [section].compactMap { $0 })
  }

  private mutating func add(_ item: Item) {
    seen += 1
    let id = item.id.description
    let limit = max(ColumnSurvey.sampleBytes, id.utf8.count + 1)
    for (position, (key, value)) in item.fields.fields(limit: limit).enumerated() {
      guard case .map(let map) = value else {
        add(value, [key], Double(position), id)
        continue
      }
      for (place, (inner, value)) in map.prefix(ColumnSurvey.maxColumns).enumerated() {
        add(
          value, [key, inner], Double(position) + Double(place + 1) / Double(ColumnSurvey.maxColumns + 1), id)
      }
    }
  }

  private mutating func add(_ value: Value, _ keys: [String], _ position: Double, _ id: String) {
    guard value.fitsCell else { return }
    let text = value.cellText
    if text.isEmpty { return }
    let path = FieldPath(keys: keys)
    var field = fields[path] ?? FieldSummary(path, text)
    field.count += 1
    field.positions += position
    field.repeatsID = field.repeatsID && text.hasSameBytes(as: id)
    field.isConstant = field.isConstant && text.hasSameBytes(as: field.first)
    let isLine = !text.utf8.contains(UInt8(ascii: "\n"))
    if !isLine
      || DisplayText.width(of: text, limit: ColumnSurvey.maxShortWidth + 1) > ColumnSurvey.maxShortWidth
    {
      field.longTexts += 1
    }
    if isLine, value.isScalar { field.titles += 1 }
    fields[path] = field
  }

  /// The first field of those that name an item that most items have; nil if there is none.
  private func title(without section: FieldPath?) -> FieldPath? {
    Item.titleKeys.map { FieldPath(keys: [$0]) }
      .first { $0 != section && (fields[$0]?.titles ?? 0) * 2 > seen }
  }

  private func choose(_ sort: [FieldPath], without others: [FieldPath]) -> [TableColumn] {
    let left = Set(others)
    var candidates = fields
    for path in sort where candidates[path] == nil { candidates[path] = FieldSummary(path) }
    var ranked: [(rank: FieldSummary.Rank, field: FieldSummary)] = []
    for field in candidates.values where !left.contains(field.path) {
      let isSorted = sort.contains(field.path)
      if isSorted || !field.repeatsID { ranked.append((isSorted ? .sorted : field.rank(among: seen), field)) }
    }
    // Where no field is common, the most frequent ones are better than nothing.
    if ranked.contains(where: { $0.rank < .rare }) { ranked.removeAll { $0.rank == .rare } }
    return ranked.sorted { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.rank == .rare, a.field.count != b.field.count { return a.field.count > b.field.count }
      return FieldSummary.isBefore(a.field, b.field)
    }
    .prefix(ColumnSurvey.maxColumns)
    .map { rank, field in
      TableColumn(field.path, rank == .sorted ? .narrow : field.isLong ? .rest : .readable)
    }
  }

  private struct FieldSummary {
    /// The order of the columns.
    enum Rank: Int, Comparable {
      case sorted, common, nested, frequent, constant, long, rare

      static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    let path: FieldPath
    let first: String
    var count = 0
    /// The sum of its places in the files.
    var positions = 0.0
    var longTexts = 0
    /// The number of values that could be a title.
    var titles = 0
    var repeatsID = true
    var isConstant = true

    init(_ path: FieldPath, _ first: String = "") {
      self.path = path
      self.first = first
    }

    /// True for the text of a Markdown file, and if a quarter of the values are long.
    var isLong: Bool { longTexts * 4 >= max(count, 1) || path.keys == ["body"] }

    func rank(among seen: Int) -> Rank {
      if count * 5 < seen { return .rare }
      if isLong { return .long }
      if isConstant, count == seen, seen > 2 { return .constant }
      if count * 2 < seen { return .frequent }
      return path.keys.count > 1 ? .nested : .common
    }

    /// Orders by mean place, then by name. Fields that no file contains, such as `@modified`, come first.
    static func isBefore(_ a: FieldSummary, _ b: FieldSummary) -> Bool {
      let first = a.count == 0 ? -1 : a.positions / Double(a.count)
      let second = b.count == 0 ? -1 : b.positions / Double(b.count)
      return first == second ? a.path.description < b.path.description : first < second
    }
  }
}

extension ListSnapshot<Item> {
  /// Items that are spread over the list.
  package var sample: [Item] {
    let step = Swift.max(1, (count + ColumnSurvey.sampleSize - 1) / ColumnSurvey.sampleSize)
    return stride(from: 0, to: count, by: step).map { self[$0] }
  }
}

extension Value {
  /// True for what a cell shows well: a scalar, or a list of them.
  fileprivate var fitsCell: Bool { isScalar || elements?.allSatisfy(\.isScalar) == true }
}
