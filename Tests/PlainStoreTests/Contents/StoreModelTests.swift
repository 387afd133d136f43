import Files
import HashTreeCollections
@testable import Store
import Testing
import Values

@testable import Folder
@testable import Query

extension StoreModel {
  /// `apply` with a type that literals can be read as.
  fileprivate mutating func take(_ findings: [(RelativePath, FileFinding)]) -> StoreChanges {
    apply(findings.map { (path: $0.0, finding: $0.1) })
  }
}

/// Duplicate ids crash, throw or assert in most list libraries. Here they are a problem that names both
/// files, the winner does not depend on timing, and the list continues.
struct StoreModelTests {
  private static func item(_ fields: Fields) -> FileFinding { .item(FileStamp(), PackedValue(.map(fields))) }

  private static func fault(_ path: RelativePath, _ message: String = "No.") -> FileFinding {
    .problem(Problem(path: path, message: message))
  }

  /// Prints a model: `id path` for each item, `path: message` for each problem.
  private static func contents(_ model: StoreModel) -> [String] {
    model.items.values.map { "\($0.id) \($0.path)" }.sorted()
      + model.problems.values.sorted { $0.path < $1.path }.map { "\($0.path): \($0.message)" }
  }

  @Test func `items come, change and go`() {
    var model = StoreModel()
    var changes = model.take([
      ("a.md", StoreModelTests.item(["v": 1])), ("b.md", StoreModelTests.item(["v": 1])),
    ])
    #expect(changes.ids == ["a", "b"])
    #expect(changes.paths == [])
    changes = model.take([
      ("a.md", StoreModelTests.item(["v": 2])), ("b.md", .missing), ("c.md", .missing), ("d.md", .unchanged),
    ])
    #expect(changes.ids == ["a", "b"])
    #expect(StoreModelTests.contents(model) == ["a a.md"])
    #expect(model.items["a"]?.value(at: "v") == 2)
    #expect(model.knownPaths == ["a.md"])
  }

  @Test func `ids of several fields that look alike when joined are different`() {
    var model = StoreModel(idFields: ["a", "b"])
    _ = model.take([
      ("1.md", StoreModelTests.item(["a": "x/y", "b": "z"])),
      ("2.md", StoreModelTests.item(["a": "x", "b": "y/z"])),
    ])
    #expect(StoreModelTests.contents(model) == ["x/y\\/z 2.md", "x\\/y/z 1.md"])
  }

  @Test func `an id field counts a number by its value`() {
    func item(_ number: String) -> FileFinding { StoreModelTests.item(["v": .number(.literal(number))]) }
    var model = StoreModel(idFields: ["v"])
    _ = model.take([
      ("1.md", item("3.10")), ("2.md", item("3.1")), ("3.md", item("1.0")), ("4.md", item("1e3")),
    ])
    #expect(StoreModelTests.contents(model).prefix(3) == ["1 3.md", "1000 4.md", "3.1 1.md"])
    #expect(StoreModelTests.contents(model).last?.contains("The id 3.1 belongs to 1.md") == true)
  }

  @Test func `a new reading finds nothing below a folder that cannot be listed`() {
    var model = StoreModel()
    _ = model.take([
      ("b/a.md", StoreModelTests.item([:])), ("b.md", StoreModelTests.item([:])),
      ("bc/a.md", StoreModelTests.item([:])),
    ])
    _ = model.take([("b", StoreModelTests.fault("b"))])
    #expect(model.withoutLastGoodItems().items.keys.map(\.description).sorted() == ["b", "bc/a"])
    #expect(model.items.count == 3)
  }

  @Test func `a problem keeps the last good item and its id`() {
    var model = StoreModel()
    _ = model.take([("a.md", StoreModelTests.item(["v": 1]))])
    let changes = model.take([("a.md", StoreModelTests.fault("a.md")), ("a.yaml", StoreModelTests.item([:]))])
    #expect(changes.ids == [])
    #expect(changes.paths == ["a.md", "a.yaml"])
    #expect(
      StoreModelTests.contents(model)
        == [
          "a a.md", "a.md: No.",
          "a.yaml: The id a belongs to a.md, whose path comes first. Give one of the two files another name or id.",
        ])
    #expect(model.items["a"]?.value(at: "v") == 1)
  }

  @Test func `a problem with another message replaces the first one, and an equal one changes nothing`() {
    var model = StoreModel()
    #expect(model.take([("a.md", StoreModelTests.fault("a.md"))]).paths == ["a.md"])
    #expect(model.take([("a.md", StoreModelTests.fault("a.md"))]).isEmpty)
    #expect(model.take([("a.md", StoreModelTests.fault("a.md", "Other."))]).paths == ["a.md"])
    #expect(StoreModelTests.contents(model) == ["a.md: Other."])
    #expect(model.take([("a.md", StoreModelTests.item([:]))]).paths == ["a.md"])
    #expect(StoreModelTests.contents(model) == ["a a.md"])
  }

  @Test func `a last good item goes when its path goes`() {
    var model = StoreModel()
    _ = model.take([("a.md", StoreModelTests.item([:]))])
    _ = model.take([("a.md", StoreModelTests.fault("a.md"))])
    let changes = model.take([("a.md", .missing)])
    #expect(changes.ids == ["a"])
    #expect(changes.paths == ["a.md"])
    #expect(StoreModelTests.contents(model) == [])
    #expect(model.knownPaths == [])
  }

  @Test func `a file with a problem has no known stamp, so that it is read again`() {
    var model = StoreModel()
    _ = model.take([("a.md", .item(FileStamp(size: 7), PackedValue(.map([:]))))])
    #expect(model.stamp(of: "a.md") == FileStamp(size: 7))
    _ = model.take([("a.md", StoreModelTests.fault("a.md"))])
    #expect(model.stamp(of: "a.md") == nil)
    #expect(model.stamp(of: "b.md") == nil)
  }

  @Test(
    arguments: [["a.json", "a.md", "a.yaml"], ["a.yaml", "a.md", "a.json"], ["a.md", "a.yaml", "a.json"]]
      as [[RelativePath]])
  func `the first path wins among files with one id, in any order of their findings`(order: [RelativePath]) {
    var model = StoreModel()
    for path in order { _ = model.take([(path, StoreModelTests.item([:]))]) }
    #expect(
      StoreModelTests.contents(model) == [
        "a a.json",
        "a.md: The id a belongs to a.json, whose path comes first. Give one of the two files another name or id.",
        "a.yaml: The id a belongs to a.json, whose path comes first. Give one of the two files another name or id.",
      ])
  }

  @Test func `the first path is the first one in bytes, not in printed form`() {
    // The printed control character is `%01`, which would come after the dollar.
    var model = StoreModel(idFields: ["id"])
    _ = model.take([
      ("$.md", StoreModelTests.item(["id": "x"])), ("\u{1}.md", StoreModelTests.item(["id": "x"])),
    ])
    #expect(model.items["x"]?.path == "\u{1}.md")
  }

  @Test func `the next path gets the id when the winner goes, and the others' problems name it`() {
    var model = StoreModel()
    _ = model.take([
      ("a.json", StoreModelTests.item(["v": 1])), ("a.md", StoreModelTests.item(["v": 2])),
      ("a.yaml", StoreModelTests.item([:])),
    ])
    let changes = model.take([("a.json", .missing)])
    #expect(changes.ids == ["a"])
    #expect(changes.paths == ["a.md", "a.yaml"])
    #expect(
      StoreModelTests.contents(model) == [
        "a a.md",
        "a.yaml: The id a belongs to a.md, whose path comes first. Give one of the two files another name or id.",
      ])
    #expect(model.take([("a.yaml", .missing)]).paths == ["a.yaml"])
    #expect(StoreModelTests.contents(model) == ["a a.md"])
    #expect(model.take([("a.md", .missing)]).ids == ["a"])
    #expect(StoreModelTests.contents(model) == [])
  }

  @Test func `edits of a file that lost its id change nothing`() {
    var model = StoreModel()
    _ = model.take([("a.json", StoreModelTests.item([:])), ("a.md", StoreModelTests.item(["v": 1]))])
    #expect(model.take([("a.md", StoreModelTests.item(["v": 2]))]).isEmpty)
    // They are shown when the winner goes.
    _ = model.take([("a.json", .missing)])
    #expect(model.items["a"]?.value(at: "v") == 2)
  }

  @Test func `a file's own fault replaces the problem of its lost id`() {
    var model = StoreModel()
    _ = model.take([("a.json", StoreModelTests.item([:])), ("a.md", StoreModelTests.item([:]))])
    #expect(model.take([("a.md", StoreModelTests.fault("a.md"))]).paths == ["a.md"])
    #expect(StoreModelTests.contents(model) == ["a a.json", "a.md: No."])
    #expect(model.take([("a.json", .missing)]).ids == ["a"])
    #expect(StoreModelTests.contents(model) == ["a a.md", "a.md: No."])
  }

  @Test func `a winner and its rival that swap in one scan are one change`() {
    var model = StoreModel(idFields: ["id"])
    _ = model.take([("a.md", StoreModelTests.item(["id": "x"])), ("b.md", StoreModelTests.item(["id": "y"]))])
    let changes = model.take([
      ("a.md", StoreModelTests.item(["id": "y"])), ("b.md", StoreModelTests.item(["id": "x"])),
    ])
    #expect(changes.ids == ["x", "y"])
    #expect(changes.paths == [])
    #expect(StoreModelTests.contents(model) == ["x b.md", "y a.md"])
  }

  @Test func `a rename keeps the item if there is an id field, whichever half is seen first`() {
    for order in [["a.md", "b.md"], ["b.md", "a.md"]] as [[RelativePath]] {
      var model = StoreModel(idFields: ["id"])
      _ = model.take([("a.md", StoreModelTests.item(["id": "x"]))])
      let changes = model.take(
        order.map { ($0, $0 == "a.md" ? .missing : StoreModelTests.item(["id": "x"])) })
      #expect(changes.ids == ["x"])
      #expect(changes.paths == [])
      #expect(StoreModelTests.contents(model) == ["x b.md"])
    }
  }

  @Test func `several id fields are joined, and may be scalars of any kind`() {
    var model = StoreModel(idFields: ["kind", "sub.n"])
    _ = model.take([("a.md", StoreModelTests.item(["kind": true, "sub": .map(["n": 7])]))])
    #expect(model.items.keys.map(\.description) == ["true/7"])
  }

  @Test(arguments: [[:], ["id": .null], ["id": ""], ["id": .list(["x"])], ["id": .map([:])]] as [Fields])
  func `a missing id field is a problem, and the last good item stays`(fields: Fields) {
    var model = StoreModel(idFields: ["id"])
    let message = "The id field `id` is missing, empty, a list or a map. Give it a single value."
    _ = model.take([("new.md", StoreModelTests.item(fields)), ("old.md", StoreModelTests.item(["id": "x"]))])
    #expect(StoreModelTests.contents(model) == ["x old.md", "new.md: \(message)"])
    #expect(model.take([("old.md", StoreModelTests.item(fields))]).ids == [])
    #expect(StoreModelTests.contents(model) == ["x old.md", "new.md: \(message)", "old.md: \(message)"])
    #expect(model.stamp(of: "old.md") == nil)
  }

  @Test func `other id fields compute each id again`() {
    var model = StoreModel()
    _ = model.take([
      ("a.md", StoreModelTests.item(["id": "x"])), ("b.md", StoreModelTests.item(["id": "x"])),
      ("c.md", StoreModelTests.item([:])),
      ("d.md", StoreModelTests.item(["id": "d"])), ("e.md", StoreModelTests.item(["id": "e"])),
    ])
    _ = model.take([("e.md", StoreModelTests.fault("e.md")), ("f.md", StoreModelTests.fault("f.md"))])
    #expect(model.reidentify(by: []).isEmpty)
    let changes = model.reidentify(by: ["id"])
    #expect(changes.ids == ["a", "b", "c", "x", "d", "e"])
    #expect(
      StoreModelTests.contents(model) == [
        "d d.md", "e e.md", "x a.md",
        "b.md: The id x belongs to a.md, whose path comes first. Give one of the two files another name or id.",
        "c.md: The id field `id` is missing, empty, a list or a map. Give it a single value.", "e.md: No.",
        "f.md: No.",
      ])
    // The item without the field is gone, so its file is read again.
    #expect(model.stamp(of: "c.md") == nil)
  }
}
