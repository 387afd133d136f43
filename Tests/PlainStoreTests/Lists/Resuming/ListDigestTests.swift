import Files
@testable import Store
@testable import Streams
import Testing
import Values

@testable import Folder
@testable import Query

struct ListDigestTests {
  private static func row(
    _ section: SectionID = "s", _ id: Item.ID = "ada", _ path: RelativePath = "ada.yaml",
    _ value: Fields = ["n": 1]
  ) -> ListRow {
    ListRow(section: section, id: id, path: path, value: PackedValue(.map(value)))
  }

  private static func digest(_ rows: ListRow...) -> ListDigest {
    var digest = ListDigest()
    for row in rows { digest.add(row) }
    return digest
  }

  @Test func `the order of rows does not matter, and a removed row leaves no trace`() {
    let (a, b) = (Self.row(), Self.row("s", "bob"))
    #expect(Self.digest(a, b) == Self.digest(b, a))
    var digest = Self.digest(a, b)
    digest.remove(a)
    #expect(digest == Self.digest(b))
    digest.remove(b)
    #expect(digest == ListDigest())
  }

  @Test(arguments: [
    row("t"), row("s", "bob"), row("s", Item.ID("ada", in: "s")), row("s", "ada", "b.yaml"),
    row("s", "ada", "ada.yaml", [:]),
    row("s", "ada", "ada.yaml", ["n": 2]), row("s", "ada", "ada.yaml", ["n": "1"]),
    row("s", "ada", "ada.yaml", ["n": 1, "m": .null]),
    row("sa", "da"), row("s", "ada", "ada.yaml", ["n": .list([1])]),
    row("s", "ada", "ada.yaml", ["n": ["n": 1]]),
  ])
  func `each part of a row counts`(row: ListRow) {
    #expect(Self.digest(row) != Self.digest(Self.row()))
  }

  @Test func `values with other limits between their parts have other digests`() {
    let values: [Value] = [
      .list([.list([1]), 2]), .list([.list([1, 2])]), .list([1, 2]), .list([.list([]), 1, 2]),
      ["a": ["b": 1]], ["a": 1, "b": .null],
      ["a": ["b": .null]], .list([["a": 1], ["b": 2]]), .list([["a": 1, "b": 2]]), .list([.null, .null]),
      .list([.null]),
    ]
    let digests = Set(values.map { Self.digest(Self.row("s", "ada", "ada.yaml", ["v": $0])) })
    #expect(digests.count == values.count)
  }

  @Test func `equal values have equal digests`() {
    let one: Fields = ["a": 1, "b": ["x": .number(.double(.nan)), "y": .list([["p": 1, "q": 2]])]]
    let other: Fields = ["b": ["y": .list([["q": 2, "p": 1]]), "x": .number(.double(-Double.nan))], "a": 1]
    #expect(one == other)
    #expect(
      Self.digest(Self.row("s", "ada", "ada.yaml", one))
        == Self.digest(Self.row("s", "ada", "ada.yaml", other)))
  }

  @Test func `a digest has the same text in every run`() {
    #expect(ListDigest().text == "00000000000000000000000000000000")
    let digest = Self.digest(
      Self.row(),
      Self.row("", "bob", "d/bob.md", ["list": .list([1, "two", 3.5, .null]), "when": "2026-11-22"]))
    #expect(digest.text == "9e2ee30fbcf5811de324ec8175356da6")
  }

  @Test func `an update changes the digest to that of its new list`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let (start, steps) = store.list(FetchRequest(sort: ["n"], fields: ["n", "@path"])).snapshotAndSteps()
    var digest = ListDigest(of: start)
    store.change(["a": ["n": 9], "b": nil, "d": ["n": 0], "c": ["n": 3, "hidden": 1]])
    guard case .step(let update?, _)? = steps.consumeEvent() else { throw FoldError(text: "no update") }
    digest.apply(update)
    #expect(digest == ListDigest(of: update.new))
    #expect(digest != ListDigest(of: start))
  }

  @Test func `an update of many rows changes the digest, too`() throws {
    func list(_ value: Int) -> ListSnapshot<Item> {
      let items = (0..<3_000).map {
        Item.sample(RelativePath(bytes: "\($0).yaml".utf8), ["n": .number(.integer($0 % 7 * value))])
      }
      return ListSnapshot<Item>(of: StoreState(items), request: FetchRequest())
    }
    let (old, new) = (list(1), list(2))
    let update = ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files)
    // All but those whose value stays 0.
    #expect(update.diff.changes.count == (0..<3_000).count { $0 % 7 != 0 })
    var digest = ListDigest(of: old)
    digest.apply(update)
    #expect(digest == ListDigest(of: new))
  }
}
