import PlainStore
import Testing

@testable import todos

@Suite(.timeLimit(.minutes(1))) @MainActor struct TodosTests {
  @Test func `Both lists change in one step, and the search waits for a pause`() async throws {
    let store = try await ItemStore.temporary([
      "fence.yaml": "title: Mend the fence\ndue: 2026-05-09\npriority: 5\n",
      "garlic.yaml": "title: Plant garlic\ndue: 2026-10-10\npriority: 3\n",
      "seeds.yaml": "title: Order seeds\ndone: true\n",
    ])
    let screen = try TodosScreen(store)
    let shown = ShownLines()
    screen.run(shown.show)
    #expect(await shown.next() == ["2 due, most urgent: Mend the fence"])
    try await screen.complete("fence")
    #expect(await shown.next() == ["1 due, most urgent: Plant garlic"])
    for text in ["f", "fe", "fence"] { screen.type(text) }
    #expect(await shown.next().last?.hasPrefix("0 due") == true)
  }
}
