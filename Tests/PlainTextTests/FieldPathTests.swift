import PlainText
import Testing

@Suite struct FieldPathTests {
  @Test(arguments: [
    ("rating", ["rating"]), ("address.city", ["address", "city"]), ("/address/city", ["address", "city"]),
    ("/a~1b/~0c/", ["a/b", "~c", ""]),
    ("/a.b", ["a.b"]), ("@path", ["@path"]), ("a/b", ["a/b"]), ("a.\u{301}b", ["a", "\u{301}b"]), ("/", [""]),
  ])
  func keys(_ text: String, _ keys: [String]) {
    #expect(FieldPath(text)?.keys == keys)
    #expect(FieldPath(text)?.description == text)
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "/a~", "/a~2", "/~~"])
  func noPath(_ text: String) {
    #expect(FieldPath(text) == nil)
  }

  @Test func equalWhenTheKeysAreByTheirBytes() {
    #expect(FieldPath("a.b") == FieldPath("/a/b"))
    #expect(FieldPath("caf\u{E9}") != FieldPath("cafe\u{301}"))
  }

  @Test func keysWithDotsAreWrittenAsAPointer() {
    #expect(FieldPath(keys: ["a", "b"]).description == "a.b")
    #expect(FieldPath(keys: ["a.b", "~/"]).description == "/a.b/~0~1")
    #expect(FieldPath(keys: [""]).description == "/")
    for keys in [["a.b", "~/"], [""], ["/x"], ["a", "b"]] {
      #expect(FieldPath(FieldPath(keys: keys).description)?.keys == keys)
    }
  }

  @Test func belowAListAKeyIsThatOfEachElement() throws {
    let value = try read("releases: [{cycle: 1}, {other: 2}, {cycle: 3}]\naddress: {city: Paris}")
    #expect(value.value(at: FieldPath(keys: ["releases", "cycle"]))?.text == "[1,3]")
    #expect(value.value(at: FieldPath(keys: ["address", "city"])) == .string("Paris"))
    #expect(value.value(at: FieldPath(keys: ["address", "zip"])) == nil)
    #expect(value.value(at: FieldPath(keys: ["address", "city", "x"])) == nil)
  }
}
