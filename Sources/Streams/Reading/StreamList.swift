public import Store

/// The list that a stream describes, in a program that reads the stream: another process, or another machine.
/// Applying every line in its order keeps it equal to the list that the writer has.
///
/// ```swift
/// var list = StreamList()
/// for line in text.split(separator: "\n") { try list.apply(StreamLine(String(line))) }
/// for id in list.snapshot.itemIdentifiers { print(id, list.row(id)?.value as Any) }
/// ```
///
/// To continue after a restart, store the rows, the titles and the ``position`` together, make the list of them
/// again, and start the program with `--state` and the position's token in `--since`. A new list needs a stream
/// that begins with a snapshot: neither a `diff`, nor the first update that a persistent command gets.
///
/// The entries of `takenBack` are ignored. They are for readers that used lines without acknowledging them; the
/// list is complete without. A list with an item in several sections (`SectionDescriptor` by element) cannot be
/// read: ids of its rows are not ids of items.
public struct StreamList: Sendable, CustomStringConvertible {
  /// An item of the list: its file, and its fields as the stream has them.
  public struct Row: Sendable, Hashable {
    /// The item's file, below the root.
    public let path: RelativePath
    /// The fields that the view shows. Dates are strings, as in JSON.
    public let value: Fields

    /// Makes a row that a reader stored.
    public init(path: RelativePath, value: Fields) {
      self.path = path
      self.value = value
    }
  }

  /// The sections and the ids, in order.
  public private(set) var snapshot = Snapshot<SectionID, Item.ID>()
  /// The messages of the files that cannot be read now.
  public private(set) var problems: [RelativePath: String] = [:]
  /// The last step, and the token from which the stream can continue; nil until the list is complete, as while
  /// the parts of a snapshot come.
  public private(set) var position: StreamPosition?
  private var rows: [Item.ID: Row] = [:]
  private var titles: [SectionID: String] = [:]
  private var parts = 0

  /// Makes a list that waits for the start of a stream.
  public init() {}

  /// Makes the list that a reader stored, to continue at its position. Each id of the snapshot needs its row.
  public init(
    _ snapshot: Snapshot<SectionID, Item.ID>, rows: [Item.ID: Row], titles: [SectionID: String] = [:],
    at position: StreamPosition
  ) {
    self.snapshot = snapshot
    self.rows = rows
    self.titles = titles
    self.position = position
  }

  /// The sections with their ids.
  public var description: String { snapshot.description }

  /// The row of an item in the list. O(1).
  public func row(_ id: Item.ID) -> Row? { rows[id] }

  /// The title of a section, if the view has one for it. O(1).
  public func title(of section: SectionID) -> String? { titles[section] }

  /// Applies the next line. A line of a type that changes no list is ignored. O(log n) per change.
  ///
  /// - Throws: `TextError` if a line before this one is missing, or if the line contradicts the list: start
  ///   the stream again. An update that throws changes nothing; a snapshot leaves a list that is not complete.
  public mutating func apply(_ line: StreamLine) throws(TextError) {
    switch line.type {
    case "hello": try begin(line)
    case "snapshot": try applySnapshot(line)
    case "update": try applyUpdate(line)
    case "problem": try applyProblem(line.fields)
    case "bookmark":
      if line.position?.seq != position?.seq { throw .gap }
      position = line.position
    default: break
    }
  }

  private mutating func begin(_ line: StreamLine) throws(TextError) {
    if line.fields["since"] == nil {
      self = StreamList()
    } else if try line.fields.text("since") != position?.token {
      throw .gap
    }
    problems = [:]
  }

  private mutating func applySnapshot(_ line: StreamLine) throws(TextError) {
    let part = line.fields["part"] == nil ? 1 : try line.fields.number("part")
    if part == 1 { self = StreamList() }
    if part != parts + 1 { throw .gap }
    parts = part
    for section in try line.fields.maps("sections") { try append(section) }
    guard let last = line.position else { return }
    if try line.fields.number("count") != snapshot.numberOfItems { throw .gap }
    position = last
  }

  private mutating func append(_ section: Fields) throws(TextError) {
    let id = SectionID(try section.text("id"))
    var ids: [Item.ID] = []
    for item in try section.maps("items") {
      ids.append(try item.id)
      rows[try item.id] = try Row(item)
    }
    titles[id] = try? section.text("title")
    do throws(SnapshotError<SectionID, Item.ID>) {
      let last = snapshot.sectionIdentifier(at: snapshot.numberOfSections - 1)
      if last != id { try snapshot.appendSections([id]) }
      try snapshot.appendItems(ids, toSection: id)
    } catch {
      throw TextError(line: error.description)
    }
  }

  private mutating func applyUpdate(_ line: StreamLine) throws(TextError) {
    guard let position, let next = line.position, next.seq == position.seq + 1,
      try line.fields.text("since") == position.token
    else { throw .gap }
    let difference = try line.difference
    var changed: [(id: Item.ID, row: Row)] = []
    for (change, fields) in zip(difference.changes, try line.fields.maps("changes")) {
      switch change {
      case .insert, .update, .move(_, _, _, isUpdated: true): changed.append((change.item, try Row(fields)))
      case .delete, .move: break
      }
    }
    let newTitles = try line.fields["sections"] == nil ? [] : line.fields.maps("sections")
    let count = try line.fields.number("count")
    let list: Snapshot<SectionID, Item.ID>
    do throws(SnapshotError<SectionID, Item.ID>) {
      list = try snapshot.applying(difference)
    } catch {
      throw TextError(line: error.description)
    }
    if list.numberOfItems != count { throw .gap }
    snapshot = list
    for case .delete(let id, _) in difference.changes { rows[id] = nil }
    for (id, row) in changed { rows[id] = row }
    for (change, section) in zip(difference.sections, newTitles) {
      titles[change.section] = try? section.text("title")
    }
    self.position = next
  }

  private mutating func applyProblem(_ fields: Fields) throws(TextError) {
    guard let path = RelativePath(printed: try fields.text("path")) else { throw .missing("path") }
    problems[path] = try fields.text("state") == "raised" ? fields.text("message") : nil
  }
}

extension StreamList.Row {
  fileprivate init(_ item: Fields) throws(TextError) {
    guard let path = RelativePath(printed: try item.text("path")) else { throw .missing("path") }
    guard let value = item["value"] else { throw .missing("value") }
    let fields = (item["numbers"].map(value.restoringNonFinite) ?? value).fields
    self.init(path: path, value: fields ?? [:])
  }
}

extension TextError {
  fileprivate static let gap = TextError(
    line: "A line before this one is missing, or was applied twice. Start the stream again.")
}
