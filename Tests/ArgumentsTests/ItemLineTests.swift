import Files
import Store
import Testing
import Values

@testable import notes_watch

@Suite struct ItemLineTests {
  private func line(_ text: String) throws -> ItemLine { try ItemLine(Array(text.utf8)) }

  @Test func `a line of list is read`() throws {
    let line = try line(
      #"{"id":"friends/ada","path":"friends/ada.yaml","section":"x","value":{"rating":8,"on":"2024-01-31"}}"#)
    #expect(line.id == Item.ID(printed: "friends/ada"))
    #expect(line.path?.description == "friends/ada.yaml")
    #expect(line.value == ["rating": .number(.integer(8)), "on": Value(text: "2024-01-31")])
  }

  @Test func `an id or a path is enough`() throws {
    let short = try line(#"{"id":"a"}"#)
    #expect(short.path == nil)
    #expect(short.value == nil)
    #expect(try line(#"{"path":"x/a.md"}"#).id == Item.ID(printed: "x/a"))
    #expect(try line(#"{"id":1003,"value":{}}"#).id == Item.ID(printed: "1003"))
    #expect(try line(#"{"id":"50%25","value":{}}"#).id == Item.ID(printed: "50%25"))
  }

  @Test(arguments: [
    ("", 1, ""), ("[1]", 1, "Expected an object"), ("{", 1, ""), (#"{"id":"a""#, 1, ""),
    (#"{"value":{}}"#, 1, "`id` of the item is missing"),
    (#"{"id":""}"#, 7, "not empty"), (#"{"id":null}"#, 7, "not empty"), (#"{"id":["a"]}"#, 7, "not empty"),
    (#"{"id":"a","path":"../b"}"#, 18, "below the folder"), (#"{"id":"a","path":7}"#, 18, "below the folder"),
    (#"{"path":".\"d~"}"#, 9, "not the file of an item"),
    (#"{"path":"a/.md"}"#, 9, "not the file of an item"),
    (#"{"path":".x/d"}"#, 9, "not the file"),
    (#"{"id":"a","value":[1]}"#, 19, "not a list"), (#"{"id":"a","value":null}"#, 19, "not nothing"),
  ])
  func `each error has a column`(text: String, column: Int, part: String) {
    let error = #expect(throws: TextError.self) { try line(text) }
    if !part.isEmpty {
      #expect([error?.line, error?.column] == [1, column], "\(text): \(error?.description ?? "")")
    }
    #expect(error?.message.contains(part) == true || part.isEmpty, "\(text): \(error?.description ?? "")")
  }

  @Test(arguments: [
    (#""cut":true"#, "shortened"), (#""op":"update""#, "`op` is not a key"),
    (#""before":{"a":1}"#, "`before`"),
    (#""takenBack":true"#, "`takenBack`"), (#""reason":"removed""#, "`reason`"),
    (#""position":1"#, "`position`"), (#""v":1"#, "`v`"),
    (#""problems":[{"line":1}]"#, "an old one"), (#""later":null"#, "`later`"),
    (#""v":1,"type":"later""#, "another output (`later`)"),
  ])
  func `a line with a key that no item has is refused if its value counts`(keys: String, part: String) throws
  {
    let text = "{\"id\":\"a\",\"value\":{\"k\":1},\(keys)}"
    let error = #expect(throws: TextError.self) { try line(text) }
    #expect(error?.message.contains(part) == true, "\(error?.description ?? "")")
    #expect((error?.column ?? 0) > 20)
    if keys.contains("type") { return }
    #expect(try ItemLine(Array(text.utf8), usesValue: false).id == Item.ID(printed: "a"))
  }

  @Test func `an item as HTTP answers it is read`() throws {
    #expect(
      try line(#"{"id":"a","path":"a.yaml","value":{"k":1},"problems":[],"revision":"x"}"#).value == ["k": 1])
  }

  @Test func `no item is made of computed parts`() throws {
    #expect(try line(#"{"id":"a"}"#).mistakeOfNewItem?.contains("`value`") == true)
    #expect(try line(#"{"id":"a","value":{"m":{"@count":1}}}"#).mistakeOfNewItem == nil)
    let marked = try line(#"{"id":"a","value":{"m":{"k":1,"@count":1}},"computed":{"m":{"@count":true}}}"#)
    #expect(marked.mistakeOfNewItem?.hasPrefix("`m.@count` is computed") == true)
  }

  @Test func `numbers that JSON does not have are numbers again, and their texts stay texts`() throws {
    let places =
      #""numbers":{"a":true,"l":{"1":true,"9":true},"m":{"x":true,"y":false,"z":true},"none":true,"s":{"q":true}}"#
    let line = try line(
      #"{"id":"i","value":{"a":".inf","s":".inf","l":[".inf","-.inf"],"m":{"x":".nan","y":".nan","z":"other"}},\#(places)}"#
    )
    #expect(
      line.value == [
        "a": .number(.double(.infinity)), "s": .string(".inf"),
        "l": .list([.string(".inf"), .number(.double(-.infinity))]),
        "m": .map(["x": .number(.double(.nan)), "y": .string(".nan"), "z": .string("other")]),
      ])
    for other in ["[\"/a\"]", "null", "true", "7", "{\"a\":1}"] {
      #expect(
        try self.line("{\"id\":\"i\",\"value\":{\"a\":\".inf\"},\"numbers\":\(other)}").value == [
          "a": .string(".inf")
        ])
    }
  }
}
