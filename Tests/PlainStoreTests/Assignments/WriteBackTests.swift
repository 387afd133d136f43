import DirectoryWatch
import PlainText
import TestSupport
import Testing

@testable import PlainStore

@Suite struct WriteBackTests {
  private static func item(_ text: String) throws -> Item {
    guard case .map(let fields) = try yaml(text) else { throw TextError(line: 1, column: 1, message: "not a map: \(text)") }
    return .sample("d/a.yaml", fields, stamp: FileStamp(size: 7, modified: 1_700_000_000))
  }

  private static func line(_ json: String) throws -> Fields {
    try #require(try PackedValue(reading: json, as: .json).value.fields)
  }

  @Test(arguments: [
    // What no edit was made to.
    ("{a: 1, m: {x: 1, y: 2}}", #"{"m":{"y":2}}"#, nil),
    ("{a: .nan, b: -.inf, d: 2024-01-31}", #"{"a":".nan","b":"-.inf","d":"2024-01-31"}"#, nil),
    ("{r: [{c: 1, e: x}, {c: 2}]}", #"{"r":{"c":[1,2],"e":["x"]}}"#, nil),
    ("{r: [{l: [{u: 1}, {u: 2}]}, {l: []}]}", #"{"r":{"l":{"u":[[1,2],[]]}}}"#, nil),
    ("{t: [a, b, c]}", #"{"t":{"@count":3}}"#, nil), ("{r: [{d: 1}, {d: 5}]}", #"{"r":{"@max":{"d":5},"@count":2,"d":[1,5]}}"#, nil),
    ("{n: Ada}", #"{"n":{"@count":1}}"#, nil), ("{n: Ada}", #"{"x":{"@count":0,"y":{"@sum":0}}}"#, nil),
    ("{n: null}", #"{"n":{"@count":0}}"#, nil),
    ("{m: {x: 1, y: 2}}", #"{"m":{"x":1,"y":2,"@count":2}}"#, nil), ("{m: {'@count': 7}}", #"{"m":{"@count":7}}"#, nil),
    ("{m: {'@count': 7}}", #"{"m":{"@count":1}}"#, nil), ("{'@count': 7}", #"{"@count":7}"#, nil),
    ("{rgb: [255, 0, 7]}", #"{"rgb":{"0":255,"2":7}}"#, nil),
    ("{r: [{c: {k: 1}}, {c: {k: 2}}]}", #"{"r":{"0":{"c":{"k":1}},"1":{"c":{"k":2}}}}"#, nil),
    ("{r: [[1, 2], [3]]}", #"{"r":{"0":{"1":2}}}"#, nil), ("{r: [[{a: 1}], [{a: 2}, 3]]}", #"{"r":{"a":[[1],[2]]}}"#, nil),
    ("{r: [{'0': x}]}", #"{"r":{"0":["x"]}}"#, nil), ("{r: [1]}", #"{"r":{"x":[]}}"#, nil),
    ("{r: [1, 2]}", #"{"r":{"SIZE":2,"FIRST":1,"LAST":2}}"#, nil), ("{m: {a: 1}}", #"{"m":{"SIZE":1,"a":1}}"#, nil),
    ("{r: [{d: 1}, {d: 5}]}", #"{"@max":{"r":{"d":5}}}"#, nil), ("{n: 1}", #"{"@count":{"n":1,"x":0}}"#, nil),
    ("{m: {'@max': {x: 1}, y: 2}}", #"{"m":{"@max":{"@max":{"x":1},"y":2}}}"#, nil),
    ("{r: [{a: [1]}]}", #"{"r":{"1":{"a":{"@count":0}},"0":{"9":{"@count":0}}}}"#, nil),
    // Pseudo-fields, edited or not.
    (
      "{a: 1}", #"{"a":1,"@id":"d/a","@size":9,"@modified":"2020-01-01","@path":"x","@dir":"","@name":"b","@ext":"md","@created":null}"#,
      nil
    ),
    ("{'@size': 5}", #"{"@size":5}"#, nil), ("{'@size': 5}", #"{"@size":7}"#, nil),
    // Edits of what is in the file.
    ("{a: 1, b: 2}", #"{"a":2}"#, "{a: 2, b: 2}"), ("{m: {x: 1, y: 2}}", #"{"m":{"y":3,"z":null}}"#, "{m: {x: 1, y: 3, z: null}}"),
    ("{m: {x: 1}}", #"{"m":1}"#, "{m: 1}"), ("{m: {x: 1}}", #"{"m":[1]}"#, "{m: [1]}"), ("{m: {x: 1}}", #"{"m":null}"#, "{m: null}"),
    ("{n: 1}", #"{"n":{"x":1}}"#, "{n: {x: 1}}"), ("{n: 1}", #"{"n":{}}"#, "{n: {}}"), ("{n: null}", #"{"n":{"x":1}}"#, "{n: {x: 1}}"),
    ("{n: 1}", #"{"l":[{"@count":1}],"e":{}}"#, "{n: 1, l: [{'@count': 1}], e: {}}"),
    ("{n: 1}", #"{"x":{"@count":0,"y":2}}"#, "{n: 1, x: {y: 2}}"),
    ("{l: [1, 2]}", #"{"l":[]}"#, "{l: []}"), ("{l: [1, 2]}", #"{"l":"none"}"#, "{l: none}"),
    ("{l: [.nan, 1, {x: .inf}]}", #"{"l":["new",2,".nan",{"x":".inf"}]}"#, "{l: [new, 2, .nan, {x: .inf}]}"),
    ("{l: [.nan, {x: .inf, y: 1}]}", #"{"l":[".nan",{"x":".inf","y":2}]}"#, "{l: [.nan, {x: .inf, y: 2}]}"),
    ("{m: {'@count': 7, x: 1}}", #"{"m":{"@count":8,"x":1}}"#, "{m: {'@count': 8, x: 1}}"),
    ("{'@count': 7}", #"{"@count":8}"#, "{'@count': 8}"),
    ("{n: caf\u{E9}}", "{\"n\":\"cafe\u{301}\"}", "{n: cafe\u{301}}"), ("{a.b: 1, /: 2}", #"{"a.b":2,"/":3}"#, "{a.b: 2, /: 3}"),
  ])
  func `A line changes what was edited in it`(text: String, json: String, wanted: String?) throws {
    let item = try WriteBackTests.item(text)
    let fields = try item.fields(writingBack: WriteBackTests.line(json))
    #expect(try fields == (wanted.map { try WriteBackTests.item($0) } ?? item).fields.value.fields, "\(text) \(json)")
    if wanted == nil { #expect(TextEdit.edits(from: item.fields.value.fields ?? [:], to: fields).isEmpty) }
  }

  @Test(arguments: [
    ("{r: [{c: 1}, {c: 2}]}", #"{"r":{"c":[1,3]}}"#, "r.c", "elements of the list `r`"),
    ("{r: [{c: 1}]}", #"{"r":{"c":[1],"d":2}}"#, "r.d", "elements of the list"),
    ("{r: [{l: [{u: 1}]}]}", #"{"r":{"l":{"u":[[2]]}}}"#, "r.l", "elements of the list"),
    ("{rgb: [1, 2]}", #"{"rgb":{"0":9}}"#, "rgb.0", "elements of the list"),
    ("{t: [a]}", #"{"t":{"@count":2}}"#, "t.@count", "`t.@count`"), ("{m: {x: 1}}", #"{"m":{"@count":2}}"#, "m.@count", "computed"),
    ("{n: Ada}", #"{"n":{"@count":2}}"#, "n.@count", "computed"), ("{n: Ada}", #"{"n":{"@count":1,"x":1}}"#, "n", "computed"),
    ("{n: Ada}", #"{"x":{"y":{"@max":2}}}"#, "x.y.@max", "computed"), ("{n: Ada}", #"{"n":{"y":{"@sum":2}}}"#, "n.y.@sum", "computed"),
    ("{m: {'@count': 7, x: 1}}", #"{"m":{"@count":8}}"#, "m.@count", "computed"),
    ("{tags: [b]}", #"{"tags":{"a":1}}"#, "tags", "a list in the file and a map"),
    ("{tags: [b]}", #"{"tags":{}}"#, "tags", "a list in the file and a map"),
    ("{'@size': 5}", #"{"@size":6}"#, "@size", "pseudo-field"),
  ])
  func `An edit without a place in the file is refused`(text: String, json: String, path: String, part: String) throws {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: WriteBackError.self) { try item.fields(writingBack: WriteBackTests.line(json)) }
    #expect(error?.path.description == path)
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test func `A number that prints as a string is written where the line knows it as one`() throws {
    let item = Item.sample("a.yaml", ["v": .number(.double(3.1)), "n": .number(.double(.infinity)), "s": .string(".inf")])
    let fields = try #require(item.fields.value.fields)
    #expect(try item.fields(writingBack: ["v": .number(.literal("3.1"))]) == fields)
    #expect(try item.fields(writingBack: ["v": .number(.literal("3.10"))])["v"] == .number(.literal("3.10")))
    #expect(try item.fields(writingBack: ["n": .number(.double(.infinity)), "s": .string(".inf")]) == fields)
    #expect(try item.fields(writingBack: ["s": .number(.double(.infinity))])["s"] == .number(.double(.infinity)))
  }

  @Test(arguments: [
    ("{tags: [b]}", #"{"tags":{"a":1}}"#, #"tags:={"a":1}"#), ("{m: {a=b: [b]}}", #"{"m":{"a=b":{}}}"#, "m.`a=b`:={}"),
    ("{m: {a.b/c: [b]}}", #"{"m":{"a.b/c":{}}}"#, "m.`a.b/c`:={}"),
  ])
  func `A refused map for a list names the word that sets it`(text: String, json: String, word: String) throws {
    let item = try WriteBackTests.item(text)
    let error = #expect(throws: WriteBackError.self) { try item.fields(writingBack: WriteBackTests.line(json)) }
    #expect(error?.assignment == word)
    let assignment = try Assignment(word)
    let edited = try #require(item.fields.value.fields).applying(assignment.edits(of: [:]))
    #expect(try Value.map(edited).element(at: #require(error?.path)) == WriteBackTests.line(json).value(at: error?.path))
  }
}

extension Fields {
  fileprivate func value(at path: FieldPath?) -> Value? { path.flatMap { Value.map(self).element(at: $0) } }
}
