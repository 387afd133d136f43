import PlainStore
import TestSupport
import Testing

/// This file imports `PlainStore` alone, as a user's does.
struct ObservationImportTests {
  private struct Contact: PlainModel {
    var id: String
    var name: String
  }

  /// A screen of a user, which is observed itself.
  @MainActor @Observable final class Screen {
    private let contacts: LiveResults<Contact>
    var title = ""

    init(_ store: ItemStore) {
      contacts = store.results(of: Contact.self).live()
    }

    var rows: [String] { contacts.map(\.name) }
    func search(_ text: String) { contacts.search = text }
  }

  @MainActor @Test func `a view model that is made of a live list is observed through it`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "name: Ada\n", "bob.yaml": "name: Bob\n"])
    let screen = Screen(try ItemStore(at: folder.path))
    #expect(screen.rows == ["Ada", "Bob"])
    await confirmation { isObserved in
      withObservationTracking {
        _ = screen.rows
      } onChange: {
        isObserved()
      }
      screen.search("bob")
    }
    #expect(screen.rows == ["Bob"])
  }
}
