import PlainStore

struct Contact: PlainModel {
  var id: String
  var firstName: String
  var lastName: String
  var group: String
  var phone: String?

  static let defaults: Fields = ["group": "all"]
}

/// An address book in two titled sections, which stay when they are empty.
struct ContactsScreen {
  private let store: ItemStore
  private let contacts: LiveList<Contact>

  init(_ store: ItemStore) throws {
    self.store = store
    let groups = SectionDescriptor(
      "group", order: ["friends", "all"], titles: ["friends": "Friends Contacts", "all": "Your Contacts"])
    contacts = try store.list(
      of: Contact.self, sort: "lastName", "firstName", section: groups,
      searchFields: ["firstName", "lastName"])
  }

  /// Adds a contact.
  func add(_ contact: Contact) async throws { try await store.insert(contact) }

  /// Moves a contact to the other section.
  func toggleFriend(_ id: String) async throws {
    try await store.update(id, as: Contact.self) { $0.group = $0.group == "friends" ? "all" : "friends" }
  }

  /// Shows the sections with their contacts, then each change of them.
  func run(_ show: @Sendable (String) -> Void) async {
    for await update in contacts.updates {
      if update.isInitial {
        for section in update.new.sections {
          show("\(section.title ?? "") (\(section.count))")
          for contact in section { show("  \(contact.firstName) \(contact.lastName)") }
        }
      } else {
        for change in update.changes {
          show("\(change)  \(change.element.firstName) \(change.element.lastName)")
        }
      }
    }
  }
}

@main struct Contacts {
  static func main() async throws {
    let screen = try ContactsScreen(
      await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/contacts"))
    let showing = Task { await screen.run { print($0) } }
    await Task.detached {
      while let id = readLine() {
        do { try await screen.toggleFriend(id) } catch { print(error) }
      }
    }.value
    showing.cancel()
  }
}
