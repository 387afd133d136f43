/// Applying an update to the rows that a view keeps of a list.
///
/// The rows must be those of the list before the update. Begin with an empty array and the first
/// update of `updates`, or with the rows of the snapshot that `updates(after:)` got, and apply each
/// update once. Rows of another count are a mistake of the program, which ends with a message. The
/// first update of `updates` replaces all rows, whatever they are.
///
/// Costs O(n + c log n) for n rows and c changes.
extension ListUpdate {
  /// Applies the update to the elements of a list, in order.
  ///
  /// ```swift
  /// var rows: [Contact] = []
  /// for await update in contacts.updates { update.apply(to: &rows) }
  /// ```
  ///
  /// In a list with sections, the rows of all sections follow one another.
  public func apply(to rows: inout [Element]) { apply(to: &rows) { $0 } }

  /// Applies the update to the elements of a list by section.
  ///
  /// ```swift
  /// var sections: [[Contact]] = []
  /// for await update in try store.list(of: Contact.self, section: "group").updates {
  ///   update.apply(to: &sections)
  ///   print(update.new.sections.map(\.id), sections.map(\.count))
  /// }
  /// ```
  public func apply(to sections: inout [[Element]]) { apply(to: &sections) { $0 } }

  /// Applies the update to rows that are made of elements. Rows that only move are kept.
  ///
  /// - Parameter row: Makes the row of an element that is new or changed.
  public func apply<Row>(to rows: inout [Row], row: (Element) throws -> Row) rethrows {
    let counts = isInitial ? [] : old.list.sectionIdentifiers.map { old.list.numberOfItems(inSection: $0) }
    check(isInitial || rows.count == counts.reduce(0, +), "\(rows.count) rows")
    var start = 0
    let sections = counts.map { count in
      defer { start += count }
      return Array(rows[start..<(start + count)])
    }
    rows = try applied(to: sections, row).flatMap { $0 }
  }

  /// Applies the update to rows by section that are made of elements. Rows that only move are kept.
  ///
  /// - Parameter row: Makes the row of an element that is new or changed.
  public func apply<Row>(to sections: inout [[Row]], row: (Element) throws -> Row) rethrows {
    let ids = isInitial ? [] : old.list.sectionIdentifiers
    let isFitting =
      sections.count == ids.count
      && zip(sections, ids).allSatisfy { $0.count == old.list.numberOfItems(inSection: $1) }
    check(isInitial || isFitting, "sections with \(sections.map(\.count)) rows")
    sections = try applied(to: isInitial ? [] : sections, row)
  }

  private func check(_ isFitting: Bool, _ found: String) {
    if isFitting { return }
    let counts = old.list.sectionIdentifiers.map { old.list.numberOfItems(inSection: $0) }
    // Applying the update to other rows would show wrong ones from now on: a mistake of the programmer.
    fatalError(
      "This update leads from a list with \(counts) rows in its sections, and cannot be applied to \(found)."
        + " Begin with the first update of `updates`, and apply each update once, in order.")
  }

  private func applied<Row>(to rows: [[Row]], _ row: (Element) throws -> Row) rethrows -> [[Row]] {
    var fold = RowFold(rows, of: old.list)
    for change in diff.changes {
      if let from = change.from { fold.remove(from) }
    }
    for change in diff.changes {
      guard let to = change.to else { continue }
      if case .move(_, let from, _, isUpdated: false) = change {
        fold.move(from, to)
      } else {
        fold.insert(try row(new.element(ofRow: change.item)), at: to)
      }
    }
    return new.list.sectionIdentifiers.map { fold.section($0) }
  }
}

/// The rows of a list before an update, and where they are after it. An update in place counts as a
/// removal and an insertion.
private struct RowFold<Row> {
  private let rows: [SectionID: [Row]]
  private var removed: [SectionID: Set<Int>] = [:]
  /// The rows that arrive, with their numbers after the update.
  private var arrived: [SectionID: [(number: Int, row: Row)]] = [:]

  init(_ rows: [[Row]], of list: Snapshot<SectionID, Item.ID>) {
    self.rows = Dictionary(zip(list.sectionIdentifiers, rows)) { first, _ in first }
  }

  mutating func remove(_ place: Place<SectionID>) { removed[place.section, default: []].insert(place.index) }

  mutating func insert(_ row: Row, at place: Place<SectionID>) {
    arrived[place.section, default: []].append((place.index, row))
  }

  mutating func move(_ from: Place<SectionID>, _ to: Place<SectionID>) {
    if let section = rows[from.section], section.indices.contains(from.index) {
      insert(section[from.index], at: to)
    }
  }

  func section(_ id: SectionID) -> [Row] {
    let rows = rows[id] ?? []
    let removed = removed[id] ?? []
    let arrived = (arrived[id] ?? []).sorted { $0.number < $1.number }
    if removed.isEmpty, arrived.isEmpty { return rows }
    var result: [Row] = []
    result.reserveCapacity(rows.count - removed.count + arrived.count)
    var next = arrived[...]
    for (number, row) in rows.enumerated() where !removed.contains(number) {
      while let arrival = next.first, arrival.number == result.count { result.append(next.removeFirst().row) }
      result.append(row)
    }
    return result + next.map(\.row)
  }
}
