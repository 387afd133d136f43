import Foundation
import Synchronization

/// The table of acts and the updates that each caused. It is written to the file that
/// `NOTES_WATCH_ACTS` names.
final class ActsTable: Sendable {
  static let shared = ActsTable(path: ProcessInfo.processInfo.environment["NOTES_WATCH_ACTS"])

  private let path: String?
  private let rows = Mutex(["| act | updates seen |", "| --- | --- |"])

  private init(path: String?) {
    self.path = path
  }

  var isWanted: Bool { path != nil }

  func record(_ act: Act, _ seen: [String]) {
    guard let path else { return }
    let text = rows.withLock { rows in
      rows.append("| \(act.name) | \(seen.isEmpty ? "none" : seen.joined(separator: "; ")) |")
      return rows.joined(separator: "\n") + "\n"
    }
    // `make acts` prints the file, so a failure is visible there.
    try? text.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
