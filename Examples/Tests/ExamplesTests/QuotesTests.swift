import Foundation
import PlainStore
import Testing

@testable import quotes

@Suite(.timeLimit(.minutes(1))) struct QuotesTests {
  /// A delegate that records its calls.
  private struct Recorder: QuotesDelegate {
    let shown: ShownLines

    func willChangeContent() { shown.show("will change") }

    func didChange(_ quote: Quote, at place: ListPlace?, for kind: ListChangeKind, newPlace: ListPlace?) {
      shown.show("\(kind) \(place?.item ?? -1) \(newPlace?.item ?? -1) \(quote.author)")
    }

    func didChangeContent(_ quotes: ListSnapshot<Quote>) { shown.show("\(quotes.count) quotes") }
  }

  @Test func `The delegate gets each change with its old and new place`() async throws {
    let store = try await ItemStore.temporary([
      "newton.md": "---\nauthor: Newton\ncreatedAt: 2026-06-30T13:37:00Z\n---\nOn ye sholders of Giants.\n",
      "pascal.md": "---\nauthor: Pascal\ncreatedAt: 2026-07-21T16:45:12+02:00\n---\nPlus courte.\n",
    ])
    let screen = try QuotesScreen(store)
    let shown = ShownLines()
    let showing = Task { await screen.run(Recorder(shown: shown)) }
    defer { showing.cancel() }
    #expect(await shown.next(4) == ["will change", "insert -1 0 Pascal", "insert -1 1 Newton", "2 quotes"])
    try await screen.add(
      "Not power over men.\n", by: "Wollstonecraft", at: Date(timeIntervalSince1970: 1_800_000_000))
    #expect(await shown.next(3) == ["will change", "insert -1 0 Wollstonecraft", "3 quotes"])
    try await store.update("newton", [.set("createdAt", "2027-12-01")])
    #expect(await shown.next(3) == ["will change", "move 2 0 Newton", "3 quotes"])
    try await screen.delete(at: ListPlace(section: 0, item: 99))
    try await screen.delete(at: ListPlace(section: 0, item: 1))
    #expect(await shown.next(3) == ["will change", "delete 1 -1 Wollstonecraft", "2 quotes"])
  }
}
