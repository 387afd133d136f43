import Observation
import PlainStore
import TestSupport
import Testing

/// This file imports `PlainStore` and `Observation`, as a user's does.
@Suite(.timeLimit(.minutes(1)))
struct ObservationImportTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
  }

  /// A screen of a user, which is observed itself.
  @MainActor @Observable final class Screen {
    private let contacts: LiveList<Contact>
    var title = ""

    init(_ store: ItemStore) throws {
      contacts = try store.list(of: Contact.self)
    }

    var rows: [String] { contacts.snapshot.map(\.name) }
    func search(_ text: String) { contacts.search = text }
  }

  @MainActor @Test func `a view model that is made of a live list is observed through it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let screen = try Screen(ItemStore(at: folder.path))
    #expect(screen.rows == ["Ada", "Bob"])
    let (changes, change) = AsyncStream<Void>.makeStream()
    withObservationTracking {
      _ = screen.rows
    } onChange: {
      change.yield()
    }
    screen.search("bob")
    #expect(screen.rows == ["Bob"])
    for await _ in changes { break }
  }

  @MainActor @Test func `a change between a reading and the end of its closure is observed, too`()
    async throws
  {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let screen = try Screen(ItemStore(at: folder.path))
    let (changes, change) = AsyncStream<Void>.makeStream()
    // From here on, the main actor may run on another thread.
    await Task.yield()
    withObservationTracking {
      _ = screen.rows
      screen.search("bob")
    } onChange: {
      change.yield()
    }
    for await _ in changes { break }
    #expect(screen.rows == ["Bob"])
  }
}
