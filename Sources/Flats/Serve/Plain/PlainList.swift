import Printing
import Store

/// One page of a list: its sections as tables.
struct PlainList {
  private let list: ListSnapshot<Item>
  private let query: PlainQuery
  private let columns: [FieldPath]
  private let page: Int
  private let pageCount: Int

  static let itemsPerPage = 200
  private static let maxProblems = 100

  /// Chooses a page of a list; the last one if there are fewer.
  init(_ list: ListSnapshot<Item>, _ query: PlainQuery) {
    self.list = list
    self.query = query
    pageCount = max(1, (list.count + PlainList.itemsPerPage - 1) / PlainList.itemsPerPage)
    page = min(query.page, pageCount)
    let start = (page - 1) * PlainList.itemsPerPage
    items = start..<min(start + PlainList.itemsPerPage, list.count)
    columns = PlainList.columns(of: list, items).map(\.path)
  }

  /// The width of a table in columns, for a list whose view names no fields.
  private static let tableWidth = 120

  private static func columns(of list: ListSnapshot<Item>, _ items: Range<Int>) -> [TableColumn] {
    var choice = ColumnChoice()
    let items = items.map { list[$0] }
    _ = choice.update(for: list, showing: items)
    var columns = choice.columns
    guard list.request.fields.isEmpty else { return columns }
    for item in items {
      for index in columns.indices { columns[index].measure(item, limit: tableWidth) }
    }
    return TableLayout(columns, width: tableWidth, indent: 0).cells.map(\.column)
  }

  /// The items of the page, by their numbers in the list.
  private let items: Range<Int>

  func write(to html: inout HTMLWriter) {
    html.element("p", summary)
    for warning in list.warnings { html.element("p", "Warning: \(warning.message)") }
    for hint in list.hintTexts.dropFirst(list.warnings.count) { html.element("p", "Hint: \(hint)") }
    if pageCount > 1 { writePages(&html) }
    if list.count == 0 { html.element("p", emptyText) }
    writeSections(&html)
    if pageCount > 1 { writePages(&html) }
    writeProblems(&html)
  }

  /// The sentence of an empty list. The one of the view is not for a search or filter of the address.
  private var emptyText: String {
    let causes = [("search", "search"), ("query", "search"), ("where", "filter")].filter { cause in
      query.view.contains { $0.name == cause.0 }
    }
    if causes.isEmpty || list.storeItems.isEmpty { return list.request.emptyText ?? "No items." }
    return "No item matches the \(causes.map(\.1).joined(separator: " and the "))."
  }

  private var summary: String {
    let total = list.storeItems.count
    let shown =
      list.count == total
      ? Wording.count(total, "item") : "\(Wording.grouped(list.count)) of \(Wording.count(total, "item"))"
    if pageCount == 1 { return "\(shown)." }
    return "\(shown). Page \(page) of \(pageCount): items \(items.lowerBound + 1) to \(items.upperBound)."
  }

  private func writePages(_ html: inout HTMLWriter) {
    html.markup("<nav aria-label=\"Pages\"><ul>\n")
    let pages = [
      ("First", 1, "first"), ("Previous", page - 1, "prev"), ("Next", page + 1, "next"),
      ("Last", pageCount, "last"),
    ]
    for (title, number, relation) in pages where number != page && (1...pageCount).contains(number) {
      html.open("li")
      html.link("\(title) page (\(number))", to: query.address(page: number), relation: relation)
      html.close("li")
    }
    html.markup("</ul></nav>\n")
  }

  private func writeSections(_ html: inout HTMLWriter) {
    let hasHeadings = list.request.section != nil
    var start = 0
    for section in list.list.sectionIdentifiers {
      let count = list.list.numberOfItems(inSection: section)
      let range = items.clamped(to: start..<start + count)
      let isHere =
        range.isEmpty
        ? count == 0 && (items.contains(start) || start == items.upperBound && page == pageCount) : true
      if hasHeadings, isHere {
        html.open("h2")
        html.text(
          "\(list.heading(of: section)) "
            + "(\(Wording.grouped(count)))\(range.lowerBound > start ? ", continued" : "")"
        )
        html.close("h2")
      }
      if !range.isEmpty { writeTable(section, range.lowerBound - start..<range.upperBound - start, &html) }
      start += count
    }
  }

  private func writeTable(_ section: SectionID, _ range: Range<Int>, _ html: inout HTMLWriter) {
    html.markup("<table>\n<thead><tr>")
    for column in columns {
      html.markup("<th scope=\"col\">")
      html.text(TableColumn(column).title)
      html.markup("</th>")
    }
    html.markup("</tr></thead>\n<tbody>\n")
    for id in list.list.items(inSection: section, range) {
      guard let item = list.item(ofShownRow: id) else { continue }
      let texts = columns.map { item.cellValue(at: $0, columns: TableLayout.maxCellWidth) }
      let name = texts.first??.cellText ?? ""
      let title = name.isEmpty ? item.id.description : DisplayText.safe(name, limit: TableLayout.maxCellWidth)
      html.markup(
        PlainList.hasLongWord(title) ? "<tr><th scope=\"row\" class=\"long\">" : "<tr><th scope=\"row\">")
      html.link(title, to: query.address(item: item.id))
      if let problem = list.problem(of: item.path) {
        html.markup(" <strong class=\"error\">")
        html.text(problem.message)
        html.markup("</strong>")
      }
      html.markup("</th>")
      for value in texts.dropFirst() { writeCell(value, &html) }
      html.markup("</tr>\n")
    }
    html.markup("</tbody>\n</table>\n")
  }

  private func writeCell(_ value: Value?, _ html: inout HTMLWriter) {
    let text = value.map { $0 == .null ? "" : $0.cellText } ?? ""
    if case .number? = value {
      html.markup("<td class=\"number\">")
    } else if PlainList.hasLongWord(text) {
      html.markup("<td class=\"long\">")
    } else {
      html.markup("<td>")
    }
    html.text(text, limit: TableLayout.maxCellWidth)
    html.markup("</td>")
  }

  /// True if a word, such as an address, is so long that it must be broken to leave room for other columns.
  private static func hasLongWord(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: " ")).contains { $0.count > 32 }
  }

  private func writeProblems(_ html: inout HTMLWriter) {
    let problems = list.problems
    if problems.isEmpty { return }
    // The page links to it.
    html.markup("<h2 id=\"problems\">")
    html.text(Wording.count(problems.count, "file") + " with a problem")
    html.markup("</h2>\n")
    html.markup("<ul>\n")
    for problem in problems.prefix(PlainList.maxProblems) { html.element("li", problem.description) }
    if problems.count > PlainList.maxProblems {
      html.element("li", "… and \(problems.count - PlainList.maxProblems) more")
    }
    html.markup("</ul>\n")
  }
}
