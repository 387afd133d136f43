import Foundation
import TestSupport

/// Checks a round of saves: no item is removed, even for a moment, and none changes more often than
/// it was written.
struct SaveCheck {
  private let plan: RoundPlan
  private let steps: [StreamReader.Step]

  init(_ plan: RoundPlan, _ steps: [StreamReader.Step]) {
    self.plan = plan
    self.steps = steps
  }

  func check() throws {
    for change in steps.flatMap(\.changes)
    where change.op == "delete" && change.fields["reason"] as? String == "removed" {
      throw Watcher.Failure(description: "saves removed \(change.id)")
    }
    var written: [ExactText: Int] = [:]
    for saved in plan.hands.flatMap({ $0 }).compactMap(\.saved) {
      written[SaveCheck.id(of: saved.path), default: 0] += saved.contents
    }
    for path in plan.repaired { written[SaveCheck.id(of: path), default: 0] += 1 }
    let changes = steps.flatMap(\.changes).filter { $0.fields["fields"] != nil }
    for (id, changes) in Dictionary(grouping: changes, by: \.id) where changes.count > written[id] ?? 0 {
      throw Watcher.Failure(
        description: "\(id) changed \(changes.count) times, but was written \(written[id] ?? 0) times")
    }
  }

  private static func id(of path: ExactText) -> ExactText {
    .printing(Array(path.bytes[..<(path.bytes.lastIndex(of: UInt8(ascii: ".")) ?? path.bytes.endIndex)]))
  }
}
