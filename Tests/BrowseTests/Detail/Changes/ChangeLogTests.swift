import Store
import Testing

@testable import Browse

@Suite struct ChangeLogTests {
  @Test func `the log has the words of the text output`() async throws {
    var list = try await SampleStore(["ada.yaml": "rating: 5\n", "bob.yaml": "rating: 6\n"])
    var log = LogPane()
    log.record(
      try await list.seed(["ada.yaml": "rating: 8\n", "cleo.yaml": "rating: 1\n"], origin: .git),
      at: "12:03:44")
    log.record(try await list.delete("bob"), at: nil)
    #expect(
      log.lines.map(\.text) == [
        "12:03:44  git  1 inserted, 1 updated · 3 items", "  + 2  cleo  rating: 1",
        "  ~ 0  ada  rating: 5 → 8",
        "files  1 deleted · 2 items", "  - 1  bob  (removed)",
      ])
  }

  @Test func `the person's own change has their word, also after others were removed`() async throws {
    var list = try await SampleStore(["ada.yaml": "rating: 5\n"])
    var log = LogPane()
    log.markLastUpdateAsOwn()
    log.record(try await list.seed(["ada.yaml": "rating: 8\n"]), at: "12:03:44")
    log.record("Saved.", isFailure: false)
    log.markLastUpdateAsOwn()
    #expect(
      log.lines.map(\.text) == ["12:03:44  you  1 updated · 1 item", "  ~ 0  ada  rating: 5 → 8", "Saved."])
    for number in 0..<LogPane.limit { log.record("Sentence \(number).", isFailure: false) }
    let lines = log.lines
    log.markLastUpdateAsOwn()
    #expect(log.lines == lines)
  }

  @Test func `the log has the problems that came and went`() {
    var log = LogPane()
    let problem = Problem(path: "a.yaml", line: 2, column: 4, message: "A bracket is missing.")
    log.record(nil, [.raised(problem)], at: "12:03:44")
    log.record(nil, [.cleared(problem)], at: nil)
    #expect(
      log.lines.map(\.text) == [
        "12:03:44  1 problem", "  ! a.yaml:2:4: A bracket is missing.", "1 problem solved", "  ✓ a.yaml",
      ])
  }

  @Test func `a large update is summarised`() async throws {
    var list = try await SampleStore([:])
    var log = LogPane()
    let files = Dictionary(uniqueKeysWithValues: (0..<50).map { ("n\($0).yaml", "n: 1\n") })
    log.record(try await list.seed(files), at: nil)
    #expect(log.lines.count == 42)
    #expect(log.lines.last?.text == "  … and 10 more")
  }

  @Test func `changes of the request are left out`() async throws {
    var list = try await SampleStore([:])
    var log = LogPane()
    log.record(try await list.seed(["a.yaml": "n: 1\n"], origin: .view), at: nil)
    #expect(log.lines.isEmpty)
  }

  @Test func `only the last changes are kept`() {
    var log = LogPane()
    for number in 0..<LogPane.limit + 3 { log.record("Sentence \(number).", isFailure: false) }
    #expect(log.lines.count == LogPane.limit)
    #expect(log.removed == 3)
    #expect(log.lines.first?.text == "Sentence 3.")
  }
}
