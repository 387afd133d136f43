import Foundation
import PlainStore
import TestSupport
import Testing

/// The Swift code of `docs/migrating.md` compiles as a user of the library has it, and does what the page
/// says.
@Suite(.timeLimit(.minutes(1)))
struct MigratingPageTests {
  @Test func `The page has no other code, and is short`() throws {
    let page = try DocumentationPage("docs/migrating.md", below: #filePath)
    #expect(page.lines.count > 10)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
    #expect(try MarkdownPage("docs/migrating.md").text.count { $0 == "\n" } <= 80)
  }

  struct Contact: PlainModel {
    var id: String
    var name: String
    var email: String  // was `mail`
    var stars: Int  // was `rating`, a string such as "***"
    static let changes: [ModelChange] = [
      .renamed("mail", to: "email"),
      .converted("rating") { (text: String) in text.allSatisfy { $0 == "*" } ? text.count : nil },
      .renamed("rating", to: "stars"),
    ]
  }

  @Test func `The files change as the page shows`() async throws {
    let rows = try MarkdownPage("docs/migrating.md").text.split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`").map(String.init) }
    #expect(rows.count == 3)
    let old = rows.map { $0[1] + "\n" }.joined() + "name: Ada\n"
    let new = rows.map { $0[3] + "\n" }.joined() + "name: Ada\n"
    let folder = try TemporaryFolder([
      "people/ada.yaml": old, "people/eve.yaml": "name: Eve\nmail: [1]\n", "notes/a.yaml": "mail: x\n",
    ])
    let store = try await ItemStore.open(folder.path, watching: false)
    var printed: [String] = []
    func print(_ error: EditError) { printed.append("\(error)") }
    #expect(try store.list(of: Contact.self, where: "stars >= \(3)").snapshot.map(\.id) == ["people/ada"])

    let report = try await store.migrate(Contact.self, in: "people/")
    for failure in report.failures { print(failure) }  // people/eve.yaml:2:7: …
    #expect(printed.map { $0.hasPrefix("people/eve.yaml:2:7: ") } == [true])
    #expect(try folder.text(of: "people/ada.yaml") == new)
    #expect(try folder.text(of: "notes/a.yaml") == "mail: x\n")

    try await store.save(report.inverse)
    #expect(try folder.text(of: "people/ada.yaml") == old)
  }
}
