import Foundation
import PlainStore

struct User: PlainModel {
  var id: Int
  var name: String
  var email: String
  var lastSeen: Date
  var loginCount: Int
}

/// The contents of a row. A login leaves it equal, so it is not an update.
struct UserRow: Equatable, Identifiable {
  let id: Int
  let title: String
  let subtitle: String

  init(_ user: User) {
    (id, title, subtitle) = (user.id, user.name, user.email)
  }
}

/// A feed of users: rows that are changed in place, as a table view changes its cells.
@MainActor final class UsersScreen {
  private(set) var rows: [UserRow] = []
  private let users: LiveList<UserRow>

  init(_ store: ItemStore) throws {
    users = try store.list(of: User.self, sort: "name").mapped { UserRow($0) }
  }

  func run(_ show: @Sendable (String) -> Void) async {
    for await update in users.updates {
      update.apply(to: &rows)
      if !update.isInitial { for change in update.changes { show("\(change)  \(change.element.title)") } }
      show(rows.map(\.title).joined(separator: ", "))
    }
  }
}

@main struct Users {
  static func main() async throws {
    let store = try await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/users")
    await (try UsersScreen(store)).run { print($0) }
  }
}
