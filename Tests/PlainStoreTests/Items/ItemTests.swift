import DirectoryWatch
import PlainText
import Testing

@testable import PlainStore

struct ItemTests {
  @Test(
    arguments: [
      ("ada.yaml", "ada"), ("friends/ada.md", "friends/ada"), ("v1.2.json", "v1.2"), ("a.b/c.md", "a.b/c"), ("50%.md", "50%25"),
      ("a\nb.md", "a%0Ab"),
    ] as [(RelativePath, String)])
  func `An id is the path without its extension`(path: RelativePath, id: String) {
    #expect(Item.ID(path: path).description == id)
  }

  @Test func `Bytes that are not UTF-8 are printed so that they come back`() {
    let id = Item.ID(bytes: [0x61, 0xFF, 0x25, 0x00])
    #expect(id.description == "a%FF%25%00")
    #expect(Item.ID(printed: "a%FF%25%00") == id)
  }

  @Test(arguments: [
    ("50%", "50%25"), ("50%25", "50%25"), ("a%0ab", "a%0Ab"), ("a%41", "aA"), ("../x", "../x"), ("/x", "/x"), ("a//b", "a//b"), ("", ""),
  ])
  func `What a person types is the id that is printed`(typed: String, id: String) {
    #expect(Item.ID(printed: typed).description == id)
  }

  @Test func `An id made from a value is found by its printed text, whatever the value`() {
    for text in ["../x", "/x", "a//b", ".", "50%", "a\u{0}b", "a%41", "caf\u{e9}"] {
      let id = Item.ID(bytes: text.utf8)
      #expect(Item.ID(printed: id.description) == id, "\(text)")
    }
  }

  @Test func `Ids are compared byte for byte`() {
    let composed = Item.ID(bytes: "caf\u{e9}".utf8), decomposed = Item.ID(bytes: "cafe\u{301}".utf8)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `A pseudo-field hides a key of its name; what is none is looked for in the file`() {
    let item = Item.sample("d/a.md", ["@id": "own", "@other": "kept", "name": "Ada", "address": .map(["city": "London"])])
    #expect(item.value(at: "@id") == "d/a")
    #expect(item.value(at: "@other") == "kept")
    #expect(item.value(at: "address.city") == "London")
    #expect(item.value(at: "address.street") == nil)
    #expect(item.value(at: FieldPath(keys: ["@id", "x"])) == nil)
  }
}
