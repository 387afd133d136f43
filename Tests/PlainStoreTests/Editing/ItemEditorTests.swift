import Files
import Foundation
import Glibc
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Folder
@testable import Query

struct ItemEditorTests {
  private static func set(_ path: FieldPath, _ value: Value) -> [TextEdit] { [.set(path, value)] }

  /// Returns the outcome of a save: `inserted a.yaml`, or the code of an error.
  private static func save(
    in folder: TemporaryFolder, _ policy: MergePolicy = .error, options: StoreOptions = StoreOptions(),
    _ change: (inout EditScope) -> Void
  ) throws -> [String] {
    var scope = EditScope()
    change(&scope)
    return try ItemEditor(root: folder.path, options: options).saveEach(scope, policy: policy).outcomes.map(
      text)
  }

  static func text(_ outcome: SaveOutcome) -> String {
    let path = outcome.path?.description ?? "nowhere"
    switch outcome.result {
    case .inserted: return "inserted \(path)"
    case .updated(let isMerged): return "\(isMerged ? "merged" : "updated") \(path)"
    case .renamed(let id): return "renamed \(path) \(id)"
    case .deleted: return "deleted \(path)"
    case .unchanged: return "unchanged \(path)"
    case .discarded: return "discarded \(path)"
    case .failed(let error): return "\(error.code) \(path)"
    }
  }

  private static func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static func text(of name: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func `an update changes the bytes of its value and no others`() throws {
    let folder = try TemporaryFolder(["d/a.yaml": "# mine\r\nname:   'Ada'   # who\r\nrating: 8\r\n"])
    #expect(try Self.save(in: folder) { $0.update("d/a", Self.set("rating", 9)) } == ["updated d/a.yaml"])
    #expect(try Self.text(of: "d/a.yaml", in: folder) == "# mine\r\nname:   'Ada'   # who\r\nrating: 9\r\n")
    #expect(try Self.names(in: folder) == ["d"])
  }

  @Test func `an item whose file has the longest name can be changed, a longer name is refused`() throws {
    let longest = String(repeating: "n", count: 250)
    let folder = try TemporaryFolder(["\(longest).yaml": "rating: 8\n"])
    let id = Item.ID(printed: longest)
    #expect(try Self.save(in: folder) { $0.update(id, Self.set("rating", 9)) } == ["updated \(longest).yaml"])
    #expect(try Self.text(of: "\(longest).yaml", in: folder) == "rating: 9\n")
    let other = String(repeating: "m", count: 250)
    #expect(
      try Self.save(in: folder) { $0.insert(Item.ID(printed: other), fields: [:]) } == [
        "inserted \(other).yaml"
      ])
    let tooLong = Item.ID(printed: other + "m")
    #expect(try Self.save(in: folder) { $0.insert(tooLong, fields: [:]) } == ["invalidID nowhere"])
    #expect(try Self.names(in: folder) == ["\(other).yaml", "\(longest).yaml"])
  }

  @Test func `a save of the present values writes nothing`() throws {
    let folder = try TemporaryFolder(["a.yaml": "name: Ada\nrating: 8\n"])
    let root = try OpenFolder(folder.path)
    let before = try root.stamp(of: "a.yaml")
    #expect(try Self.save(in: folder) { $0.update("a", Self.set("rating", 8)) } == ["unchanged a.yaml"])
    #expect(try root.stamp(of: "a.yaml") == before)
  }

  @Test func `items are added in every format, with their folders`() throws {
    let folder = try TemporaryFolder()
    let said = try Self.save(in: folder) { scope in
      scope.insert("a", fields: ["rating": 1])
      scope.insert("d/e/b", fields: ["n": 1], format: .json)
      scope.insert("d/c", fields: ["n": 1, "body": "x"], format: .markdown)
    }
    #expect(said == ["inserted a.yaml", "inserted d/e/b.json", "inserted d/c.md"])
    #expect(try ItemStore(at: folder.path).count == 3)
    #expect(try Self.text(of: "a.yaml", in: folder) == "rating: 1\n")
  }

  @Test func `an id that exists is an error in every format`() throws {
    let folder = try TemporaryFolder(["a.json": "{\"n\": 1}", "b.yaml": "n: ["])
    let said = try Self.save(in: folder, .overwrite) { scope in
      scope.insert("a", fields: [:])
      scope.insert("b", fields: [:])
    }
    #expect(said == ["exists a.yaml", "exists b.yaml"])
    #expect(try Self.names(in: folder) == ["a.json", "b.yaml"])
  }

  @Test(arguments: ["../x", "/etc/x", "a/../../x", "", "a//b", ".x", "d/.x", "skip", ".hidden/x", "b.yaml/x"])
  func `an id that cannot be an item is an error before anything is written`(id: String) throws {
    let folder = try TemporaryFolder([".notes-watch.yaml": "ignore: [skip.yaml]\n"])
    #expect(
      try Self.save(in: folder) { $0.insert(Item.ID(printed: id), fields: [:]) }[0].hasPrefix("invalidID "))
    #expect(
      try Self.save(in: folder) { $0.insert("a", fields: [:], format: nil, at: "b.yaml") } == [
        "invalidID b.yaml"
      ])
    #expect(try Self.names(in: folder) == [".notes-watch.yaml"])
  }

  @Test func `a symbolic link in a path is not followed`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1"]), outside = try TemporaryFolder(["b.yaml": "n: 1"])
    try folder.link("d", to: outside.path)
    try folder.link("l.yaml", to: "a.yaml")
    let said = try Self.save(in: folder) { scope in
      scope.insert("d/new", fields: [:])
      scope.insert("d/e/new", fields: [:])
      scope.update("d/b", Self.set("n", 2))
      scope.delete("d/b/c")
      scope.update("l", Self.set("n", 2))
    }
    #expect(
      said == [
        "invalidID d/new.yaml", "invalidID d/e/new.yaml", "notFound nowhere", "notFound nowhere",
        "unreadable l.yaml",
      ])
    #expect(try Self.names(in: outside) == ["b.yaml"])
    #expect(try Self.text(of: "b.yaml", in: outside) == "n: 1")
  }

  @Test func `an item that is missing or has two files is an error`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "a.json": "{}", "bad.yaml": "n: ["])
    let said = try Self.save(in: folder) { scope in
      scope.update("a", Self.set("n", 2))
      scope.update("b", Self.set("n", 2))
      scope.update("bad", Self.set("n", 2))
      scope.delete("c")
    }
    #expect(said == ["ambiguous a.json", "notFound nowhere", "unreadable bad.yaml", "notFound nowhere"])
  }

  @Test func `a refused change reports place and reason, and the others are saved`() throws {
    let folder = try TemporaryFolder(["a.yaml": "b: &b {x: 1}\nm: *b\n", "c.yaml": "n: 1\n"])
    var scope = EditScope()
    scope.update("a", Self.set("m.x", 2))
    scope.update("c", Self.set("n", 2))
    let report = try ItemEditor(root: folder.path).saveEach(scope)
    #expect(report.outcomes.map(Self.text) == ["refused a.yaml", "updated c.yaml"])
    let error = try #require(report.failures.first)
    #expect(error.refusal?.reason == .alias, "\(error)")
    #expect(error.line == 2, "\(error)")
    #expect(error.description.hasPrefix("a.yaml:2:4: m.x: "), "\(error)")
    #expect(throws: SaveError.self) { try report.check() }
  }

  @Test func `a deletion removes the file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "bad.yaml": "n: ["])
    let said = try Self.save(in: folder) { scope in
      scope.delete("a")
      scope.delete("bad")
    }
    #expect(said == ["deleted a.yaml", "deleted bad.yaml"])
    #expect(try Self.names(in: folder) == [])
  }

  @Test func `mode, owner, attributes and access lists are kept, and a hard link is reported`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let path = "\(folder.path)/a.yaml"
    try #require(chmod(path, 0o640) == 0)
    try #require(link(path, "\(folder.path)/other") == 0)
    if Machine.isRoot { try #require(chown(path, 1_234, 5_678) == 0) }
    try folder.shell("command -v setfattr >/dev/null && setfattr -n user.note -v kept a.yaml || true")
    try folder.shell("command -v setfacl >/dev/null && setfacl -m u:4321:r a.yaml || true")
    let tools =
      "stat -c '%a %u %g' a.yaml; getfattr -d -m - a.yaml 2>/dev/null || true; getfacl -n a.yaml 2>/dev/null || true"
    let before = try folder.shell(tools)
    var scope = EditScope()
    scope.update("a", Self.set("n", 2))
    let report = try ItemEditor(root: folder.path).saveEach(scope)
    #expect(report.outcomes[0].warnings == ["The file has other names (hard links). They keep the old text."])
    #expect(try folder.shell(tools) == before)
    #expect(try Self.text(of: "other", in: folder) == "n: 1\n")
    #expect(try Self.text(of: "a.yaml", in: folder) == "n: 2\n")
  }

  @Test func `id fields locate the file, and a new item gets them`() throws {
    let folder = try TemporaryFolder([
      "x.yaml": "uuid: u1\nn: 1\n", "y.yaml": "uuid: u2\n", "z.yaml": "uuid: u2\n",
    ])
    var options = StoreOptions()
    options.idFields = ["uuid"]
    let said = try Self.save(in: folder, options: options) { scope in
      scope.update("u1", Self.set("n", 2))
      scope.update("u2", Self.set("n", 2))
      scope.update("x", Self.set("n", 2))
      scope.insert("u3", fields: ["n": 1])
      scope.insert("u6", fields: ["uuid": "u4"])
      scope.insert("u1", fields: ["uuid": "u1"])
      scope.insert("u5", fields: ["uuid": "u5"], format: nil, at: "d/five.yaml")
      scope.update("u5", Self.set("n", 5))
    }
    #expect(
      said == [
        "updated x.yaml", "ambiguous y.yaml", "notFound nowhere", "inserted u3.yaml", "invalidID u6.yaml",
        "exists u1.yaml",
        "inserted d/five.yaml",
      ])
    #expect(try Self.text(of: "x.yaml", in: folder) == "uuid: u1\nn: 2\n")
    #expect(try Self.text(of: "u3.yaml", in: folder) == "uuid: u3\nn: 1\n")
    #expect(try Self.text(of: "d/five.yaml", in: folder) == "uuid: u5\nn: 5\n")
    // An item must stay an item.
    #expect(
      try Self.save(in: folder, options: options) { $0.update("u1", [.remove("uuid")]) } == [
        "invalidID x.yaml"
      ])
  }

  @Test func `a preview shows the new text and writes nothing`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 1\n"])
    var scope = EditScope()
    scope.update("a", Self.set("n", 2))
    scope.delete("b")
    scope.insert("d/c", fields: ["m": 3])
    scope.update("gone", Self.set("n", 2))
    let previews = try ItemEditor(root: folder.path).preview(scope)
    #expect(
      previews.map { Self.text($0.outcome) } == [
        "updated a.yaml", "deleted b.yaml", "inserted d/c.yaml", "notFound nowhere",
      ])
    #expect(
      previews.map { $0.old.map { String(decoding: $0, as: UTF8.self) } } == ["n: 1\n", "n: 1\n", nil, nil])
    #expect(
      previews.map { $0.new.map { String(decoding: $0, as: UTF8.self) } } == ["n: 2\n", nil, "m: 3\n", nil])
    #expect(try Self.names(in: folder) == ["a.yaml", "b.yaml"])
    #expect(try Self.text(of: "a.yaml", in: folder) == "n: 1\n")
  }

  @Test func `a file that changed since it was read is a conflict`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\nm: 1\n"])
    let editor = try ItemEditor(root: folder.path)
    let revision = try editor.read("a").revision
    try folder.write("n: 1\nm: 2 # theirs\n", to: "a.yaml")
    for (policy, said, text) in [
      (.error, "conflict a.yaml", "n: 1\nm: 2 # theirs\n"),
      (.rollback, "discarded a.yaml", "n: 1\nm: 2 # theirs\n"),
      (.mergeByPropertyStoreTrump, "merged a.yaml", "n: 3\nm: 2 # theirs\n"),
      (.mergeByPropertyObjectTrump, "unchanged a.yaml", "n: 3\nm: 2 # theirs\n"),
      (.overwrite, "updated a.yaml", "n: 3\nm: 1 # theirs\n"),
    ] as [(MergePolicy, String, String)] {
      var scope = EditScope()
      scope.update("a", Self.set("n", 3), readAt: revision)
      let report = try editor.saveEach(scope, policy: policy)
      #expect(report.outcomes.map(Self.text) == [said])
      #expect(try Self.text(of: "a.yaml", in: folder) == text)
    }
  }

  @Test func `an item whose folder is gone is created again if the policy says so`() throws {
    let folder = try TemporaryFolder(["d/e/a.yaml": "rating: 1 # c\n"])
    let editor = try ItemEditor(root: folder.path)
    var scope = EditScope()
    scope.update("d/e/a", Self.set("rating", 2), readAt: try editor.read("d/e/a").revision)
    try folder.remove("d")
    for (policy, said) in [
      (.error, "conflict d/e/a.yaml"), (.rollback, "discarded d/e/a.yaml"),
      (.overwrite, "inserted d/e/a.yaml"),
    ]
      as [(MergePolicy, String)]
    {
      #expect(try editor.saveEach(scope, policy: policy).outcomes.map(Self.text) == [said])
    }
    #expect(try Self.text(of: "d/e/a.yaml", in: folder) == "rating: 2 # c\n")
  }
}
