import PlainStore
import TestSupport
import Testing

/// The Swift code of `docs/coming-from-core-data.md` compiles, and tells a screen what its delegate
/// would tell it.
@Suite(.timeLimit(.minutes(1)))
struct ComingFromPagesTests {
  struct Quote: PlainModel {
    var id: String
    var author: String
  }

  /// A screen that knows the delegate's methods.
  private final class Screen {
    var told: [String] = []
    var isDone: Bool { told.count >= 3 }

    func willChangeContent() { told.append("will change") }
    func didChange(_ section: ListSectionChange) { told.append("\(section)") }
    func didChange(
      _ quote: Quote, at path: ListPlace?, for kind: ListChangeKind, newIndexPath: ListPlace?
    ) {
      told.append("\(kind) \(quote.author) \(path?.description ?? "-") \(newIndexPath?.description ?? "-")")
    }
    func didChangeContent() { told.append("did change") }
  }

  @Test func `The page has no other code`() throws {
    let page = try DocumentationPage("docs/coming-from-core-data.md", below: #filePath)
    #expect(page.lines.count > 5)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  @Test func `The delegate of the page is told each change`() async throws {
    let store = try await ItemStore.temporary(["newton.md": "---\nauthor: Newton\n---\nGiants.\n"])
    let quotes = try store.list(of: Quote.self, sort: "author")
    let screen = Screen()
    for await update in quotes.updates {
      screen.willChangeContent()
      for change in update.sectionChanges { screen.didChange(change) }
      for change in update.changes {
        screen.didChange(change.element, at: change.from, for: change.kind, newIndexPath: change.to)
      }
      screen.didChangeContent()
      if screen.isDone { break }
    }
    #expect(screen.told == ["will change", "insert Newton - [0, 0]", "did change"])
  }
}
