import SampleLists
import Files
import Foundation
import HashTreeCollections
import Store
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

/// The bytes of each line of the stream.
struct StreamEncoderTests {
  private static let time = Timestamp(seconds: 1_795_213_867, nanoseconds: 120_000_000)

  private static let people = SampleList(
    [
      .sample("ada", ["group": .string("friends"), "rating": .int(9)]),
      .sample("fay", ["group": .string("friends")]),
      .sample("bob", ["group": .string("work")]),
      .sample("dan", ["group": .string("work"), "rating": .int(8)]),
    ], request: .sectioned(by: "group"))

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

  /// Returns a line with only the number of each token.
  private static func line(_ bytes: [UInt8]) -> String {
    text(bytes).replacing(/"(token|since)":"n1\.[0-9a-z]+\.([0-9a-z]+)\.[^"]*/) {
      "\"\($0.output.1)\":\"~\($0.output.2)"
    }
  }

  /// Returns the update from one list to another, as the second line of a stream.
  private static func update(from old: SampleList, to new: SampleList, origin: UpdateOrigin = .files)
    throws -> String
  {
    var encoder = StreamEncoder()
    _ = encoder.pieces(of: try old.snapshot)
    return line(encoder.update(try old.update(to: new, origin: origin), time: time))
  }

  @Test func `hello contains the root and the view`() {
    let line = StreamEncoder.hello(
      root: "a \"b\"\n", view: ["sort": .list([.string("lastName")]), "section": .string("group")])
    #expect(
      StreamEncoderTests.text(line)
        == #"{"v":1,"type":"hello","root":"a \"b\"\n","view":{"sort":["lastName"],"section":"group"}}"# + "\n"
    )
  }

  @Test func `an error has a code for programs and a sentence for people`() {
    let line = StreamEncoder.error(code: "gone", message: "It is gone.")
    #expect(
      StreamEncoderTests.text(line) == #"{"v":1,"type":"error","code":"gone","message":"It is gone."}"# + "\n"
    )
  }

  @Test func `an error has the reason why a token is gone`() {
    let failure = ResumeFailure(.viewMismatch, token: "t")
    #expect(
      StreamEncoderTests.text(StreamEncoder.error(failure))
        == #"{"v":1,"type":"error","code":"gone","why":"view-mismatch","message":"\#(failure)"}"# + "\n")
  }

  @Test func `a resumed hello has the position, and the next update continues it`() throws {
    var encoder = StreamEncoder(at: StreamPosition(seq: 7, token: "n1.a.3.7.-.-.-"))
    let hello = StreamEncoderTests.text(StreamEncoder.hello(root: "r", view: [:], since: encoder.position))
    #expect(hello == #"{"v":1,"type":"hello","root":"r","view":{},"since":"n1.a.3.7.-.-.-","seq":7}"# + "\n")
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)])]) }
    let line = StreamEncoderTests.text(
      encoder.update(try lists[0].update(to: lists[1]), time: StreamEncoderTests.time))
    #expect(line.contains(#""seq":8,"since":"n1.a.3.7.-.-.-","token":"n1."#))
    #expect(encoder.position.seq == 8)
    #expect(line.contains(#""token":"\#(encoder.position.token)""#))
  }

  @Test func `a bookmark has a new token unless it answers a reader that missed nothing`() {
    var encoder = StreamEncoder(at: StreamPosition(seq: 7, token: "old"))
    #expect(
      StreamEncoderTests.text(encoder.bookmark(keepsToken: true))
        == #"{"v":1,"type":"bookmark","seq":7,"token":"old"}"# + "\n")
    #expect(
      StreamEncoderTests.text(encoder.bookmark()).hasPrefix(#"{"v":1,"type":"bookmark","seq":7,"token":"n1."#)
    )
    #expect(encoder.position.token != "old")
  }

  @Test func `an update has its cause, and the first one of a sequence counts as a rescan`() throws {
    let (old, new) = (try StreamEncoderTests.people.snapshot.emptied, try StreamEncoderTests.people.snapshot)
    let causes: [(UpdateCause, String)] = [
      (.changed, "changed"), (.view, "view"), (.rescanned, "rescanned"), (.resumed, "resumed"),
      (.first, "rescanned"),
    ]
    for (cause, word) in causes {
      var encoder = StreamEncoder()
      let update = ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files, cause: cause)
      let line = StreamEncoderTests.text(encoder.update(update, time: StreamEncoderTests.time))
      #expect(line.contains(#""origin":"files","cause":"\#(word)","count":4"#), "\(cause)")
    }
  }

  @Test func `a failed attempt keeps the number for the next one and never its token`() throws {
    var encoder = StreamEncoder()
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)])]) }
    _ = encoder.pieces(of: try lists[0].snapshot)
    let update = try lists[0].update(to: lists[1])
    var attempts: [StreamPosition] = []
    for _ in 0..<3 {
      var attempt = encoder
      _ = attempt.update(update, time: StreamEncoderTests.time)
      attempts.append(attempt.position)
    }
    #expect(attempts.map(\.seq) == [2, 2, 2])
    #expect(Set(attempts.map(\.token)).count == 3)
  }

  @Test func `a problem is raised with line and column and cleared by its path`() {
    let problem = Problem(
      path: RelativePath(bytes: "e\n%.yaml".utf8), line: 3, column: 7, message: "No “x” here.\u{9B}")
    #expect(
      StreamEncoderTests.text(StreamEncoder.problem(.raised(problem)))
        == #"{"v":1,"type":"problem","state":"raised","path":"e%0A%25.yaml","line":3,"column":7,"message":"No “x” here.\u009b"}"#
        + "\n")
    #expect(
      StreamEncoderTests.text(StreamEncoder.problem(.cleared(problem)))
        == #"{"v":1,"type":"problem","state":"cleared","path":"e%0A%25.yaml"}"# + "\n")
  }

  @Test func `a small snapshot is one line`() throws {
    var encoder = StreamEncoder()
    var lines: [String] = []
    encoder.pieces(of: try StreamEncoderTests.people.snapshot).forEach {
      lines.append(StreamEncoderTests.line($1))
    }
    #expect(
      lines == [
        #"{"v":1,"type":"snapshot","seq":1,"token":"~1","count":4,"sections":[{"id":"friends","items":["#
          + #"{"id":"ada","path":"ada.yaml","value":{"group":"friends","rating":9}},{"id":"fay","path":"fay.yaml","value":{"group":"friends"}}]},"#
          + #"{"id":"work","items":[{"id":"bob","path":"bob.yaml","value":{"group":"work"}},{"id":"dan","path":"dan.yaml","value":{"group":"work","rating":8}}]}]}"#
          + "\n"
      ])
  }

  @Test func `an empty list has its sections`() throws {
    var lines: [String] = []
    for request in [
      FetchRequest(), .sectioned(by: "group"),
      .sectioned(by: "group", order: ["a", "b"], titles: ["b": "Bee"]),
    ] {
      var encoder = StreamEncoder()
      encoder.pieces(of: try SampleList([], request: request).snapshot).forEach {
        lines.append(StreamEncoderTests.line($1))
      }
    }
    let start = #"{"v":1,"type":"snapshot","seq":1,"token":"~1","count":0,"sections":"#
    #expect(
      lines == [
        start + #"[{"id":"","items":[]}]}"# + "\n", start + "[]}\n",
        start + #"[{"id":"a","items":[]},{"id":"b","title":"Bee","items":[]}]}"# + "\n",
      ])
  }

  @Test func `a large snapshot is split into parts, and the last one is marked`() throws {
    var encoder = StreamEncoder(itemsPerLine: 3)
    var lines: [String] = []
    encoder.pieces(of: try StreamEncoderTests.people.snapshot).forEach {
      lines.append(StreamEncoderTests.line($1))
    }
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(#"{"v":1,"type":"snapshot","part":1,"sections":[{"id":"friends","#) == true)
    #expect(lines.first?.contains(#""id":"bob""#) == true)
    #expect(lines.first?.contains("seq") == false)
    #expect(
      lines.last
        == #"{"v":1,"type":"snapshot","part":2,"seq":1,"token":"~1","count":4,"last":true,"sections":[{"id":"work","items":[{"id":"dan","path":"dan.yaml","value":{"group":"work","rating":8}}]}]}"#
        + "\n")
  }

  /// The example of the stream's specification.
  @Test func `an update lists sections, then deletes, inserts and moves, then updates`() throws {
    let new = SampleList(
      [
        .sample("cleo", ["group": .string("family")], ext: "json"),
        .sample("ada", ["group": .string("family"), "rating": .int(9)]),
        .sample("fay", ["group": .string("friends")]),
        .sample("dan", ["group": .string("work"), "rating": .int(9)]),
      ], request: .sectioned(by: "group"))
    #expect(
      try StreamEncoderTests.update(from: StreamEncoderTests.people, to: new)
        == #"{"v":1,"type":"update","seq":2,"since":"~1","token":"~2","time":"2026-11-20T22:31:07.120Z","origin":"files","cause":"changed","count":4,"#
        + #""sections":[{"op":"insert","id":"family","to":0}],"changes":["#
        + #"{"op":"delete","id":"bob","from":{"section":"work","index":0},"reason":"removed"},"#
        + #"{"op":"insert","id":"cleo","to":{"section":"family","index":0},"path":"cleo.json","value":{"group":"family"}},"#
        + #"{"op":"move","id":"ada","from":{"section":"friends","index":0},"to":{"section":"family","index":1},"path":"ada.yaml","#
        + #""fields":["/group"],"value":{"group":"family","rating":9},"before":{"group":"friends"}},"#
        + #"{"op":"update","id":"dan","from":{"section":"work","index":1},"to":{"section":"work","index":0},"path":"dan.yaml","#
        + #""fields":["/rating"],"value":{"group":"work","rating":9},"before":{"rating":8}}]}"# + "\n")
  }

  @Test func `a pure move has no fields, value or before`() throws {
    let items: [Item] = [.sample("a", ["n": .int(1)]), .sample("b", ["n": .int(2)])]
    let line = try StreamEncoderTests.update(
      from: SampleList(items), to: SampleList(items.reversed()), origin: .view)
    #expect(line.contains(#""origin":"view","cause":"view","count":2,"changes":[{"op":"move","id":""#))
    for key in ["fields", "value", "before", "sections"] { #expect(!line.contains("\"\(key)\":")) }
  }

  @Test func `an update contains only the shown fields`() throws {
    let request = FetchRequest.showing("n", "sub.x", "@name")
    let sub: (Int) -> Value = { .map(["x": .int($0), "y": .int($0)]) }
    let old = SampleList([.sample("a", ["n": .int(1), "m": .int(1), "sub": sub(1)])], request: request)
    let new = SampleList([.sample("a", ["m": .int(2), "sub": sub(2)])], request: request)
    #expect(
      try StreamEncoderTests.update(from: old, to: new).hasSuffix(
        #""path":"a.yaml","fields":["/sub/x","/n"],"value":{"sub":{"x":2},"@name":"a"},"before":{"sub":{"x":1},"n":1}}]}"#
          + "\n"))
  }

  @Test func `sections are inserted, deleted, moved and renamed`() throws {
    let items: [Item] = ["x", "y", "z"].map { .sample($0, ["g": .string($0)]) }
    let line = try StreamEncoderTests.update(
      from: SampleList(items, request: .sectioned(by: "g", order: ["x", "y", "z"], titles: ["y": "Why"])),
      to: SampleList(
        items,
        request: .sectioned(by: "g", order: ["z", "x", "y", "new"], titles: ["y": "Yes", "new": "New"])))
    #expect(
      line.contains(
        #""sections":[{"op":"move","id":"z","from":2,"to":0},{"op":"insert","id":"new","to":3,"title":"New"},{"op":"update","id":"y","from":1,"to":2,"title":"Yes"}],"changes":[]}"#
      ), "\(line)")
    let untitled = try StreamEncoderTests.update(
      from: SampleList(items, request: .sectioned(by: "g", titles: ["y": "Why"])),
      to: SampleList(items, request: .sectioned(by: "g")))
    #expect(
      untitled.hasSuffix(
        #""sections":[{"op":"update","id":"y","from":1,"to":1,"title":null}],"changes":[]}"# + "\n"),
      "\(untitled)")
    let gone = try StreamEncoderTests.update(
      from: SampleList([], request: .sectioned(by: "g", order: ["x", "y"])),
      to: SampleList([], request: .sectioned(by: "g", order: ["y"])))
    #expect(gone.hasSuffix(#""count":0,"sections":[{"op":"delete","id":"x","from":0}],"changes":[]}"# + "\n"))
  }

  @Test func `an item that only left the view is deleted as filtered`() throws {
    let old = try StreamEncoderTests.people.snapshot
    var fewer = StreamEncoderTests.people
    fewer.items.removeLast()
    let new = ListSnapshot<Item>(
      request: old.request, list: try fewer.snapshot.list, items: old.items, problems: [:])
    var encoder = StreamEncoder()
    let line = encoder.update(
      ListUpdate<Item>(from: old, to: new, touched: nil, origin: .view), time: StreamEncoderTests.time)
    #expect(
      StreamEncoderTests.text(line).hasSuffix(
        #""count":3,"changes":[{"op":"delete","id":"dan","from":{"section":"work","index":1},"reason":"filtered"}]}"#
          + "\n"))
  }

  @Test func `seq increases by one, since is the last token, and streams share no tokens`() throws {
    var encoder = StreamEncoder()
    let lists = [1, 2, 3].map { SampleList([.sample("a", ["n": .int($0)])]) }
    var lines: [[UInt8]] = []
    encoder.pieces(of: try lists[0].snapshot).forEach { lines.append($1) }
    for (old, new) in zip(lists, lists.dropFirst()) {
      lines.append(encoder.update(try old.update(to: new), time: StreamEncoderTests.time))
    }
    let objects = try lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
    #expect(objects.map { $0["seq"] as? Int } == [1, 2, 3])
    let tokens = objects.map { $0["token"] as? String }
    #expect(Set(tokens.compactMap { $0 }).count == 3)
    #expect(objects.map { $0["since"] as? String } == [nil, tokens[0], tokens[1]])
    // A repeated snapshot is the same step.
    var again: [String] = []
    encoder.pieces(of: try lists[2].snapshot).forEach { again.append(StreamEncoderTests.text($1)) }
    #expect(again.first?.contains(#""seq":3,"token":"\#(tokens[2] ?? "")""#) == true)
    var other = StreamEncoder()
    other.pieces(of: try lists[0].snapshot).forEach { again.append(StreamEncoderTests.text($1)) }
    #expect(again.last?.contains(tokens[0] ?? "") == false)
  }

  @Test func `every line is one line of valid JSON without control characters`() throws {
    let hostile = "a\u{0}\n\r\u{1B}[31m\u{7F}\u{85}\u{9B}\u{2028}\u{202E}\u{2066}\"\\\u{1F600}e\u{301}"
    let item = Item.sample("evil", ["text": .string(hostile), hostile: .int(1)])
    let new = Item.sample("evil", ["text": .string(hostile + "!"), hostile: .int(2)])
    var encoder = StreamEncoder()
    var lines: [[UInt8]] = []
    encoder.pieces(of: try SampleList([item]).snapshot).forEach { lines.append($1) }
    lines.append(
      encoder.update(try SampleList([item]).update(to: SampleList([new])), time: StreamEncoderTests.time))
    lines.append(StreamEncoder.hello(root: hostile, view: [hostile: .string(hostile)]))
    lines.append(
      StreamEncoder.problem(.raised(Problem(path: RelativePath(bytes: hostile.utf8), message: hostile))))
    for line in lines {
      #expect(line.last == UInt8(ascii: "\n"))
      #expect(line.dropLast().filter { $0 < 0x20 || $0 == 0x7F } == [])
      #expect(TerminalSafety.offenders(in: StreamEncoderTests.text(line)) == [])
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line)) }
    }
    let update = try #require(JSONSerialization.jsonObject(with: Data(lines[1])) as? [String: Any])
    let change = try #require((update["changes"] as? [[String: Any]])?.first)
    #expect((change["value"] as? [String: Any])?["text"] as? String == hostile + "!")
  }
}
