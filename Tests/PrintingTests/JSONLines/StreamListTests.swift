import Files
import SampleLists
import Store
import Testing
import Values

@testable import Streams

struct StreamListTests {
  private static let start = [
    #"{"v":1,"type":"hello","root":"r","view":{"section":"group"}}"#,
    #"{"v":1,"type":"snapshot","part":1,"sections":[{"id":"x","title":"X","items":[{"id":"é","path":"é.yaml","value":{"n":1}}]}]}"#,
    #"{"v":1,"type":"snapshot","part":2,"seq":1,"token":"t1","count":2,"last":true,"sections":[{"id":"x","title":"X","items":[{"id":"e\u0301","path":"e\u0301.yaml","value":{"n":2}}]}]}"#,
    #"{"v":1,"type":"problem","state":"raised","path":"bad.md","line":1,"column":1,"message":"No."}"#,
  ]
  private static let update =
    #"{"v":1,"type":"update","seq":2,"since":"t1","token":"t2","count":1,"sections":[{"op":"update","id":"x","from":0,"to":0,"title":null}],"changes":[{"op":"delete","id":"é","from":{"section":"x","index":0},"reason":"removed"},{"op":"update","id":"e\u0301","from":{"section":"x","index":1},"to":{"section":"x","index":0},"path":"50%25.yaml","fields":["/@path"],"value":{"n":".inf"},"numbers":{"n":true},"before":{}}]}"#

  private static func list(_ lines: [String] = start) throws -> StreamList {
    var list = StreamList()
    for line in lines { try list.apply(StreamLine(line)) }
    return list
  }

  @Test func `lines make a list, and ids are compared by their bytes`() throws {
    var list = try Self.list()
    #expect(list.snapshot.itemIdentifiers == ["\u{E9}", "e\u{301}"])
    #expect(list.position == StreamPosition(seq: 1, token: "t1"))
    #expect(list.title(of: "x") == "X")
    #expect(list.problems == ["bad.md": "No."])
    try list.apply(StreamLine(Self.update))
    #expect(list.snapshot.itemIdentifiers == ["e\u{301}"])
    #expect(list.row("\u{E9}") == nil)
    #expect(list.row("e\u{301}")?.path.bytes.elementsEqual("50%.yaml".utf8) == true)
    #expect(list.row("e\u{301}")?.value == ["n": .number(.double(.infinity))])
    #expect(list.title(of: "x") == nil)
    try list.apply(StreamLine(#"{"v":1,"type":"bookmark","seq":2,"token":"t3"}"#))
    try list.apply(StreamLine(#"{"v":1,"type":"news","seq":9,"token":"t9"}"#))
    try list.apply(StreamLine(#"{"v":1,"type":"problem","state":"cleared","path":"bad.md"}"#))
    #expect(list.position == StreamPosition(seq: 2, token: "t3"))
    #expect(list.problems.isEmpty)
  }

  @Test func `a stream that continues keeps the list, and one that begins again does not`() throws {
    var list = try Self.list()
    try list.apply(StreamLine(#"{"v":1,"type":"hello","root":"r","view":{},"since":"t1","seq":1}"#))
    #expect(list.snapshot.numberOfItems == 2)
    #expect(list.problems.isEmpty)
    let rows = Dictionary(
      uniqueKeysWithValues: list.snapshot.itemIdentifiers.compactMap { id in list.row(id).map { (id, $0) } })
    var stored = StreamList(
      list.snapshot, rows: rows, titles: ["x": "X"], at: try #require(list.position))
    try stored.apply(StreamLine(#"{"v":1,"type":"hello","root":"r","view":{},"since":"t1","seq":1}"#))
    try stored.apply(StreamLine(Self.update))
    try list.apply(StreamLine(Self.update))
    #expect(stored.snapshot == list.snapshot)
    #expect(stored.row("e\u{301}") == list.row("e\u{301}"))
    try list.apply(StreamLine(Self.start[0]))
    #expect(list.position == nil)
    #expect(list.snapshot.numberOfItems == 0)
  }

  /// The number of lines before the one that does not fit, and that line.
  @Test(
    arguments: [
      (0, update), (1, start[2]), (2, update), (3, start[2]), (4, update.replacing("t1", with: "t0")),
      (4, update.replacing("\"seq\":2", with: "\"seq\":3")),
      (4, update.replacing("\"count\":1", with: "\"count\":2")),
      (4, update.replacing("\"index\":1", with: "\"index\":0")),
      (4, update.replacing("\"from\"", with: "\"form\"")),
      (4, update.replacing("\"update\",\"id\"", with: "\"swap\",\"id\"")),
      (4, update.replacing("50%25.yaml", with: "/")), (4, update.replacing("\"value\"", with: "\"valve\"")),
      (4, update.replacing("\"changes\":[", with: "\"changes\":[7,")),
      (4, #"{"v":1,"type":"bookmark","seq":3,"token":"t"}"#),
      (4, #"{"v":1,"type":"hello","root":"r","view":{},"since":"t0","seq":1}"#),
      (0, #"{"v":1,"type":"snapshot","seq":1,"token":"t","count":1,"sections":[]}"#),
      (
        0,
        #"{"v":1,"type":"snapshot","seq":1,"token":"t","count":2,"sections":[{"id":"","items":[{"id":"a","path":"a","value":{}},{"id":"a","path":"a","value":{}}]}]}"#
      ),
    ] as [(Int, String)])
  func `a line that does not fit is an error, and an update then changes nothing`(count: Int, line: String)
    throws
  {
    var list = try Self.list(Array(Self.start.prefix(count)))
    let (snapshot, position) = (list.snapshot, list.position)
    let read = try StreamLine(line)
    #expect(throws: TextError.self) { try list.apply(read) }
    if read.type != "snapshot" {
      #expect(list.snapshot == snapshot)
      #expect(list.position == position)
      #expect(list.row("e\u{301}")?.value == (count > 2 ? ["n": 2] : nil))
    }
  }

  @Test func `the largest number of a step is no crash`() throws {
    let last = #"{"v":1,"type":"snapshot","seq":9223372036854775807,"token":"t1","count":0,"sections":[]}"#
    var list = try Self.list([last])
    #expect(list.position == nil)
    #expect(throws: TextError.self) { try list.apply(StreamLine(Self.update)) }
  }

  @Test(arguments: [
    "", "[]", "1", "{}", #"{"v":2,"type":"x"}"#, #"{"type":"x"}"#, #"{"v":1}"#, #"{"v":1,"type":7}"#,
  ])
  func `what is no line of version 1 is an error`(text: String) {
    #expect(throws: TextError.self) { try StreamLine(text) }
  }

  @Test func `an update of many changes, written in pieces, is one line`() throws {
    let old = SampleList([])
    let new = SampleList((0..<1_200).map { .sample("\($0)", ["n": .number(.integer($0))]) })
    var writer = StreamWriter(root: "r") { Timestamp(seconds: 0, nanoseconds: 0) }
    writer.begin(view: [:], .snapshot(try old.snapshot))
    writer.add(.step(update: try old.update(to: new), problems: []))
    var pieces: [[UInt8]] = []
    writer.write { pieces.append($0) }
    #expect(pieces.count > 3)
    var list = StreamList()
    for line in pieces.joined().split(separator: UInt8(ascii: "\n")) {
      try list.apply(StreamLine(bytes: Array(line)))
    }
    #expect(try list.snapshot == new.snapshot.list)
    #expect(list.row("700")?.value == ["n": 700])
  }

  @Test func `a list of many sections is read in linear time`() throws {
    let sections = (0..<50_000).map { #"{"id":"\#($0)","items":[]}"# }.joined(separator: ",")
    let line = #"{"v":1,"type":"snapshot","seq":1,"token":"t","count":0,"sections":[\#(sections)]}"#
    #expect(try Self.list([line]).snapshot.numberOfSections == 50_000)
  }

  @Test func `a token says which list it names`() throws {
    let list = try SampleList([.sample("a", ["n": 1])]).snapshot
    var tokens = StreamPositions(tokens: TokenSource(view: "0f", hasDigests: true))
    tokens.begin(with: list)
    let token = try #require(StreamToken(parsing: tokens.current.token))
    #expect(token.seq == 1)
    #expect(token.digest == StreamDigest(of: list).description)
    #expect(token.commit == nil)
    #expect(token.recognizes(list))
    #expect(StreamToken(parsing: "t1") == nil)
  }
}
