import PlainStore
import Testing

@testable import users

@Suite(.timeLimit(.minutes(1))) @MainActor struct UsersTests {
  @Test func `A login is not an update of the row, and a new name moves it`() async throws {
    let user = { (id: Int, name: String) in
      "{\"id\": \(id), \"name\": \"\(name)\", \"email\": \"\(name)@example.org\", \"lastSeen\": \"2026-11-20T17:42:10Z\", \"loginCount\": 1}"
    }
    let store = try await ItemStore.temporary([
      ".notes-watch.yaml": "id-field: id\n", "a.json": user(1001, "Amira"), "b.json": user(1002, "Chidi"),
      "c.json": user(1003, "Dana"),
    ])
    let screen = try UsersScreen(store)
    let shown = ShownLines()
    let showing = Task { await screen.run(shown.show) }
    defer { showing.cancel() }
    #expect(await shown.next() == ["Amira, Chidi, Dana"])
    try await store.update(1001, as: User.self) { $0.loginCount += 1 }
    try await store.update(1001, as: User.self) { $0.name = "Benedict" }
    #expect(await shown.next(2) == ["~ 1001 at 0  Benedict", "Benedict, Chidi, Dana"])
    try await store.update(1003, as: User.self) { $0.name = "Alma" }
    #expect(await shown.next(2) == ["> 1003 2 → 0, changed  Alma", "Alma, Benedict, Chidi"])
    #expect(screen.rows.map(\.id) == [1003, 1001, 1002])
  }

  @Test func `Several rows move in one update`() async throws {
    let store = try await ItemStore.temporary(
      Dictionary(
        uniqueKeysWithValues: (1...8).map {
          (
            "\($0).yaml",
            "name: user \($0)\nemail: \($0)@example.org\nlastSeen: 2026-11-20T17:42:10Z\nloginCount: 1\n"
          )
        }))
    let screen = try UsersScreen(store)
    let shown = ShownLines()
    let showing = Task { await screen.run(shown.show) }
    defer { showing.cancel() }
    _ = await shown.next()
    try await store.update(["5", "8"], as: User.self) { $0.name = "aaa \($0.id)" }
    _ = await shown.next(3)
    #expect(screen.rows.map(\.id) == [5, 8, 1, 2, 3, 4, 6, 7])
  }
}
