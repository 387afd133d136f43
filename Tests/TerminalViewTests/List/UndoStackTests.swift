import PlainStore
import Testing

@testable import TerminalView

@Suite struct UndoStackTests {
  /// Returns the outcomes of real saves of some new items.
  private func outcomes(_ ids: Item.ID...) async throws -> [SaveOutcome] {
    let store = try await ItemStore.temporary(watching: false)
    var scope = store.makeEditScope()
    for id in ids { scope.insert(id, fields: [:]) }
    return try await store.save(scope).outcomes
  }

  @Test func `an action without an effect is not a step`() async throws {
    var stack = UndoStack()
    stack.push("nothing", [])
    #expect(stack.next == nil)
    #expect(stack.pop() == nil)
  }

  @Test func `the last action is undone first`() async throws {
    var stack = UndoStack()
    stack.push("first", try await outcomes("a"))
    stack.push("second", try await outcomes("b", "c"))
    #expect(stack.next == UndoSummary(title: "second", count: 2))
    #expect(stack.pop()?.scope.description == "delete c, delete b")
    #expect(stack.pop()?.title == "first")
  }

  @Test func `a refused step comes below the others, and one that failed for a moment stays on top`() async throws {
    var stack = UndoStack()
    for title in ["first", "second"] { stack.push(title, try await outcomes("a")) }
    let step = stack.pop()
    stack.putBack(try #require(step), isRefused: true)
    #expect(stack.steps.map(\.title) == ["second", "first"])
    let other = stack.pop()
    stack.putBack(try #require(other), isRefused: false)
    #expect(stack.steps.map(\.title) == ["second", "first"])
  }

  @Test func `the oldest steps are forgotten`() async throws {
    var stack = UndoStack()
    let outcomes = try await outcomes("a")
    for number in 0...UndoStack.maxSteps { stack.push("\(number)", outcomes) }
    #expect(stack.steps.count == UndoStack.maxSteps)
    #expect(stack.steps.first?.title == "1")
  }
}
