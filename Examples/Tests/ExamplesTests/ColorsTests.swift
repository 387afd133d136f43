import PlainStore
import Testing

@testable import colors

@Suite(.timeLimit(.minutes(1))) struct ColorsTests {
  private static func store() async throws -> ItemStore {
    try await ItemStore.temporary([
      "tomato.yaml": "name: tomato\nhex: \"#ff6347\"\nrgb: [255, 99, 71]\n",
      "blue.yaml": "name: blue\nhex: \"#0000ff\"\nrgb: [0, 0, 255]\n",
      "aliceblue.yaml": "name: aliceblue\nhex: \"#f0f8ff\"\nrgb: [240, 248, 255]\n",
    ])
  }

  @Test func `The search field filters at each key`() async throws {
    let screen = try ColorsScreen(await Self.store())
    let shown = ShownLines()
    let showing = Task { await screen.run(shown.show) }
    defer { showing.cancel() }
    #expect(await shown.next() == ["Colours: 3"])
    screen.search = "bl"
    #expect(await shown.next(2) == ["- tomato from 2  tomato #ff6347", "Colours: 2"])
    screen.search = "blu #00"
    #expect(await shown.next(2) == ["- aliceblue from 0  aliceblue #f0f8ff", "Colours: 1"])
    screen.search = "plaid"
    #expect(
      await shown.next(2) == ["- blue from 0  blue #0000ff", "No colour has such a name or hex value."])
    screen.search = ""
    #expect(await shown.next(4).last == "Colours: 3")
  }

  @Test func `An edit in any editor is an update at its place`() async throws {
    let store = try await Self.store()
    let screen = try ColorsScreen(store)
    let shown = ShownLines()
    let showing = Task { await screen.run(shown.show) }
    defer { showing.cancel() }
    _ = await shown.next()
    try await store.update("tomato", as: Color.self) { $0.name = "a ripe tomato" }
    #expect(await shown.next(2) == ["> tomato 2 → 0, changed  a ripe tomato #ff6347", "Colours: 3"])
  }
}
