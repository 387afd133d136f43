import DiffableSnapshot
import Testing

/// The examples in the documentation comments of `DiffableSnapshot`, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct DiffableSnapshotExamples {
  // DiffableSnapshot/Difference/Snapshot+Difference.swift
  func difference(_ before: Snapshot<String, String>, _ after: Snapshot<String, String>) {
    let diff = after.difference(from: before, touched: ["ada"], updated: ["ada"])
    _ = diff
  }

  // DiffableSnapshot/Difference/SnapshotDiff.swift
  func changes(_ before: Snapshot<String, String>, _ after: Snapshot<String, String>) {
    for change in after.difference(from: before).changes {
      switch change {
      case .delete(let item, let from): print("\(item) deleted from \(from)")
      case .insert(let item, let to): print("\(item) inserted at \(to)")
      case .move(let item, let from, let to, _): print("\(item) moved from \(from) to \(to)")
      case .update(let item, _, let to): print("\(item) updated at \(to)")
      }
    }
  }

  // DiffableSnapshot/Snapshot/Snapshot+Iteration.swift
  func page(_ snapshot: Snapshot<String, String>) {
    let page = Array(snapshot.items(in: 40..<60))
    _ = page
  }

  // DiffableSnapshot/Snapshot/Snapshot+Queries.swift
  func partitionPoint(_ snapshot: Snapshot<String, String>, _ names: [String: String]) {
    let place = snapshot.partitionPoint(inSection: "friends") { names[$0, default: ""] > "Bea" }
    _ = place
  }

  // DiffableSnapshot/Snapshot/Snapshot+Visibility.swift
  func hidden(_ list: Snapshot<String, String>, _ titles: [String: String]) {
    var results = list
    results.setHidden { !titles[$0, default: ""].contains("swift") }
    // a longer text can only hide more
    results.setHidden(asking: .shown) { !titles[$0, default: ""].contains("swiftly") }
  }

  // DiffableSnapshot/Snapshot/Snapshot.swift
  @Test func `an item is moved`() throws {
    var people = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    let before = people
    try people.moveItem("ada", afterItem: "cleo")
    let diff = people.difference(from: before)  // one move: friends[0] → work[1]
    #expect(diff.description == "> ada friends[0] → work[1]")
  }

  // DiffableSnapshot/Snapshot/SnapshotWindow.swift
  func window(_ list: Snapshot<String, String>) throws {
    var all = list
    var window = SnapshotWindow(0..<50, of: all)
    let before = window.list
    try all.moveItem("ada", afterItem: "zoe")
    let touched = window.follow(all, changed: ["ada"], range: 0..<50)
    let diff = window.list.difference(from: before, touched: touched)
    _ = diff
  }
}
