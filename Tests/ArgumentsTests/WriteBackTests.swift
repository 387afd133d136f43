import Files
import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import notes_watch

@Suite struct WriteBackTests {
  private static func item(_ text: String) throws -> Item {
    guard case .map(let fields) = try yaml(text) else {
      throw TextError(line: 1, column: 1, message: "not a map: \(text)")
    }
    return .sample("d/a.yaml", fields, stamp: FileStamp(size: 7, modified: 1_700_000_000))
  }

  private static func line(_ json: String) throws -> Fields {
    try #require(try PackedValue(reading: json, as: .json).value.fields)
  }

  @Test(
    arguments: [
      // Unedited parts.
      ("{a: 1, m: {x: 1, y: 2}}", #"{"m":{"y":2}}"#, nil),
      ("{a: .nan, b: -.inf, d: 2024-01-31}", #"{"a":".nan","b":"-.inf","d":"2024-01-31"}"#, nil),
      ("{r: [{c: 1, e: x}, {c: 2}]}", #"{"r":{"c":[1,2],"e":["x"]}}"#, nil),
      ("{r: [{l: [{u: 1}, {u: 2}]}, {l: []}]}", #"{"r":{"l":{"u":[[1,2],[]]}}}"#, nil),
      ("{t: [a, b, c]}", #"{"t":{"@count":3}}"#, nil),
      ("{r: [{d: 1}, {d: 5}]}", #"{"r":{"@max":{"d":5},"@count":2,"d":[1,5]}}"#, nil),
      ("{m: {'@count': 7}}", #"{"m":{"@count":7}}"#, nil), ("{'@count': 7}", #"{"@count":7}"#, nil),
      ("{rgb: [255, 0, 7]}", #"{"rgb":{"0":255,"2":7}}"#, nil),
      ("{r: [{c: {k: 1}}, {c: {k: 2}}]}", #"{"r":{"0":{"c":{"k":1}},"1":{"c":{"k":2}}}}"#, nil),
      ("{r: [[1, 2], [3]]}", #"{"r":{"0":{"1":2}}}"#, nil),
      ("{r: [[{a: 1}], [{a: 2}, 3]]}", #"{"r":{"a":[[1],[2]]}}"#, nil),
      ("{r: [{'0': x}]}", #"{"r":{"0":["x"]}}"#, nil), ("{r: [1]}", #"{"r":{"x":[]}}"#, nil),
      ("{r: [1, 2]}", #"{"r":{"SIZE":2,"FIRST":1,"LAST":2}}"#, nil),
      ("{r: [{a: [1]}]}", #"{"r":{"1":{"a":{"@count":0}},"0":{"9":{"@count":0}}}}"#, nil),
      // Pseudo-fields, edited or not.
      (
        "{a: 1}",
        #"{"a":1,"@id":"d/a","@size":9,"@modified":"2020-01-01","@path":"x","@dir":"","@name":"b","@ext":"md","@created":null}"#,
        nil
      ),
      ("{'@size': 5}", #"{"@size":5}"#, nil), ("{'@size': 5}", #"{"@size":7}"#, nil),
      // Edits of values in the file.
      ("{a: 1, b: 2}", #"{"a":2}"#, "{a: 2, b: 2}"),
      ("{m: {x: 1, y: 2}}", #"{"m":{"y":3,"z":null}}"#, "{m: {x: 1, y: 3, z: null}}"),
      ("{m: {x: 1}}", #"{"m":1}"#, "{m: 1}"), ("{m: {x: 1}}", #"{"m":[1]}"#, "{m: [1]}"),
      ("{m: {x: 1}}", #"{"m":null}"#, "{m: null}"),
      ("{n: 1}", #"{"n":{"x":1}}"#, "{n: {x: 1}}"), ("{n: 1}", #"{"n":{}}"#, "{n: {}}"),
      ("{n: null}", #"{"n":{"x":1}}"#, "{n: {x: 1}}"),
      ("{n: 1}", #"{"l":[{"@count":1}],"e":{}}"#, "{n: 1, l: [{'@count': 1}], e: {}}"),
      ("{l: [1, 2]}", #"{"l":[]}"#, "{l: []}"), ("{l: [1, 2]}", #"{"l":"none"}"#, "{l: none}"),
      (
        "{l: [.nan, 1, {x: .inf}]}", #"{"l":["new",2,".nan",{"x":".inf"}]}"#, "{l: [new, 2, .nan, {x: .inf}]}"
      ),
      ("{l: [.nan, {x: .inf, y: 1}]}", #"{"l":[".nan",{"x":".inf","y":2}]}"#, "{l: [.nan, {x: .inf, y: 2}]}"),
      ("{m: {'@count': 7, x: 1}}", #"{"m":{"@count":8,"x":1}}"#, "{m: {'@count': 8, x: 1}}"),
      ("{'@count': 7}", #"{"@count":8}"#, "{'@count': 8}"),
      // A field with the name of an operator, set to what it would compute: the rest of the line
      // shows the file's own map.
      ("{m: {SIZE: 5, a: 1}}", #"{"m":{"SIZE":2,"a":1}}"#, "{m: {SIZE: 2, a: 1}}"),
      ("{SIZE: 5, a: 1}", #"{"SIZE":2}"#, "{SIZE: 2, a: 1}"),
      ("{m: {'@count': 7, x: 1}}", #"{"m":{"@count":2,"x":1}}"#, "{m: {'@count': 2, x: 1}}"),
      ("{'@count': 7}", #"{"@count":1}"#, "{'@count': 1}"),
      ("{a: 1}", #"{"@count":1,"SIZE":1,"0":1,"FIRST":1}"#, "{a: 1, '@count': 1, SIZE: 1, '0': 1, FIRST: 1}"),
      (
        "{m: {FIRST: 1, LAST: 2, '0': 3}}", #"{"m":{"FIRST":2,"LAST":3,"0":1}}"#,
        "{m: {FIRST: 2, LAST: 3, '0': 1}}"
      ),
      ("{box: {}}", #"{"box":{"FIRST":0,"LAST":null,"0":1}}"#, "{box: {FIRST: 0, LAST: null, '0': 1}}"),
      // Unedited elements beside an edited one.
      ("{l: ['.nan', .nan, 1]}", #"{"l":[".nan",".nan",2]}"#, "{l: ['.nan', .nan, 2]}"),
      ("{l: [.nan, '.nan', 1]}", #"{"l":[".nan",".nan",2]}"#, "{l: [.nan, '.nan', 2]}"),
      ("{l: ['.nan', .nan]}", #"{"l":["new",".nan",".nan"]}"#, "{l: [new, '.nan', .nan]}"),
      ("{l: [a, '.inf', .inf]}", #"{"l":[".inf",".inf"]}"#, "{l: ['.inf', .inf]}"),
      ("{l: [.nan, x, '.nan']}", #"{"l":[".nan","x"]}"#, "{l: [.nan, x]}"),
      ("{l: [.nan, x, '.nan']}", #"{"l":["x",".nan"]}"#, "{l: [x, '.nan']}"),
      (
        "{l: [{n: a, v: '.nan'}, {n: b, v: .nan}]}", #"{"l":[{"n":"b","v":".nan","w":1}]}"#,
        "{l: [{n: b, v: .nan, w: 1}]}"
      ),
      ("{l: [3.10, 1e3, 0.10]}", #"{"l":[3.1,1000,0.1,4]}"#, "{l: [3.10, 1e3, 0.10, 4]}"),
      ("{l: [3.10, 1e3]}", #"{"l":[1000,3.1]}"#, "{l: [1e3, 3.10]}"),
      ("{l: [3.10, 3.1, 4]}", #"{"l":[4,3.1,3.10]}"#, "{l: [4, 3.1, 3.10]}"),
      (
        "{l: [{v: 1.0, n: [2.50]}, {v: 2.0}]}", #"{"l":[{"n":[2.5],"v":1,"w":0},{"v":3}]}"#,
        "{l: [{v: 1.0, n: [2.50], w: 0}, {v: 3}]}"
      ),
      // Numbers in the spelling of another program, and other numbers.
      (
        "{a: 3.10, b: 1e3, c: 12345678901234567890, d: 1}",
        #"{"a":3.1,"b":1000.0,"c":12345678901234567000,"d":2}"#,
        "{a: 3.10, b: 1e3, c: 12345678901234567890, d: 2}"
      ),
      ("{a: 3.1, b: 5}", #"{"a":3.10,"b":5.0}"#, "{a: 3.10, b: 5.0}"),
      ("{n: caf\u{E9}}", "{\"n\":\"cafe\u{301}\"}", "{n: cafe\u{301}}"),
      ("{a.b: 1, /: 2}", #"{"a.b":2,"/":3}"#, "{a.b: 2, /: 3}"),
    ] as [(String, String, String?)])
  func `a line changes its edited parts`(text: String, json: String, wanted: String?) throws {
    let item = try WriteBackTests.item(text)
    let fields = try item.fields(writingBack: WriteBackTests.line(json))
    #expect(
      try fields == (wanted.map { try WriteBackTests.item($0) } ?? item).fields.value.fields,
      "\(text) \(json)")
    if wanted == nil { #expect(TextEdit.edits(from: item.fields.value.fields ?? [:], to: fields).isEmpty) }
  }

  @Test(
    arguments: [
      ("{n: Ada}", #"{"n":{"@count":1}}"#, #"{"n":{"@count":true}}"#, nil),
      ("{n: null}", #"{"n":{"@count":0}}"#, #"{"n":{"@count":true}}"#, nil),
      ("{n: Ada}", #"{"x":{"@count":0,"y":{"@sum":0}}}"#, #"{"x":{"@count":true,"y":{"@sum":true}}}"#, nil),
      ("{m: {x: 1, y: 2}}", #"{"m":{"x":1,"y":2,"@count":2}}"#, #"{"m":{"@count":true}}"#, nil),
      ("{m: {'@count': 7}}", #"{"m":{"@count":1}}"#, #"{"m":{"@count":true}}"#, nil),
      ("{m: {a: 1}}", #"{"m":{"SIZE":1,"a":1}}"#, #"{"m":{"SIZE":true}}"#, nil),
      ("{m: {SIZE: 5, a: 1}}", #"{"m":{"SIZE":2}}"#, #"{"m":{"SIZE":true}}"#, nil),
      ("{n: 1}", #"{"box":{"SIZE":0}}"#, #"{"box":{"SIZE":true}}"#, nil),
      ("{r: [{d: 1}, {d: 5}]}", #"{"@max":{"r":{"d":5}}}"#, #"{"@max":{"r":{"d":true}}}"#, nil),
      ("{n: 1}", #"{"@count":{"n":1,"x":0}}"#, #"{"@count":{"n":true,"x":true}}"#, nil),
      (
        "{m: {'@max': {x: 1}, y: 2}}", #"{"m":{"@max":{"@max":{"x":1},"y":2}}}"#,
        #"{"m":{"@max":{"@max":true,"y":true}}}"#, nil
      ),
      // Another part of the line was edited.
      ("{n: 1}", #"{"x":{"@count":0,"y":2}}"#, #"{"x":{"@count":true}}"#, "{n: 1, x: {y: 2}}"),
      ("{m: {SIZE: 5, a: 1}}", #"{"m":{"SIZE":2,"a":9}}"#, #"{"m":{"SIZE":true}}"#, "{m: {SIZE: 5, a: 9}}"),
    ] as [(String, String, String, String?)])
  func `a part that the line marks as computed is left alone`(
    text: String, json: String, computed: String, wanted: String?
  ) throws {
    let item = try WriteBackTests.item(text)
    let fields = try item.fields(
      writingBack: WriteBackTests.line(json), computed: WriteBackTests.line(computed))
    #expect(try fields == (wanted.map { try WriteBackTests.item($0) } ?? item).fields.value.fields)
  }

  /// Programs drop unknown keys from a line.
  @Test(arguments: [
    ("{n: Ada}", #"{"tags":{"@count":0}}"#), ("{n: Ada}", #"{"n":{"@count":1}}"#),
    ("{n: Ada}", #"{"n":"Ada","tags":{"@count":0,"@sum":0}}"#),
    ("{m: {x: 1}}", #"{"m":{"x":1,"@count":1}}"#), ("{x: {}}", #"{"x":{"@max":{}}}"#),
    ("{x: {a: {}}}", #"{"x":{"a":{"@max":{}}}}"#),
    ("{x: {y: 1}}", #"{"x":{"y":{"@count":1}}}"#),
  ])
  func `the result of an operator is left alone if the file has no such field`(text: String, json: String)
    throws
  {
    let item = try WriteBackTests.item(text)
    #expect(try item.fields(writingBack: WriteBackTests.line(json)) == item.fields.value.fields)
  }

  @Test(arguments: [
    ("{m: {SIZE: 5, a: 1}}", #"{"m":{"SIZE":5}}"#, #"{"m":{"SIZE":true}}"#, "m.SIZE"),
    ("{n: 1}", #"{"n":{"@count":2}}"#, #"{"n":{"@count":true}}"#, "n.@count"),
    ("{n: 1}", #"{"x":{"@count":"0"}}"#, #"{"x":{"@count":true}}"#, "x.@count"),
    ("{n: 1}", #"{"n":{"@count":1,"x":1}}"#, #"{"n":{"@count":true}}"#, "n"),
  ])
  func `an edit of a marked computed part is refused`(
    text: String, json: String, computed: String, path: String
  ) throws {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: Failure.self) {
      try item.fields(writingBack: WriteBackTests.line(json), computed: WriteBackTests.line(computed))
    }
    #expect(error?.message.hasPrefix("`\(path)` ") == true)
    #expect(error?.description.contains("computed") == true)
  }

  @Test(arguments: [
    ("{l: ['.nan', .nan]}", #"{"l":[".nan"]}"#), ("{l: [.nan, '.nan', x]}", #"{"l":[".nan","x"]}"#),
    ("{l: [3.10, 3.1]}", #"{"l":[3.1]}"#),
    ("{l: ['.nan', .nan, 1]}", #"{"l":[1,".nan",".nan"]}"#), ("{l: [3.10, 3.1, 4]}", #"{"l":[4,3.1,3.1]}"#),
    ("{l: [.inf, '.inf']}", #"{"l":[".inf",".inf",".inf"]}"#),
    ("{l: [[1, 3.10], [1, 3.1]]}", #"{"l":[[1, 3.1]]}"#),
  ])
  func `a list with elements that are printed alike is refused if the choice matters`(
    text: String, json: String
  ) throws {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: Failure.self) {
      try item.fields(writingBack: WriteBackTests.line(json))
    }
    #expect(error?.message.hasPrefix("`l` ") == true)
    #expect(error?.description.contains("printed alike") == true)
    #expect(error?.assignment == "l:=" + json.dropFirst(5).dropLast().replacing(" ", with: ""))
  }

  @Test(
    arguments: [
      ("{r: [{c: 1}, {c: 2}]}", #"{"r":{"c":[1,3]}}"#, "r.c", "elements of the list `r`"),
      ("{r: [{c: 1}]}", #"{"r":{"c":[1],"d":2}}"#, "r.d", "elements of the list"),
      ("{r: [{l: [{u: 1}]}]}", #"{"r":{"l":{"u":[[2]]}}}"#, "r.l", "elements of the list"),
      ("{rgb: [1, 2]}", #"{"rgb":{"0":9}}"#, "rgb.0", "elements of the list"),
      ("{t: [a]}", #"{"t":{"@count":2}}"#, "t.@count", "`t.@count`"),
      ("{m: {x: 1}}", #"{"m":{"@count":2}}"#, "m.@count", "computed"),
      ("{n: Ada}", #"{"n":{"@count":2}}"#, "n.@count", "computed"),
      ("{n: Ada}", #"{"n":{"@count":{}}}"#, "n.@count", "computed"),
      // The value could be a field or computed; the line does not say which.
      ("{n: Ada}", #"{"n":{"@count":1,"x":1}}"#, "n.@count", "may be a field"),
      ("{n: Ada}", #"{"box":{"SIZE":0}}"#, "box.SIZE", "may be a field"),
      ("{n: Ada}", #"{"box":{"SIZE":0,"lid":"blue"}}"#, "box.SIZE", "may be a field"),
      ("{n: Ada}", #"{"x":{"@count":0,"y":2}}"#, "x.@count", "may be a field"),
      ("{m: {SIZE: 5}}", #"{"m":{"SIZE":1}}"#, "m.SIZE", "may be a field"),
      ("{m: {SIZE: 5, a: 1}}", #"{"m":{"SIZE":2}}"#, "m.SIZE", "may be a field"),
      ("{m: {'@count': 7}}", #"{"m":{"@count":1}}"#, "m.@count", "may be a field"),
      ("{r: [{d: 1}, {d: 5}]}", #"{"@max":{"r":{"d":5}}}"#, "@max", "may be a field"),
      ("{m: {x: 1}}", #"{"m":{"x":1,"SIZE":1}}"#, "m.SIZE", "may be a field"),
      ("{n: Ada}", #"{"x":{"y":{"@max":2}}}"#, "x.y.@max", "computed"),
      ("{n: Ada}", #"{"n":{"y":{"@sum":2}}}"#, "n.y.@sum", "computed"),
      ("{m: {'@count': 7, x: 1}}", #"{"m":{"@count":8}}"#, "m.@count", "computed"),
      ("{tags: [b]}", #"{"tags":{"a":1}}"#, "tags", "a list in the file and a map"),
      ("{tags: [b]}", #"{"tags":{}}"#, "tags", "a list in the file and a map"),
      ("{'@size': 5}", #"{"@size":6}"#, "@size", "pseudo-field"),
    ] as [(String, String, String, String)])
  func `an edit without a place in the file is refused`(
    text: String, json: String, path: String, part: String
  ) throws {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: Failure.self) {
      try item.fields(writingBack: WriteBackTests.line(json))
    }
    #expect(error?.message.hasPrefix("`\(path)` ") == true)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `marks of numbers apply to elements that have not moved`() throws {
    let item = try WriteBackTests.item("{l: ['.nan', 1, '.inf']}")
    let edited: Fields = ["l": .list([.number(.double(.nan)), 1, ".inf"])]
    #expect(try item.fields(writingBack: edited) == edited)
    // The first element was removed, so another element now has the place of the number.
    let moved: Fields = ["l": .list([1, .number(.double(.infinity))])]
    #expect(try item.fields(writingBack: moved) == ["l": .list([1, ".inf"])])
  }

  @Test func `a number that prints as a string is written if the line marks it`() throws {
    let item = Item.sample(
      "a.yaml", ["v": .number(.double(3.1)), "n": .number(.double(.infinity)), "s": .string(".inf")])
    let fields = try #require(item.fields.value.fields)
    #expect(try item.fields(writingBack: ["v": .number(.literal("3.1"))]) == fields)
    #expect(try item.fields(writingBack: ["v": .number(.literal("3.10"))])["v"] == .number(.literal("3.10")))
    #expect(try item.fields(writingBack: ["n": .number(.double(.infinity)), "s": .string(".inf")]) == fields)
    #expect(
      try item.fields(writingBack: ["s": .number(.double(.infinity))])["s"] == .number(.double(.infinity)))
  }

  @Test(arguments: [
    ("{tags: [b]}", #"{"tags":{"a":1}}"#, #"tags:={"a":1}"#),
    ("{m: {a=b: [b]}}", #"{"m":{"a=b":{}}}"#, "m.`a=b`:={}"),
    ("{m: {a.b/c: [b]}}", #"{"m":{"a.b/c":{}}}"#, "m.`a.b/c`:={}"),
  ])
  func `a refused map for a list names the word that sets it`(text: String, json: String, word: String) throws
  {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: Failure.self) {
      try item.fields(writingBack: WriteBackTests.line(json))
    }
    #expect(error?.assignment == word)
    let assignment = try Assignment(word)
    let edited = try #require(item.fields.value.fields).applying(assignment.edits(of: [:]))
    #expect(
      try Value.map(edited).element(at: assignment.path)
        == WriteBackTests.line(json).value(at: assignment.path))
  }
}

extension Fields {
  fileprivate func value(at path: FieldPath) -> Value? { Value.map(self).element(at: path) }
}
