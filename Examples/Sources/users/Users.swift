import DiffableSnapshot
import PlainStore

/// The contents of a row: three of the five fields of a user. An edit of the other two leaves the row
/// equal, so it is not an update.
struct UserRow: Decodable, Identifiable, Equatable {
  var id: Int
  var name: String
  var email: String
}

/// A view model: rows that are changed in place, as a table view changes its cells.
@MainActor final class UserList {
  private(set) var rows: [UserRow] = []

  func apply(_ update: TypedUpdate<UserRow>) {
    // The order that a diff needs: first remove the items that leave their place, from the last to the
    // first; then insert the items that arrive, from the first to the last; replace updated ones.
    let leaving = update.changes.filter { $0.kind == .delete || $0.kind == .move }.compactMap(\.from?.index)
    for index in leaving.sorted(by: >) { rows.remove(at: index) }
    for change in update.changes {
      guard let to = change.to?.index else { continue }
      if change.kind == .update { rows[to] = change.object } else { rows.insert(change.object, at: to) }
    }
  }
}

@main struct Users {
  @MainActor static func main() async throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "../SampleData/users"
    let store = try ItemStore(at: folder, watching: true)
    let users = try store.results(of: UserRow.self) { settings throws(SettingsError) in try settings.view(named: "people").request }
    let list = UserList()

    for await update in users.updates {
      list.apply(update)
      for change in update.changes { print("\(change.kind) \(change.object.name)") }
      print(list.rows.map { "  \($0.id)  \($0.name) <\($0.email)>" }.joined(separator: "\n"))
    }
  }
}
