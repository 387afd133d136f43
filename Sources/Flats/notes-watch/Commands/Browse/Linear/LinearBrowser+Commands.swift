import Browse
import Files
import PlainStore
import Sinks
import Terminal
import Values

/// The commands.
extension LinearBrowser {
  mutating func run(_ command: LinearCommand) throws(LinearMistake) {
    switch command {
    case .nothing: break
    case .help(let verb): help(verb)
    case .list(let count):
      renumber()
      printPage(from: 0, count)
    case .next(let count): printPage(from: printed?.page.upperBound ?? 0, count)
    case .back(let count):
      let start = max((printed?.page.lowerBound ?? 0) - min(count ?? LinearBrowser.pageSize, printed?.snapshot.count ?? 0), 0)
      printPage(from: start, count)
    case .change(let change): request(change)
    case .sort(let fields): request(.sort(fields ?? viewSort))
    case .reverse: try reverse()
    case .log(let count): printLog(count)
    case .problems: printProblems()
    case .pause: pause()
    case .resume: resume()
    case .quit: end(.nothing)
    default: try act(command)
    }
  }

  private mutating func act(_ command: LinearCommand) throws(LinearMistake) {
    switch command {
    case .show(let targets): try load(targets)
    case .edit(let targets): start(.edit(try items(targets)))
    case .set(let targets, let words): start(.assign(try items(targets), words: words))
    case .delete(let targets): ask(try items(targets))
    case .add(let id, let words): start(.add(id: id, words: words))
    case .undo: start(.undo)
    case .redo: start(.redo)
    case .select(let targets): try select(targets)
    case .unselect(let targets): try unselect(targets)
    case .choose(let targets): try choose(targets)
    case .copy(let targets, let isPath): try copy(targets, isPath: isPath)
    default: break
    }
  }

  private mutating func start(_ action: ItemAction) {
    phase = .awaitingOutcome
    perform(.act(action))
  }

  private mutating func request(_ change: RequestChange) {
    if case .view = change { isNewView = true }
    phase = .awaitingList(change)
    perform(.change(change))
  }

  private mutating func reverse() throws(LinearMistake) {
    guard let sort = report?.snapshot.request.sort, !sort.isEmpty else {
      return request(.sort([ItemSortDescriptor("@id", descending: true)]))
    }
    if sort.contains(where: { $0.path == nil }) { throw LinearMistake("This order cannot be reversed.") }
    request(.sort(sort.map(\.reversed)))
  }

  // MARK: Items

  /// Returns the items that have the numbers, each in the state that was printed.
  private func items(_ targets: LinearTargets) throws(LinearMistake) -> [PaintedItem] {
    switch targets {
    case .selected:
      if selection.isEmpty { throw LinearMistake("Nothing is selected. Select items with: \(LinearVerb.select.usage).") }
      return selection
    case .numbers(let ranges):
      guard let numbers = LinearTargets.expanded(ranges) else { throw LinearMistake("These are too many items for one command.") }
      var items: [PaintedItem] = []
      var known: Set<Item.ID> = []
      for number in numbers {
        let (row, revision) = try row(number)
        if known.insert(row.item).inserted { items.append(PaintedItem(row.item, revision)) }
      }
      return items
    }
  }

  private func row(_ number: Int) throws(LinearMistake) -> (Item.ID, ItemRevision) {
    guard let printed, let row = printed.row(number) else {
      throw LinearMistake("No item has the number \(number). Type list to print the items with their numbers.")
    }
    guard let revision = printed.revision(of: row) else {
      throw LinearMistake("The item with the number \(number) was not printed yet. Type next to print more, or list all.")
    }
    return (row, revision)
  }

  private mutating func load(_ targets: LinearTargets) throws(LinearMistake) {
    let ids = try items(targets).map(\.id)
    phase = .awaitingDocument(ids)
    for id in ids.prefix(1) { perform(.load(id)) }
  }

  private mutating func ask(_ items: [PaintedItem]) {
    let names = items.prefix(3).map { LinearWording.name($0.id) }.joined(separator: ", ")
    let more = items.count > 3 ? " and \(items.count - 3) more" : ""
    say("Delete \(items.count == 1 ? "" : "\(items.count) items: ")\(names)\(more)? Type yes or no.")
    phase = .asking(items)
  }

  mutating func answer(_ line: String, about items: [PaintedItem]) {
    switch line.trimmed.lowercased() {
    case "yes", "y": start(.delete(items))
    case "no", "n", "":
      say("Not deleted.")
      phase = .idle
    default: say("Type yes or no.")
    }
  }

  private mutating func select(_ targets: LinearTargets) throws(LinearMistake) {
    let added = try items(targets)
    let ids = Set(added.map(\.id))
    selection = selection.filter { !ids.contains($0.id) } + added
    say("\(Wording.plainCount(selection.count, "item")) selected.")
  }

  private mutating func unselect(_ targets: LinearTargets?) throws(LinearMistake) {
    if let targets {
      let ids = Set(try items(targets).map(\.id))
      selection.removeAll { ids.contains($0.id) }
    } else {
      selection = []
    }
    say("\(Wording.plainCount(selection.count, "item")) selected.")
  }

  private mutating func choose(_ targets: LinearTargets?) throws(LinearMistake) {
    guard options.isFilter else { throw LinearMistake("Nothing can be chosen without --print.") }
    let items = try items(targets ?? .selected)
    if items.count > 1, !options.isMulti { throw LinearMistake("Only one item can be chosen without --multi.") }
    end(.chosen(items.map(\.id), Key(.enter)))
  }

  private mutating func copy(_ targets: LinearTargets, isPath: Bool) throws(LinearMistake) {
    let items = try items(targets)
    guard items.count == 1, let item = items.first else { throw LinearMistake("Only one item can be copied.") }
    guard options.canCopy else {
      throw LinearMistake("The output has no clipboard. The path is \(item.revision.path).")
    }
    perform(.copy(isPath ? item.revision.path.description : item.id.description))
    say("Sent \(isPath ? "path" : "id") of \(LinearWording.name(item.id)) to the terminal.")
  }
}
