import Query
@testable import Store
import Testing
import TextEdits
import Values

struct NewItemTextTests {
  private static let fields: Fields = [
    "name": "Ada", "rating": 9, "no": "no", "born": "1815-12-10", "tags": .list(["a", "b c"]),
    "address": .map(["city": "London"]),
    "note": "two\nlines\n", "none": .null,
  ]

  private static func text(_ fields: Fields, _ format: TextFormat) throws -> String {
    String(decoding: try ItemText.new(fields, as: format, ReadLimits()).bytes, as: UTF8.self)
  }

  @Test(arguments: TextFormat.allCases) func `a new text reads back as its fields`(format: TextFormat) throws
  {
    let text = try Self.text(Self.fields, format)
    var read = try #require(PackedValue(reading: text, as: format).value.fields)
    if format == .markdown { read["body"] = nil }
    #expect(read == Self.fields)
    #expect(Array(read.keys) == Array(Self.fields.keys), "\(text)")
    #expect(text.hasSuffix("\n"), "\(text)")
    #expect(!text.hasPrefix("\n"), "\(text)")
  }

  @Test func `a new text looks as a person would write it`() throws {
    let fields: Fields = ["name": "Ada", "rating": 9, "tags": .list(["a", "b"])]
    #expect(try Self.text(fields, .yaml) == "name: Ada\nrating: 9\ntags:\n  - a\n  - b\n")
    #expect(
      try Self.text(fields, .json)
        == "{\n  \"name\": \"Ada\",\n  \"rating\": 9,\n  \"tags\": [\"a\", \"b\"]\n}\n")
    #expect(try Self.text(["name": "Ada", "body": "Text.\n"], .markdown) == "---\nname: Ada\n---\nText.\n")
  }

  @Test(arguments: [
    "\u{FEFF}---\nevil: 1\n---\nrest", "\u{FEFF}text", "---\nevil: 1\n---\nrest", "---", "...\n", "\r\n", "",
    "1815-12-10",
  ])
  func `a body reads back unchanged`(body: String) throws {
    for others: Fields in [[:], ["name": "Ada"]] {
      var fields = others
      fields["body"] = Value(text: body)
      #expect(try PackedValue(reading: try Self.text(fields, .markdown), as: .markdown).value == .map(fields))
    }
  }

  @Test(arguments: [.null, 5, .bool(true), .list([1, 2]), .map(["a": 1])] as [Value])
  func `a body that is not a string is refused`(body: Value) {
    for fields: Fields in [["body": body], ["name": "Ada", "body": body]] {
      let error = #expect(throws: TextEditError.self) { try Self.text(fields, .markdown) }
      #expect(error?.reason == .unwritable)
      #expect(error?.message.contains("Set it to a string.") == true)
    }
  }

  @Test(arguments: TextFormat.allCases) func `line breaks are those of most texts`(format: TextFormat) throws
  {
    let windows = try Self.text(Self.fields, format).replacing("\n", with: "\r\n")
    let style = TextStyle(
      ofMost: [Array(windows.utf8), Array(windows.utf8), Array(try Self.text(Self.fields, format).utf8)],
      as: format)
    func text(_ fields: Fields) throws -> String {
      String(
        decoding: try ItemText.new(fields, as: format, like: style, ReadLimits()).bytes, as: UTF8.self
      )
    }
    #expect(try text(Self.fields) == windows)
    // The body of a page is its value, to the byte.
    if format == .markdown {
      #expect(try text(["a": 1, "body": "one\ntwo\n"]) == "---\na: 1\n---\none\ntwo\n")
    }
  }

  @Test(arguments: TextFormat.allCases) func `a key that is a number is no element`(format: TextFormat) throws
  {
    for fields: Fields in [["1": "x"], ["0": 1, "a": 2, "_": 3], ["1": .map(["2": 5])]] {
      var read = try #require(PackedValue(reading: try Self.text(fields, format), as: format).value.fields)
      if format == .markdown { read["body"] = nil }
      #expect(read == fields)
    }
  }

  @Test func `an item without fields has a text`() throws {
    #expect(try Self.text([:], .yaml) == "{}\n")
    #expect(try Self.text([:], .json) == "{}\n")
    #expect(try Self.text([:], .markdown) == "---\n---\n")
    #expect(try Self.text(["body": "Text.\n"], .markdown) == "Text.\n")
    #expect(try Self.text(["body": "---\nText.\n"], .markdown) == "---\n---\n---\nText.\n")
  }
}
