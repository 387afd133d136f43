import Files
@testable import Store
import Testing
import Values

@testable import Query

struct ItemTests {
  @Test(
    arguments: [
      ("ada.yaml", "ada"), ("friends/ada.md", "friends/ada"), ("v1.2.json", "v1.2"), ("a.b/c.md", "a.b/c"),
      ("50%.md", "50%25"),
      ("a\nb.md", "a%0Ab"),
    ] as [(RelativePath, String)])
  func `an id is the path without its extension`(path: RelativePath, id: String) {
    #expect(Item.ID(path: path).description == id)
  }

  @Test func `bytes that are not UTF-8 survive printing`() {
    let id = Item.ID(bytes: [0x61, 0xFF, 0x25, 0x00])
    #expect(id.description == "a%FF%25%00")
    #expect(Item.ID(printed: "a%FF%25%00") == id)
  }

  @Test(arguments: [
    ("50%", "50%25"), ("50%25", "50%25"), ("a%0ab", "a%0Ab"), ("a%41", "aA"), ("../x", "../x"), ("/x", "/x"),
    ("a//b", "a//b"), ("", ""),
  ])
  func `a typed id equals the printed one`(typed: String, id: String) {
    #expect(Item.ID(printed: typed).description == id)
  }

  @Test func `an id made from any value is found by its printed form`() {
    for text in ["../x", "/x", "a//b", ".", "50%", "a\u{0}b", "a%41", "caf\u{e9}"] {
      let id = Item.ID(bytes: text.utf8)
      #expect(Item.ID(printed: id.description) == id, "\(text)")
    }
  }

  @Test func `an id of several fields keeps them distinct`() {
    let parts = [
      ["a/b", "c"], ["a", "b/c"], ["a", "b", "c"], ["a\\", "b/c"], ["a\\/b", "c"], ["a/b/c", "d"],
      ["/", "/"],
      ["/\u{301}", "x"],
    ]
    #expect(Set(parts.map { Item.ID(parts: $0) }).count == parts.count)
    #expect(Item.ID(parts: ["a/b", "c\\d", "50%"]).description == "a\\/b/c\\\\d/50%25")
    for parts in parts {
      #expect(Item.ID(printed: Item.ID(parts: parts).description) == Item.ID(parts: parts))
    }
    // The id of one field is its value.
    #expect(Item.ID(parts: ["a/b\\c"]).description == "a/b\\c")
  }

  @Test func `the result of a list operator is a value like any other`() {
    let item = Item.sample(
      "a.md",
      [
        "releases": .list([.map(["n": 3]), .map(["n": 12]), .map([:])]), "one": 5, "@max": 7,
        "m": .map(["@min": 1]),
      ])
    #expect(item.value(at: "releases.@count") == 3)
    #expect(item.value(at: "releases.@max.n") == 12)
    #expect(item.value(at: "releases.@sum.n") == 15)
    #expect(item.value(at: "one.@count") == 1)
    #expect(item.value(at: "none.@count") == 0)
    #expect(item.value(at: "none.@max") == nil)
    // An operator follows a path; alone it is a name.
    #expect(item.value(at: "@max") == 7)
    #expect(item.projected(["releases.@count", "@id"]).keys.elementsEqual(["releases", "@id"]))
  }

  @Test func `ids are compared byte for byte`() {
    let composed = Item.ID(bytes: "caf\u{e9}".utf8), decomposed = Item.ID(bytes: "cafe\u{301}".utf8)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `a pseudo-field hides a key of its name, and other names are keys of the file`() {
    let item = Item.sample(
      "d/a.md", ["@id": "own", "@other": "kept", "name": "Ada", "address": .map(["city": "London"])])
    #expect(item.value(at: "@id") == "d/a")
    #expect(item.value(at: "@other") == "kept")
    #expect(item.value(at: "address.city") == "London")
    #expect(item.value(at: "address.street") == nil)
    #expect(item.value(at: FieldPath(keys: ["@id", "x"])) == nil)
  }
}
