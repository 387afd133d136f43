import PlainStore
import PlainText

/// Chooses the columns of a table whose view names no fields: the id, then the scalar fields that most items have, in the order of the files.
///
/// Looks at the first items only, so that a table of a million starts at once. What the list is sorted by comes before what is merely
/// common; the section's field stands in the headings already; and a field that repeats the id says nothing.
struct ColumnSurvey {
  static let sample = 256
  /// Where lines may be as long as they like, a map of very many keys is still no table.
  private static let mostColumns = 100
  /// What a text needs to be read with ease; a column is taken where it has that, or all that it wants.
  private static let comfortable = 20

  private var findings: [FieldPath: Finding] = [:]
  private var seen = 0

  static func columns(for snapshot: ResultsSnapshot, width: Int?) -> [FieldPath] {
    var survey = ColumnSurvey()
    var idWidth = 0
    for item in snapshot.firstItems(sample) {
      survey.look(at: item)
      idWidth = max(idWidth, DisplayText.width(of: item.id.description, limit: comfortable))
    }
    let room = width.map { $0 - max(idWidth, TableColumn.idPath.keys[0].count) } ?? .max
    return [TableColumn.idPath]
      + survey.choice(sortedBy: snapshot.request.sort.map(\.path), without: snapshot.request.section?.path, room: room)
  }

  private mutating func look(at item: Item) {
    seen += 1
    for (position, (key, value)) in item.projected([]).enumerated() where value.isScalar {
      let text = value.cellText
      let path = FieldPath(keys: [key])
      var finding = findings[path] ?? Finding(path)
      finding.count += 1
      finding.positions += position
      finding.widest = max(finding.widest, DisplayText.width(of: text, limit: ColumnSurvey.comfortable))
      finding.repeatsID = finding.repeatsID && text.hasSameBytes(as: item.id.description)
      finding.hasLines = finding.hasLines || text.utf8.contains(UInt8(ascii: "\n"))
      findings[path] = finding
    }
  }

  /// As many as fit into `room`, the most telling first; in the order of the files.
  private func choice(sortedBy sort: [FieldPath], without section: FieldPath?, room: Int) -> [FieldPath] {
    let wanted = sort.filter { $0 != section && $0 != TableColumn.idPath }.map { findings[$0] ?? Finding($0) }
    let common = findings.values.filter { $0.count * 2 >= seen && !$0.repeatsID && $0.path != section }
    var room = room
    var taken: [Finding] = []
    var paths: Set<FieldPath> = []
    for (index, finding) in (wanted + common.sorted(by: Finding.tellsMore)).enumerated()
    where !paths.contains(finding.path) && taken.count < ColumnSurvey.mostColumns {
      // An order that cannot be seen puzzles: its fields may be as narrow as any.
      let need = (index < wanted.count ? min(finding.widest, TableLayout.leastText) : finding.widest) + TableLayout.gap
      guard need <= room else { continue }
      room -= need
      taken.append(finding)
      paths.insert(finding.path)
    }
    return taken.sorted(by: Finding.isBefore).map(\.path)
  }

  /// What is known of one field.
  private struct Finding {
    let path: FieldPath
    var count = 0
    /// The sum of its places in the files.
    var positions = 0
    /// In columns, up to `comfortable`.
    var widest: Int
    var repeatsID = true
    /// Whether it is a text of several lines, of which a cell shows little.
    var hasLines = false

    init(_ path: FieldPath) {
      self.path = path
      widest = DisplayText.width(of: path.description, limit: ColumnSurvey.comfortable)
    }

    static func tellsMore(_ a: Finding, _ b: Finding) -> Bool {
      if a.hasLines != b.hasLines { return b.hasLines }
      return a.count == b.count ? isBefore(a, b) : a.count > b.count
    }

    /// By the mean place, then by name. What no file has at its top level, such as `@modified`, comes first.
    static func isBefore(_ a: Finding, _ b: Finding) -> Bool {
      if a.count == 0 || b.count == 0 { return b.count > 0 }
      let (first, second) = (a.positions * b.count, b.positions * a.count)
      return first == second ? a.path.description < b.path.description : first < second
    }
  }
}
