import Store
import Testing

@testable import Browse

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
    #expect(stack.next(.undo) == nil)
    let top4 = stack.pop(.undo)
    #expect(top4 == nil)
  }

  @Test func `the last action is undone first`() async throws {
    var stack = UndoStack()
    stack.push("first", try await outcomes("a"))
    stack.push("second", try await outcomes("b", "c"))
    #expect(stack.next(.undo) == UndoSummary(title: "second", count: 2))
    let top5 = stack.pop(.undo)
    #expect(top5.map { EditScope(undoing: $0.outcomes).description } == "delete c, delete b")
    let top6 = stack.pop(.undo)
    #expect(top6?.title == "first")
  }

  @Test func `a refused step stays on top, in both directions`() async throws {
    var stack = UndoStack()
    for title in ["first", "second"] { stack.push(title, try await outcomes("a", "b")) }
    let top1 = stack.pop(.undo)
    let step = try #require(top1)
    stack.conclude(step.title, .undo, rest: [step.outcomes[0]], made: [step.outcomes[1]])
    #expect(stack.next(.undo) == UndoSummary(title: "second", count: 1))
    #expect(stack.next(.redo) == UndoSummary(title: "second", count: 1))
    let top2 = stack.pop(.redo)
    let redone = try #require(top2)
    stack.conclude(redone.title, .redo, rest: redone.outcomes, made: [])
    #expect(stack.next(.redo) == UndoSummary(title: "second", count: 1))
    #expect(stack.next(.undo) == UndoSummary(title: "second", count: 1))
  }

  @Test func `only an action with an effect ends what can be redone`() async throws {
    var stack = UndoStack()
    stack.push("first", try await outcomes("a"))
    let top3 = stack.pop(.undo)
    let step = try #require(top3)
    stack.conclude(step.title, .undo, rest: [], made: step.outcomes)
    stack.push("nothing", [])
    #expect(stack.next(.redo)?.title == "first")
    stack.push("second", try await outcomes("b"))
    #expect(stack.next(.redo) == nil)
  }

  @Test func `the oldest steps are forgotten`() async throws {
    var stack = UndoStack()
    let outcomes = try await outcomes("a")
    for number in 0...UndoStack.maxSteps { stack.push("\(number)", outcomes) }
    var titles: [String] = []
    while let step = stack.pop(.undo) { titles.append(step.title) }
    #expect(titles.count == UndoStack.maxSteps)
    #expect(titles.last == "1")
  }
}
