import Files
@testable import Store
import Testing
import Values

@testable import Folder
@testable import Query

@Suite struct NewItemsTests {
  private static let context = DefaultContext(
    now: Timestamp(seconds: 0, nanoseconds: 0), local: Timestamp(seconds: 0, nanoseconds: 0), uuid: { "u-1" })

  private func newItems(
    _ settings: String = "{}", _ extensions: [String: [String]] = [:], idFields: [FieldPath] = []
  ) throws -> NewItems {
    NewItems(settings: try Settings(yaml(settings)), idFields: idFields, context: NewItemsTests.context) {
      FolderFormats(
        (extensions[$0.description] ?? []).enumerated().map {
          RelativePath(bytes: Array("\($0.offset).\($0.element)".utf8))
        })
    }
  }

  @Test(
    arguments: [
      ("ada", nil, "ada.yaml"), ("posts/a", nil, "posts/a.md"), ("posts/2024/a", nil, "posts/2024/a.md"),
      ("even/a", nil, "even/a.yaml"),
      ("short/a", nil, "short/a.yml"), ("short/a", TextFormat.json, "short/a.json"),
      ("posts/a", .markdown, "posts/a.md"),
      ("long/a", .markdown, "long/a.markdown"), ("release-1.0", nil, "release-1.0.yaml"),
      ("50%25", nil, "50%25.yaml"),
      ("a%0Ab", nil, "a%0Ab.yaml"),
    ] as [(String, TextFormat?, String)])
  func `the default format is the most frequent one in the folder`(
    word: String, format: TextFormat?, path: String
  ) throws {
    let extensions = [
      "posts": ["md", "md", "yaml", "txt"], "even": ["json", "yaml"], "short": ["yml", "yml", "yaml"],
      "long": ["markdown", "json", "json"],
    ]
    var newItems = try newItems("{}", extensions)
    let plan = try newItems.plan(word, as: format) { $0 }
    #expect(plan.path.description == path)
    #expect(plan.id == Item.ID(printed: word))
    #expect(
      plan.format
        == TextFormat(
          pathExtension: String(path[path.index(after: path.lastIndex(of: ".") ?? path.startIndex)...])))
  }

  @Test(arguments: [
    ("7", Value.number(.integer(7))), ("3.10", "3.10"), ("1.0", "1.0"), ("02110", "02110"),
    ("3.1", .number(.double(3.1))),
  ])
  func `an id becomes a number only if the number makes the same id`(word: String, value: Value) throws {
    var newItems = try newItems(idFields: ["v"])
    let plan = try newItems.plan(word) { $0 }
    #expect(plan.fields["v"] == value)
    #expect(plan.id == Item.ID(printed: word))
    #expect(try Item.ID(of: PackedValue(.map(plan.fields)), at: plan.path, by: ["v"]) == plan.id)
  }

  @Test(arguments: ["../a", "/a", "a//b", "", ".", "ada.json", "x/ada.md"])
  func `a word that cannot name a file is an error`(word: String) throws {
    var newItems = try newItems()
    let error = #expect(throws: EditError.self) { try newItems.plan(word) { $0 } }
    #expect(error?.code == .invalidID)
    #expect(error?.description.contains("\n") == false)
  }

  @Test func `a given path is used`() throws {
    var newItems = try newItems("{}", ["": ["md"]])
    #expect(try newItems.plan("a", at: RelativePath(printed: "a.json")) { $0 }.format == .json)
    #expect(throws: EditError.self) { try newItems.plan("a", at: RelativePath(printed: "b.json")) { $0 } }
    #expect(throws: EditError.self) { try newItems.plan("a", at: RelativePath(printed: "a.txt")) { $0 } }
    #expect(throws: EditError.self) {
      try newItems.plan("a", at: RelativePath(printed: "a.json"), as: .yaml) { $0 }
    }
  }

  @Test func `defaults come before other fields`() throws {
    var newItems = try newItems("defaults: {group: all, of: '@id', created: '@now'}")
    let plan = try newItems.plan("x/ada") {
      try $0.applying([.set("group", .string("own")), .set("name", .string("Ada"))])
    }
    #expect(plan.fields.map(\.key) == ["group", "of", "created", "name"])
    #expect(plan.fields["group"] == .string("own"))
    #expect(plan.fields["of"] == .string("x/ada"))
  }

  @Test func `the id fills missing id fields`() throws {
    var byUUID = try newItems("defaults: {uuid: '@uuid'}", idFields: ["uuid"])
    #expect(try byUUID.plan("ada") { $0 }.id == Item.ID(printed: "u-1"))
    var byNumber = try newItems(idFields: ["id"])
    let plan = try byNumber.plan("1009") { try $0.applying([.set("name", .string("Zed"))]) }
    #expect(plan.id == Item.ID(printed: "1009"))
    #expect(plan.fields.first?.value == .number(.integer(1009)))
    #expect(plan.path.description == "1009.yaml")
    #expect(try byNumber.plan("010") { $0 }.fields["id"] == .string("010"))
    let named = try byNumber.plan("zed") { try $0.applying([.set("id", .number(.integer(7)))]) }
    #expect(named.id == Item.ID(printed: "7"))
    #expect(named.path.description == "zed.yaml")
    var byTwo = try newItems(idFields: ["team", "number"])
    let player = try byTwo.plan("red/7") { $0 }
    #expect(player.id == Item.ID(printed: "red/7"))
    #expect(player.fields["team"] == .string("red"))
    #expect(player.fields["number"] == .number(.integer(7)))
  }
}
