import Printing
import Store
import Testing
import Values

@testable import Browse

@Suite struct RecentChangesTests {
  @Test func `a change says which fields changed from what to what`() async throws {
    var list = try await SampleStore(["ada.yaml": "name: Ada\nrating: 5\nnick: A\n"])
    var changes = RecentChanges()
    changes.record(try await list.seed(["ada.yaml": "name: Ada\nrating: 8\ncity: Rome\n"]))
    let change = try #require(changes["ada"])
    #expect(change.kind == .update)
    #expect(change.details.notes == ["rating: 5 → 8", "city added: Rome", "nick removed: A"])
    #expect(change.details.fields.map(\.path) == ["rating", "city", "nick"])
  }

  @Test func `a new item is a change`() async throws {
    var list = try await SampleStore([:])
    var changes = RecentChanges()
    changes.record(try await list.seed(["ada.yaml": "name: Ada\n"]))
    #expect(changes["ada"]?.kind == .insert)
    #expect(changes["bob"] == nil)
  }

  @Test func `changes of the request are left out`() async throws {
    var list = try await SampleStore([:])
    var changes = RecentChanges()
    changes.record(try await list.seed(["ada.yaml": "name: Ada\n"], origin: .view))
    #expect(changes["ada"] == nil)
  }

  @Test func `only the last changes are kept`() async throws {
    var list = try await SampleStore([:])
    var changes = RecentChanges()
    changes.record(try await list.seed(["first.yaml": "n: 1\n", "again.yaml": "n: 1\n"]))
    for round in 0..<RecentChanges.limit {
      changes.record(try await list.seed(["again.yaml": "n: \(round + 2)\n"]))
    }
    #expect(changes["first"] == nil)
    #expect(changes["again"]?.details.notes == ["n: \(RecentChanges.limit) → \(RecentChanges.limit + 1)"])
  }

  @Test func `the changed lines of a text are those that are new at their place`() {
    func lines(_ old: String, _ new: String) -> [Range<Int>]? {
      RecentChange.lines(from: .string(old), to: .string(new))
    }
    #expect(lines("a\nb\nc\n", "a\nB\nc\n") == [1..<2])
    #expect(lines("a\nb\n", "a\nx\ny\nb\n") == [1..<3])
    #expect(lines("a\nb\nc\nd\n", "x\nb\nc\ny\n") == [0..<1, 3..<4])
    #expect(lines("a\nb\n", "b\na\n") == [])
    #expect(lines("a", "b") == nil)
    #expect(RecentChange.lines(from: nil, to: .string("a\nb")) == nil)
  }

  @Test func `lines are compared as bytes`() {
    #expect(RecentChange.lines(from: .string("e\u{301}\nx"), to: .string("é\nx")) == [0..<1])
  }
}
