import Foundation
import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import notes_watch

@Suite struct AssignmentTests {
  private func edits(_ word: String, of fields: Fields = [:]) throws -> [TextEdit] {
    try Assignment(word).edits(of: fields)
  }

  private func set(_ word: String) throws -> (FieldPath, Value)? {
    guard case .set(let path, let value)? = try edits(word).first else { return nil }
    return (path, value)
  }

  @Test(
    arguments: [
      ("rating=8", Value.number(.integer(8))), ("x=-1.5e3", .number(.literal("-1.5e3"))),
      ("x=0x1F", .string("0x1F")), ("x=010", .string("010")), ("x=true", .bool(true)),
      ("x=False", .bool(false)), ("x=null", .null),
      ("x=~", .null),
      ("x=no", .string("no")), ("x=yes", .string("yes")), ("x=", .string("")), ("x= 8", .string(" 8")),
      ("x=8 ", .string("8 ")),
      ("x=8kg", .string("8kg")), ("x=a=b", .string("a=b")), ("x==", .string("=")), ("x=a@b", .string("a@b")),
      ("x=[1]", .string("[1]")),
      ("x=\"8\"", .string("\"8\"")), ("x=a: b # c", .string("a: b # c")), ("x=12:30", .string("12:30")),
      ("x=é\u{301}", .string("é\u{301}")),
      ("x=123456789012345678901234567890", .number(.literal("123456789012345678901234567890"))),
      ("x=1e999", .number(.literal("1e999"))),
      ("x:=\"8\"", .string("8")),
      ("x:=[1, {\"a\": null}]", .list([.number(.integer(1)), .map(["a": .null])])),
      ("x:={}", .map([:])),
      ("x:= 1 ", .number(.integer(1))),
    ] as [(String, Value)])
  func `a value is read as YAML reads it`(word: String, value: Value) throws {
    let set = try #require(try set(word))
    #expect(set.0 == FieldPath(keys: ["x"]) || set.0 == FieldPath(keys: ["rating"]))
    #expect(set.1 == value, "\(word)")
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "3.20", "1.0", "1e3", "1E+5", "-7", "100000000000000000000000000000", "1e400",
    "0.00001",
  ])
  func `a number that JSON has keeps its text`(text: String) throws {
    let number = try #require(Number(json: text))
    for word in ["x=\(text)", "x:=\(text)"] {
      #expect(try set(word)?.1 == .number(number))
      #expect(try set(word)?.1.text == text)
      #expect(try Assignment(word).numberKeptAsString == nil)
    }
  }

  @Test(arguments: [
    ("02110", "2110"), ("+49301234567", "49301234567"), ("0x1F", "31"), ("0o17", "15"), (".5", "0.5"),
    ("-.5", "-0.5"), ("007.50", "7.5"),
    ("+1e3", "1000.0"), ("+0", "0"), ("00", "0"), ("-00", "0"),
  ])
  func `a number that would print in another way is a string`(text: String, number: String) throws {
    #expect(try set("x=\(text)")?.1 == .string(text))
    #expect(try Assignment("x=\(text)").numberKeptAsString == Number(json: number))
    #expect(try edits("x+=\(text)") == [.append(.string(text), to: FieldPath(keys: ["x"]))])
  }

  @Test func `a point without digits is the number with a zero`() throws {
    #expect(try set("x=5.")?.1 == .number(.double(5)))
    #expect(try set("x=+5.")?.1 == .string("+5."))
  }

  @Test func `infinities and not-a-number stay numbers in all spellings`() throws {
    for word in [".inf", ".Inf", "+.INF"] { #expect(try set("x=\(word)")?.1 == .number(.double(.infinity))) }
    #expect(try set("x=.NaN")?.1 == .number(.double(.nan)))
  }

  @Test func `a warning names the field and the number that a string replaces`() throws {
    let fields: Fields = [
      "a": .map(["zip": .number(.integer(2110))]), "s": .string("2110"), "l": .list([.number(.integer(7))]),
    ]
    let warning = try Assignment("a.zip=02110").warning(for: fields)
    #expect(warning?.contains("`a.zip` holds the number 2110") == true)
    #expect(warning?.contains("a.zip:=2110") == true)
    for word in ["a.zip=2110", "a.zip=x", "a.zip:=\"02110\"", "s=02110", "new=02110", "l+=007", "l-=007"] {
      #expect(try Assignment(word).warning(for: fields) == nil, "\(word)")
    }
  }

  @Test func `an element is removed by the value of its number`() throws {
    let fields: Fields = [
      "x": .list([.number(.literal("3.10")), .string("3.10"), .number(.double(3.1)), .number(.integer(3))])
    ]
    let expected = [2, 0].map { TextEdit.remove(FieldPath(keys: ["x", String($0)])) }
    for word in ["x-=3.1", "x-=3.10", "x-:=31e-1"] {
      #expect(try edits(word, of: fields) == expected, "\(word)")
    }
    #expect(try edits("x-=3.0", of: fields) == [.remove(FieldPath(keys: ["x", "3"]))])
    #expect(try edits("x-=03.1", of: fields).isEmpty)
  }

  @Test func `a complete value without quotes can be a moment`() throws {
    let date = Date(timeIntervalSince1970: 1_795_993_200)
    func value(_ word: String) throws -> Value? {
      guard case .value(let value) = try Assignment(word, at: date).source else { return nil }
      return value
    }
    let today = try #require(try MomentWord("@today")).value(at: date)
    #expect(try value("due=@today") == today)
    #expect(try value("days+=@today") == today)
    #expect(try value("due=@today + 3d") == MomentWord("@today + 3d")?.value(at: date))
    #expect(try value("at=@now") == MomentWord("@now")?.value(at: date))
    #expect(try value("x=\"@now\"") == .string("@now"))
    #expect(try value("x='@today'") == .string("@today"))
    #expect(try value("x:=\"@now\"") == .string("@now"))
    for text in ["@ada", "by @today", "@today!", "\"quoted\"", "@"] {
      #expect(try value("x=\(text)") == .string(text))
    }
    let error = #expect(throws: Failure.self) { try Assignment("due=@today+3d") }
    #expect(error?.column == 5)
    #expect(error?.message.contains("space on each side") == true)
  }

  @Test func `a date is read as a date`() throws {
    #expect(try set("due=2024-01-31")?.1 == Value(text: "2024-01-31"))
    #expect(try set("due:=\"2024-01-31\"")?.1 == Value(text: "2024-01-31"))
    guard case .date? = try set("due=2024-01-31T10:00:00Z")?.1 else { return #expect(Bool(false)) }
  }

  @Test(arguments: [
    ("address.city=x", ["address", "city"]), ("tags[0]=x", ["tags", "0"]),
    ("a[1][2].b=x", ["a", "1", "2", "b"]),
    ("/a.b/c=x", ["a.b", "c"]),
    ("/a~1b=x", ["a/b"]), ("body=x", ["body"]), ("a:b=x", ["a:b"]), ("a\\=b=x", ["a=b"]),
    ("a\\@b=x", ["a@b"]), ("a\\:=x", ["a:"]),
    ("c\\+\\+=x", ["c++"]), ("a\\\\=x", ["a\\"]), ("a\\b=x", ["a\\b"]), ("@type=x", ["@type"]),
    ("/\\@type=x", ["@type"]),
    ("na me=x", ["na me"]),
    ("`a.b`.c=x", ["a.b", "c"]), ("`a=b@c`=x", ["a=b@c"]), ("a.`x\\=`=x", ["a", "x\\="]), ("``=x", [""]),
    ("größe=x", ["größe"]),
    ("`tags[x]`=x", ["tags[x]"]), ("/tags[x]=x", ["tags[x]"]), ("a.`@b`=x", ["a", "@b"]),
    ("e\u{301}=x", ["e\u{301}"]),
  ])
  func `a path is a field path or a JSON Pointer`(word: String, keys: [String]) throws {
    let set = try #require(try set(word))
    #expect(set.0.keys == keys, "\(word)")
    #expect(set.1 == .string("x"))
  }

  @Test func `list verbs append and remove`() throws {
    let item: Fields = [
      "tags": .list([.string("a"), .string("b"), .string("a")]), "n": .number(.integer(1)),
      "d": .map(["l": .list([.null])]),
    ]
    #expect(try edits("tags+=new") == [.append(.string("new"), to: FieldPath(keys: ["tags"]))])
    #expect(try edits("tags+=1") == [.append(.number(.integer(1)), to: FieldPath(keys: ["tags"]))])
    #expect(
      try edits("tags+:={\"a\":1}") == [
        .append(.map(["a": .number(.integer(1))]), to: FieldPath(keys: ["tags"]))
      ])
    #expect(
      try edits("tags-=a", of: item) == [
        .remove(FieldPath(keys: ["tags", "2"])), .remove(FieldPath(keys: ["tags", "0"])),
      ])
    #expect(try edits("tags-=c", of: item).isEmpty)
    #expect(try edits("other-=c", of: item).isEmpty)
    #expect(try edits("d.l-:=null", of: item) == [.remove(FieldPath(keys: ["d", "l", "0"]))])
    #expect(
      throws: Failure(word: "n-=1", "`n` is a number, not a list, so nothing can be removed from it.")
    ) {
      try edits("n-=1", of: item)
    }
  }

  @Test(arguments: [
    ("name", 1, "not a field assignment"), ("", 1, "not a field assignment"),
    ("@id", 1, "not a field assignment"),
    ("=x", 1, "field name is missing before the `=`"),
    (":=x", 1, "field name is missing before the `:=`"), ("a..b=1", 3, "A key is missing"),
    ("/a~2=1", 3, "JSON Pointer"),
    ("tags.\\@count=3", 1, "is computed"), ("tags[SIZE]=3", 5, "is computed"),
    ("tags[LAST]=3", 5, "named by its number"),
    ("tags.@count=3", 6, "is computed"), ("tags.@count:=3", 6, "is computed"), ("tags.@foo=1", 6, "@avg"),
    ("tags.@draft.md", 1, "not a field assignment"),
    ("tags[x]=1", 5, "in backquotes: `tags[x]`"), ("rgb[=1", 4, "in backquotes: `rgb[`"),
    ("`a=1", 1, "not closed"),
    ("tags[-1]=3", 6, "count from 0"),
    ("@id=x", 1, "@id is a property of the file"), ("x:=[1", 6, "JSON"), ("long:=\"é\" 1", 11, "JSON"),
    ("x:=Ada", 4, "use `=` for a plain value"),
    ("x:=", 4, "JSON"), ("x@", 3, "file name is missing"),
  ])
  func `each error has a column and an advice`(word: String, column: Int, part: String) {
    let error = #expect(throws: Failure.self) { try Assignment(word) }
    #expect(error?.column == column, "\(error?.description ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("`\(word)`, column \(column): ") == true)
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test func `a file is read as text`() throws {
    let assignment = try Assignment("body@a=b.md")
    #expect(assignment.source == .file("a=b.md"))
    let folder = try TemporaryFolder(["text": "hello\n", "bytes": "x"])
    try folder.shell("printf '\\377' > bytes")
    #expect(
      try [Assignment("body@\(folder.path)/text")].resolved(ReadLimits()).edits(of: [:]) == [
        .set(FieldPath(keys: ["body"]), .string("hello\n"))
      ])
    let word = "body@\(folder.path)/bytes"
    #expect(
      throws: Failure(
        word: word, "The file \(folder.path)/bytes is not UTF-8 text, so no field can hold it.")
    ) {
      try [Assignment(word)].resolved(ReadLimits())
    }
    let plain = try Assignment("x=1")
    #expect(try [plain].resolved(ReadLimits()) == [plain])
  }

  /// Any keys can be written as a JSON Pointer with backslashes, and no word crashes the program.
  @Test(arguments: Randomness.seeds(20)) func `any keys can be written as a JSON Pointer`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let signs = [
      "a", "=", "@", ":", "+", "-", "\\", "/", "~", ".", "[", "0", "]", " ", "é", "e\u{301}", "\u{1B}", "😀",
    ]
    for _ in 0..<100 {
      let keys = (0...random.below(3)).map { _ in
        (0..<random.below(6)).map { _ in random.one(of: signs) }.joined()
      }
      let value = (0..<random.below(6)).map { _ in random.one(of: signs) }.joined()
      let escaped = FieldPath.pointer(to: keys).unicodeScalars.map {
        "=@:+-\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)"
      }.joined()
      let assignment = try Assignment("\(escaped)=\(value)")
      #expect(assignment.path.keys == keys, "\(seedNote(seed))")
      #expect(assignment.source == .value(Value(word: value)), "\(seedNote(seed))")
      let word = keys.joined() + value
      if let assignment = try? Assignment(word) {
        _ = try? assignment.edits(of: ["a": .list([.string("a")])])
      }
    }
  }
}
