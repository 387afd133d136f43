import Files
@testable import Store
import Testing
import Values

@testable import Folder
@testable import Query

@Suite struct ItemDefaultsTests {
  private static let context = DefaultContext(
    now: Timestamp(seconds: 1_700_000_000, nanoseconds: 120_000_000),
    local: Timestamp(seconds: 1_700_003_600, nanoseconds: 0).local,
    uuid: { "0b0f5a8e-0000-4000-8000-000000000000" })

  private func fields(_ settings: String, _ path: String) throws -> Fields {
    let path = try #require(RelativePath(printed: path))
    return try Settings(yaml(settings)).defaults.fields(
      of: Item.ID(path: path), at: path, ItemDefaultsTests.context)
  }

  @Test func `each name is replaced by its value`() throws {
    let fields = try fields(
      """
      defaults:
        created: "@now"
        day: "@today"
        uuid: "@uuid"
        of: {id: "@id", path: ["@path", "@dir"], name: "@name", ext: "@ext"}
        handle: "@@ada"
        plain: 5
      """, "friends/ada.yaml")
    #expect(fields["created"] == Value(text: "2023-11-14T22:13:20Z"))
    #expect(fields["day"] == Value(text: "2023-11-14"))
    #expect(fields["uuid"] == .string("0b0f5a8e-0000-4000-8000-000000000000"))
    let path: Value = .list([.string("friends/ada.yaml"), .string("friends")])
    #expect(
      fields["of"]
        == .map(["id": .string("friends/ada"), "path": path, "name": .string("ada"), "ext": .string("yaml")]))
    #expect(fields["handle"] == .string("@ada"))
    #expect(fields["plain"] == .number(.integer(5)))
  }

  @Test func `the fields of a path are given as they are written`() throws {
    let settings = try Settings(
      yaml(
        """
        defaults:
          created: "@now"
          handle: "@@ada"
          friends/: {group: friends, created: 5}
        """))
    #expect(settings.defaults.fields(at: "ada") == ["created": "@now", "handle": "@@ada"])
    #expect(
      settings.defaults.fields(at: "friends/ada") == ["created": 5, "handle": "@@ada", "group": "friends"])
    #expect(ItemDefaults().fields(at: .root).isEmpty)
  }

  @Test func `folders have their own defaults`() throws {
    let settings = """
      defaults:
        group: all
        friends/: {group: friends, tags: []}
        /work/: {group: work}
        "journal/*/": {date: "@today"}
        friends/old/: {group: old}
      """
    #expect(try fields(settings, "ada.yaml") == ["group": .string("all")])
    #expect(try fields(settings, "friends/ada.yaml") == ["group": .string("friends"), "tags": .list([])])
    #expect(try fields(settings, "a/friends/b/ada.yaml") == ["group": .string("friends"), "tags": .list([])])
    #expect(try fields(settings, "friends/old/ada.yaml") == ["group": .string("old"), "tags": .list([])])
    #expect(try fields(settings, "work/ada.yaml") == ["group": .string("work")])
    #expect(try fields(settings, "a/work/ada.yaml") == ["group": .string("all")])
    #expect(try fields(settings, "journal/2024/ada.yaml")["date"] != nil)
    #expect(try fields(settings, "journal/ada.yaml")["date"] == nil)
  }

  @Test(arguments: [
    ("defaults: [a]", ["defaults"], "Expected a map, found a list."),
    ("defaults: {a/: 1}", ["defaults", "a/"], "Expected a map, found a number."),
    (
      "defaults: {a: {b: ['@nwo']}}", ["defaults", "a"],
      "There is no default `@nwo`. Did you mean `@now`? The defaults are @now, @today, @uuid, @id, @path, @dir, @name, @ext. Write a string that begins with @ with @@."
    ),
  ])
  func `an error has its place and its reason`(text: String, keys: [String], message: String) throws {
    let written = try yaml(text)
    #expect(throws: SettingsError(keys, message)) { try Settings(written) }
  }

  @Test func `a random UUID is valid`() {
    let context = DefaultContext(
      now: Timestamp(seconds: 0, nanoseconds: 0), local: Timestamp(seconds: 0, nanoseconds: 0))
    #expect(
      context.uuid().wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
    #expect(context.uuid() != context.uuid())
  }
}
