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
  private let users: TypedResults<UserRow>

  init(_ store: ItemStore) throws {
    users = try store.list(of: User.self, sort: "name").map { UserRow($0) }
  }

  func run(_ show: @Sendable (String) -> Void) async {
    for await update in users.updates {
      apply(update)
      if !update.isInitial { for change in update.changes { show("\(change)  \(change.object.title)") } }
      show(rows.map(\.title).joined(separator: ", "))
    }
  }

  /// First removes the rows that leave their place, from the last to the first. Then inserts the
  /// rows that arrive, from the first to the last, and replaces those that changed.
  private func apply(_ update: TypedUpdate<UserRow>) {
    for change in update.changes where change.kind == .delete || change.kind == .move {
      if let from = change.fromIndexPath { rows.remove(at: from.item) }
    }
    for change in update.changes {
      guard let to = change.toIndexPath else { continue }
      if change.kind == .update { rows[to.item] = change.object } else { rows.insert(change.object, at: to.item) }
    }
  }
}

@main struct Users {
  static func main() async throws {
    let store = try await ItemStore.open(CommandLine.arguments.dropFirst().first ?? "../SampleData/users")
    await (try UsersScreen(store)).run { print($0) }
  }
}
