import Foundation
import TestSupport
import Testing
import Values

/// Replays histories of real items: how often a merge by field decides what a line merge leaves to
/// a person, and whether it is correct.
///
/// `NOTES_WATCH_DATA` names a folder of products with `releases`, as in endoflife.date; without it,
/// one invented item is used. The table of results goes into the file that `NOTES_WATCH_REPLAY`
/// names.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .serialized) struct ReplayTests {
  private static let data = ProcessInfo.processInfo.environment["NOTES_WATCH_DATA"]

  private static let product = """
    ---
    title: Product
    category: os
    # Who reads this?
    versionCommand: uname -a
    releases:
      - releaseCycle: "3"
        releaseDate: 2025-09-25
        eol: 2030-11-14
        latest: "3.6"

      - releaseCycle: "2"
        releaseDate: 2024-09-25
        eol: 2029-11-14
        latest: "2.6"

      - releaseCycle: "1"
        releaseDate: 2023-09-25
        eol: false
        latest: "1.6"
    ---
    # Product

    One line.
    Another line.

    And a last one.

    """

  /// The items with their file names.
  private static func items() throws -> [(name: String, bytes: [UInt8])] {
    guard let data else { return (0..<5).map { ("\($0)", Array(product.utf8)) } }
    let names = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasSuffix(".md") }
      .sorted()
    return try names.map { ($0, Array(try Data(contentsOf: URL(fileURLWithPath: "\(data)/\($0)")))) }
  }

  @Test func `no merge by field gives a wrong result`() throws {
    var rows: [String] = []
    for length in [2, 4, 8] {
      var (reverts, branches) = ([Replay.Merge](), [Replay.Merge]())
      for seed in Randomness.seeds(1) {
        for (name, bytes) in try ReplayTests.items() {
          var generator = SeededGenerator(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
          guard let line = Replay(bytes, as: .markdown, numbers: 0..<length, using: &generator) else {
            continue
          }
          reverts += line.reverts.prefix(1)
          guard let ours = Replay(bytes, as: .markdown, numbers: 100..<100 + length / 2, using: &generator),
            let theirs = Replay(bytes, as: .markdown, numbers: 200..<200 + length / 2, using: &generator)
          else { continue }
          branches.append(ours.merge(with: theirs))
        }
        for (what, merges) in [
          ("a revert after \(length - 1) more", reverts), ("two branches of \(length / 2)", branches),
        ] {
          let tally = try Replay.tally(merges, as: .markdown)
          #expect(tally.wrongFields == 0, "\(what): \(seedNote(seed))")
          #expect(tally.merges > 0, "\(what): \(seedNote(seed))")
          #expect(tally.fieldConflicts <= tally.lineConflicts + tally.odds, "\(what): \(seedNote(seed))")
          rows.append("| \(what) | \(tally.row) |")
        }
      }
    }
    let head =
      "| merge | tried | at odds | line conflicts | field conflicts | needless, lines | needless, fields | wrong, lines | wrong, fields |\n|---|---|---|---|---|---|---|---|---|\n"
    if let path = ProcessInfo.processInfo.environment["NOTES_WATCH_REPLAY"] {
      try (head + rows.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
  }
}
