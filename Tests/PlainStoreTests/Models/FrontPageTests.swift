import PlainStore
import TestSupport
import Testing

private struct Contact: PlainModel {  // Codable & Equatable & Identifiable & Sendable
  var id: String  // ada.yaml is "ada"
  var name: String
  var rating: Int
  static let defaults: Fields = ["rating": 0]  // for files without the field
}

@Suite(.timeLimit(.minutes(1)))
struct FrontPageTests {
  @Test func `the program of the front page writes, lists and changes a contact`() async throws {
    let folder = try TemporaryFolder()
    let store = try await ItemStore.open("\(folder.path)/contacts")
    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    var updates = best.updates.makeAsyncIterator()
    #expect(await updates.next()?.changes.map { "\($0)" } == [])
    try await store.save(Contact(id: "ada", name: "Ada", rating: 9))  // writes ada.yaml
    #expect(await updates.next()?.changes.map { "\($0)" } == ["+ ada at 0"])
    #expect(try folder.bytes(of: "contacts/ada.yaml") == Array("name: Ada\nrating: 9\n".utf8))
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }  // changes that number only
    #expect(await updates.next()?.changes.map { "\($0)" } == ["~ ada at 0"])
    #expect(try folder.bytes(of: "contacts/ada.yaml") == Array("name: Ada\nrating: 10\n".utf8))
  }
}
