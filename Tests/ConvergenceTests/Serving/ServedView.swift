import Foundation
import TestSupport

/// One view of a client of the web server, and what the client knows of it.
struct ServedView {
  /// The name of its events.
  let id: String
  var view: ListView
  /// The part of the list that the client asks for; nil for the complete list.
  var window: (first: Int, count: Int)?
  /// The complete list, folded.
  private(set) var list = StreamReader()
  /// The position after which the view continues; empty without one.
  private(set) var token = ""
  /// The rows of the window.
  private(set) var rows = WindowReader()
  /// True if the client named its position when it connected, so that it is answered.
  private var hasPosition = false
  /// True if the list begins again although the client named its position, which needs a reason.
  private var needsReason = false
  /// True if the first list has arrived.
  private(set) var hasList = false

  init(id: String, _ view: ListView, window: (first: Int, count: Int)? = nil) {
    (self.id, self.view, self.window) = (id, view, window)
  }

  /// The view as a stream of several views asks for it.
  func request(since token: String?) -> [String: Any] {
    var parts = view.parts
    if let window { parts["window"] = ["first": window.first, "count": window.count] }
    if let token, !token.isEmpty { parts["since"] = token }
    return parts
  }

  /// Begins a connection.
  mutating func connect(hasPosition: Bool) {
    self.hasPosition = hasPosition
    needsReason = false
    hasList = false
    // A page that was loaded again has no rows.
    rows = WindowReader()
  }

  /// Applies an event.
  mutating func apply(_ event: EventStream.Event) throws {
    switch event.type {
    case "hello": try begin(event)
    case "error":
      guard needsReason, event.fields["code"] as? String == "gone" else {
        throw Watcher.Failure(description: "\(event.fields)")
      }
      needsReason = false
    default:
      if needsReason { throw Watcher.Failure(description: "view \(id) begins again without `gone`") }
      hasList = hasList || event.type != "problem"
      if window == nil {
        try list.apply(event.data)
      } else if event.type == "window" {
        try rows.apply(event.fields)
      }
      if event.id != nil { token = event.fields["token"] as? String ?? "" }
    }
  }

  private mutating func begin(_ hello: EventStream.Event) throws {
    if hello.fields["since"] == nil {
      needsReason = hasPosition
      list = StreamReader()
    } else if !hasPosition {
      throw Watcher.Failure(description: "view \(id) continues, but named no position")
    }
    if window == nil { try list.apply(hello.data) }
  }

  // MARK: Comparing

  /// Describes the first difference from the list; nil if there is none.
  ///
  /// - Parameters:
  ///   - expected: The list that follows from the files.
  ///   - fresh: What `list` prints.
  func difference(from expected: ExpectedList, _ fresh: FreshList) -> String? {
    if !hasList { return "there is no list" }
    // With broken files, neither the part of a list nor its numbers are known exactly.
    if !expected.isExact, window != nil || view.window != nil { return nil }
    if window != nil { return difference(of: rows, from: fresh) }
    let aside = expected.touched(by: list)
    if let difference = expected.difference(from: list.items, aside: aside)
      ?? expected.difference(fromProblems: Set(list.problems.keys), isFresh: false)
    {
      return difference
    }
    let (listed, folded) = (
      fresh.items.filter { !aside.contains($0.id) }, list.items.filter { !aside.contains($0.id) }
    )
    return listed == folded ? nil : "it has \(folded.map(\.id)), but `list` has \(listed.map(\.id))"
  }

  /// Compares the rows with the slice of the list, header by header and item by item.
  private func difference(of reader: WindowReader, from fresh: FreshList) -> String? {
    let all = lines(of: fresh)
    if reader.count != fresh.items.count {
      return "the window counts \(reader.count) items instead of \(fresh.items.count)"
    }
    if reader.lines != all.count { return "the window counts \(reader.lines) lines instead of \(all.count)" }
    let slice = Array(all.dropFirst(reader.first).prefix(window?.count ?? 0))
    if slice.count < min(window?.count ?? 0, all.count) {
      return "the window begins at line \(reader.first) of \(all.count)"
    }
    let shown = reader.rows.map { row in
      // A value that was cut is another one.
      row.id.map { reader.cut.contains($0) } == true ? WindowReader.Row(without: row) : row
    }
    let wanted = slice.map { row in
      row.id.map { reader.cut.contains($0) } == true ? WindowReader.Row(without: row) : row
    }
    return shown == wanted ? nil : "the window has \(shown), but `list` has \(wanted)"
  }

  private func lines(of fresh: FreshList) -> [WindowReader.Row] {
    guard view.hasSections else {
      return fresh.items.enumerated().map {
        WindowReader.Row(id: $1.id, section: nil, value: $1.value, position: $0 + 1)
      }
    }
    let numbered = Array(fresh.items.enumerated())
    var order = view.firstSections
    for item in fresh.items where !order.contains(item.section) { order.append(item.section) }
    return order.flatMap { section in
      let items = numbered.filter { $0.element.section == section }
      return [WindowReader.Row(section: section, count: items.count)]
        + items.map { WindowReader.Row(id: $1.id, section: section, value: $1.value, position: $0 + 1) }
    }
  }
}

extension WindowReader.Row {
  /// The row without its value.
  fileprivate init(without row: WindowReader.Row) {
    self.init(id: row.id ?? "", section: row.section, value: nil, position: row.position)
  }
}
