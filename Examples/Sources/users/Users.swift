import DiffableSnapshot
import PlainStore

/// What a row shows: three of a user's five fields. An edit to the other two leaves it equal, and is no update.
struct UserRow: Decodable, Identifiable, Equatable {
  var id: Int
  var name: String
  var email: String
}

/// The view model: the rows as they are, changed in place as a table view would change its cells.
@MainActor final class UserList {
  private(set) var rows: [UserRow] = []

  func apply(_ update: TypedUpdate<UserRow>) {
    // The rules of a diff: what leaves its place, the last place first; then what comes to one, the first place first; then the new values.
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
