import PlainStore

/// The list that was printed last: what its numbers mean.
///
/// The numbers of its rows, and those of rows that came later, never change until the next list is
/// printed. So a number means the item that had it when the person read it.
struct PrintedList {
  /// The list as it was printed.
  let snapshot: ResultsSnapshot
  /// The fields that its lines show.
  let wording: LinearWording
  /// The rows that were printed last, counted from 0.
  var page = 0..<0
  /// The number of rows from the start that were printed at least once.
  private(set) var printedCount = 0
  /// The items that came later. They have the numbers after those of the snapshot.
  private var later: [Item.ID] = []
  private var laterNumbers: [Item.ID: Int] = [:]
  /// The revision of each item whose state was printed.
  private var revisions: [Item.ID: ItemRevision] = [:]

  init(_ snapshot: ResultsSnapshot) {
    self.snapshot = snapshot
    wording = LinearWording(snapshot)
  }

  /// Returns the number of a row; nil if it has none.
  func number(of id: Item.ID) -> Int? {
    if let number = laterNumbers[id] { return number }
    return snapshot.list.indexOfItem(id).map { $0 + 1 }
  }

  /// Gives a row that came later a number, unless it has one.
  mutating func number(new id: Item.ID) -> Int {
    if let known = number(of: id) { return known }
    later.append(id)
    let number = snapshot.count + later.count
    laterNumbers[id] = number
    return number
  }

  /// Returns the row that has a number; nil if no row has it.
  func row(_ number: Int) -> Item.ID? {
    if number < 1 { return nil }
    if number <= snapshot.count { return snapshot.list.item(atIndex: number - 1) }
    let index = number - snapshot.count - 1
    return later.indices.contains(index) ? later[index] : nil
  }

  /// Records that the state of an item was printed.
  mutating func tell(_ item: Item, as row: Item.ID) { revisions[row] = item.revision }

  /// Records the rows of a page.
  mutating func printed(_ rows: Range<Int>) {
    page = rows
    printedCount = max(printedCount, rows.upperBound)
  }

  /// Returns the state of a row that was printed; nil if none was.
  func revision(of row: Item.ID) -> ItemRevision? { revisions[row] }
}
