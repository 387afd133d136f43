import Browse
import Files
import PlainStore
import Sinks
import Values

/// Lists, files and help.
extension LinearBrowser {
  /// Makes the newest list the printed one. This alone gives numbers another meaning.
  mutating func renumber() {
    guard let report else { return }
    printed = PrintedList(report.snapshot)
  }

  /// Prints the first page of a new list.
  mutating func printNewList() {
    renumber()
    if isNewView {
      viewSort = report?.snapshot.request.sort ?? []
      isNewView = false
    }
    printPage(from: 0, nil)
  }

  /// Prints rows of the printed list, with the values that the items have now.
  mutating func printPage(from start: Int, _ count: Int?) {
    guard var printed, let newest = report?.snapshot else { return }
    let total = printed.snapshot.count
    if total == 0 { return say(printed.snapshot.request.emptyText ?? "No items.") }
    if start >= total { return say("The list has no more items.") }
    let end = start + min(count ?? LinearBrowser.pageSize, total - start)
    var section: SectionID?
    for index in start..<end {
      guard let row = printed.snapshot.list.item(atIndex: index) else { continue }
      if printed.snapshot.request.section != nil, let place = printed.snapshot.list.place(of: row), place.section != section {
        section = place.section
        sayHeading(place.section, in: printed.snapshot)
      }
      // Only this row counts: the list may show the item in another section, too.
      if newest.list.contains(row), let item = newest[id: row] {
        printed.tell(item, as: row)
        say("\(index + 1). \(printed.wording.description(of: item))")
      } else {
        say("\(index + 1). \(LinearWording.name(row)): no longer in this list.")
      }
    }
    printed.printed(start..<end)
    self.printed = printed
    let more = end < total ? " Type next for more." : ""
    say("Items \(start + 1) to \(end) of \(total).\(more)")
  }

  private mutating func sayHeading(_ section: SectionID, in snapshot: ResultsSnapshot) {
    let count = snapshot[section: section]?.count ?? 0
    say("Section \(DisplayText.safe(snapshot.heading(of: section), limit: 80)), \(Wording.plainCount(count, "item")).")
  }

  /// The number of lines of a file that `show` prints.
  private static let maxFileLines = 400

  /// Prints a file that was asked for, and asks for the next one: only one is read at a time.
  mutating func receive(_ document: ItemDocument) {
    guard case .awaitingDocument(let ids) = phase, document.id == ids.first else { return }
    show(document)
    let rest = Array(ids.dropFirst())
    phase = rest.isEmpty ? .idle : .awaitingDocument(rest)
    for id in rest.prefix(1) { perform(.load(id)) }
  }

  private mutating func show(_ document: ItemDocument) {
    guard let bytes = document.bytes else {
      return say("The file \(document.path) cannot be read.")
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    say("\(document.path), \(Wording.plainCount(lines.count, "line")).")
    for problem in document.problems { say("Problem in line \(problem.line), column \(problem.column): \(problem.message)") }
    for line in lines.prefix(LinearBrowser.maxFileLines) {
      // The limit of a line is in bytes, so that a line of 10 MB costs nothing.
      say(DisplayText.safe(String(decoding: line.prefix(4_000), as: UTF8.self), limit: 1_000))
    }
    if lines.count > LinearBrowser.maxFileLines { say("\(lines.count - LinearBrowser.maxFileLines) more lines.") }
  }

  mutating func printProblems() {
    let problems = report?.snapshot.problems ?? []
    if problems.isEmpty { return say("No problems.") }
    for problem in problems.prefix(LinearBrowser.maxLogLines) { say("Problem: \(problem)") }
    if problems.count > LinearBrowser.maxLogLines { say("\(problems.count - LinearBrowser.maxLogLines) more problems.") }
  }

  mutating func help(_ verb: LinearVerb?) {
    if let verb { return say("\(verb.usage): \(verb.summary)") }
    for verb in LinearVerb.allCases { say("\(verb.usage): \(verb.summary)") }
    say("NUMBERS are numbers of printed items, such as 3, 5-7 or 1,4, or the word selected.")
  }
}
