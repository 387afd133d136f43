import PlainStore
import PlainText

/// Chooses the columns of a table whose view names no fields: the id, then the scalar fields that most items have, in the order of the files.
///
/// Looks at the first items only, so that a table of a million starts at once. What the list is sorted by comes before what is merely common; the section's
/// field stands in the headings already; and a field that repeats the id says nothing.
struct ColumnSurvey {
  private struct Finding {
    var count = 0
    var positions = 0
    var widest = 0
    var repeatsID = true
  }

  static let sample = 256
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
    guard case .map(let fields) = item.fields.value else { return }
    seen += 1
    for (position, (key, value)) in fields.enumerated() where value.isScalar {
      var finding = findings[FieldPath(keys: [key]), default: Finding()]
      finding.count += 1
      finding.positions += position
      finding.widest = max(finding.widest, DisplayText.width(of: value.cellText, limit: ColumnSurvey.comfortable))
      finding.repeatsID = finding.repeatsID && value.text.hasSameBytes(as: item.id.description)
      findings[FieldPath(keys: [key])] = finding
    }
  }

  private func choice(sortedBy sort: [FieldPath], without section: FieldPath?, room: Int) -> [FieldPath] {
    let wanted = sort.filter { $0 != section && $0 != TableColumn.idPath }
    let common = findings.filter { $0.value.count * 2 >= seen && !$0.value.repeatsID && $0.key != section && !wanted.contains($0.key) }.map(
      \.key)
    let ranked = common.sorted { a, b in
      let (left, right) = (findings[a, default: Finding()].count, findings[b, default: Finding()].count)
      return left == right ? isBefore(a, b) : left > right
    }
    var room = room
    var taken: [FieldPath] = []
    for path in wanted + ranked where !taken.contains(path) {
      let need =
        max(findings[path]?.widest ?? 0, DisplayText.width(of: path.description, limit: ColumnSurvey.comfortable)) + TableLayout.gap
      guard need <= room else { break }
      room -= need
      taken.append(path)
    }
    return taken.filter { findings[$0] == nil } + taken.filter { findings[$0] != nil }.sorted(by: isBefore)
  }

  /// By the mean place in the files, then by name.
  private func isBefore(_ a: FieldPath, _ b: FieldPath) -> Bool {
    guard let left = findings[a], let right = findings[b] else { return false }
    let (first, second) = (left.positions * right.count, right.positions * left.count)
    return first == second ? a.description < b.description : first < second
  }
}
