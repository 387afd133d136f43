import PlainStore
import Testing

@testable import contacts

@Suite(.timeLimit(.minutes(1))) struct ContactsTests {
  @Test func `A contact moves between the titled sections, which stay when they are empty`() async throws {
    let store = try await ItemStore.temporary([
      "ben.yaml": "firstName: Ben\nlastName: Okafor\n",
      "zoe.yaml": "# Met in Lyon\nfirstName: Zoe\nlastName: Martin\ngroup: all\n",
    ])
    let screen = try ContactsScreen(store)
    let shown = ShownLines()
    let showing = Task { await screen.run(shown.show) }
    defer { showing.cancel() }
    #expect(
      await shown.next(4) == ["Friends Contacts (0)", "Your Contacts (2)", "  Zoe Martin", "  Ben Okafor"])
    try await screen.toggleFriend("zoe")
    #expect(await shown.next() == ["> zoe all[0] → friends[0], changed  Zoe Martin"])
    try await screen.add(Contact(id: "amelia", firstName: "Amelia", lastName: "Okafor", group: "friends"))
    #expect(await shown.next() == ["+ amelia at friends[1]  Amelia Okafor"])
  }
}
