import SampleLists
import Store
import Streams
import Testing
import TextEdits
import Values

@testable import Printing

@Suite struct UpdateWriterTests {
  private func lines(_ old: [Item], _ new: [Item], _ options: TextOptions) throws -> [String] {
    let update = try SampleList(old).update(to: SampleList(new))
    var output = CollectedOutput()
    try UpdateWriter(update, options).pieces.write(to: &output)
    return output.lines.dropLast()
  }

  private func notes(_ range: Range<Int>) -> [Item] { range.map { .sample("note-\($0)", ["n": .int($0)]) } }

  @Test func `a terminal gets the first forty rows and a summary of the rest`() throws {
    let shown = try lines(notes(0..<5_000), notes(5_000..<10_000), .window(80))
    #expect(shown.count == UpdateWriter.maxRows + 1)
    #expect(shown.first == "  - 4999  note-4999  (removed)")
    #expect(shown.last == "  … and 9,960 more: 5,000 inserted, 4,960 deleted")
    #expect(try lines([], notes(0..<40), .window(80)).count == 40)
    #expect(try lines([], notes(0..<41), .window(80)).last == "  … and 1 more: 1 inserted")
  }

  @Test func `a name wider than its column does not touch the text after it`() throws {
    let id = String(repeating: "long", count: 12)
    let (old, new): ([Item], [Item]) = ([.sample(id, ["n": .int(1)])], [.sample(id, ["n": .int(2)])])
    #expect(try lines(old, new, .plain) == ["  ~ 0  \(id)  n: 1 → 2"])
    #expect(try lines([], new, .plain) == ["  + 0  \(id)  n: 2"])
    #expect(try lines(old, [], .plain) == ["  - 0  \(id)  (removed)"])
  }

  @Test func `a pipe gets every line`() throws {
    let shown = try lines(notes(0..<5_000), notes(5_000..<10_000), .plain)
    #expect(shown.count == 10_000)
    #expect(shown.last == "  + 4999  note-9999  n: 9999")
  }

  @Test func `an item with many changed fields is summarised on a terminal`() throws {
    func item(_ value: Int) -> Item { .sample("a", Fields(unique: (0..<20).map { ("f\($0)", .int(value)) })) }
    let shown = try lines([item(1)], [item(2)], .window(80))
    #expect(shown.count == 1 + UpdateWriter.maxNotes + 1)
    #expect(shown.last == "      … and 12 more fields")
    #expect(try lines([item(1)], [item(2)], .plain).count == 1)
  }

  @Test func `a new item is shown on one line`() throws {
    let body = String(repeating: "long ", count: 100_000)
    let item = Item.sample("quote", ["author": .string("Ada"), "body": .string(body), "year": .int(1843)])
    let beside = try lines([], [item], .window(80))
    #expect(beside == ["  + 0  quote  author: Ada, body: long long long long long long long long…, year…"])
    #expect(try lines([], [item], .window(30)) == ["  + 0  quote", "      author: Ada, body: long…"])
    #expect(try lines([], [item], .plain)[0].count < 200)
  }

  @Test func `a value is cut around its difference, in the window's measure`() throws {
    func item(_ name: String) -> Item {
      .sample(
        "ada", ["name": .string("Augusta Ada King-Noel, Countess of \(name), mathematician and writer")])
    }
    let edit = try lines([item("Lovelace")], [item("Somerset")], .window(60))
    #expect(edit == ["  ~ 0  ada", "      name: …ss of Lovelace, math… → …ss of Somerset, math…"])
    let wide = try lines([item("Lovelace")], [item("Somerset")], .window(200))
    #expect(
      wide == [
        "  ~ 0  ada  name: …l, Countess of Lovelace, mathematician… → …l, Countess of Somerset, mathematician…"
      ])
  }
}
