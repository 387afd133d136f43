import Store

/// The lines of a list that a client shows.
struct ListWindow: Sendable {
  /// The number of the first line, from 0.
  let first: Int
  /// The lines.
  let lines: [ListLines.Line]
  /// The number of all lines of the list.
  let lineCount: Int
  /// The section that the first line belongs to; nil if there are no headers.
  let section: SectionID?

  /// Finds the lines of a window. A window that extends beyond the end of the list begins earlier.
  /// O(k + log² n) for k lines.
  init(_ window: RequestedWindow, of list: ResultsSnapshot) {
    let all = ListLines(of: list)
    lineCount = all.count
    let wanted =
      switch window.start {
      case .line(let line): line
      case .item(let id, let offset): all.line(of: id).map { $0 - offset } ?? 0
      }
    first = max(0, min(wanted, all.count - window.count))
    lines = all.lines(in: first..<first + window.count)
    section = all.header(ofLine: first)
  }

  /// The ids of the items in the window, in order.
  var ids: [Item.ID] {
    lines.compactMap { line in
      if case .item(let id, _, _) = line { id } else { nil }
    }
  }
}

extension RequestedWindow {
  /// Returns the window for the next state of a list. It follows its item; if the item is gone, it
  /// stays where it was.
  ///
  /// - Parameters:
  ///   - last: The window of the last state.
  ///   - list: The next state.
  func following(_ last: ListWindow?, in list: ResultsSnapshot) -> RequestedWindow {
    guard case .item(let id, _) = start, list.index(of: id) == nil else { return self }
    return RequestedWindow(.line(last?.first ?? 0), count: count)
  }
}
