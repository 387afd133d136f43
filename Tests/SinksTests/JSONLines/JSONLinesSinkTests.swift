import Files
import PlainStore
import Testing
import Values

@testable import Sinks

struct JSONLinesSinkTests {
  /// Records each write separately.
  private final class Writes: ByteOutput {
    private(set) var texts: [String] = []

    func write(_ bytes: [UInt8]) throws { texts.append(String(decoding: bytes, as: UTF8.self)) }

    /// The start of each write, up to its type.
    var types: [String] { texts.map { String($0.prefix { $0 != "," }) + String($0.split(separator: ",")[1]) } }
  }

  private static func sink(_ writes: Writes, itemsPerLine: Int = 1_000) -> JSONLinesSink<Writes> {
    JSONLinesSink(writes, itemsPerLine: itemsPerLine) { Timestamp(seconds: 0, nanoseconds: 0) }
  }

  @Test func `each line is one write, and problems follow their snapshot or update`() throws {
    let writes = Writes()
    var sink = JSONLinesSinkTests.sink(writes, itemsPerLine: 1)
    let problem = Problem(path: RelativePath(bytes: "x.md".utf8), message: "No.")
    let old = SampleList([.sample("a", [:]), .sample("b", [:])], problems: [problem])
    let new = SampleList([.sample("a", [:])])
    try sink.begin(root: "r", view: [:])
    try sink.receive(.snapshot(old.snapshot))
    try sink.receive(.step(update: old.update(to: new), problems: [.cleared(problem)]))
    try sink.receive(.step(update: nil, problems: [.raised(problem)]))
    try sink.report(code: "gone", message: "Gone.")
    let kinds = ["hello", "snapshot", "snapshot", "problem", "update", "problem", "problem", "error"]
    #expect(writes.types == kinds.map { "{\"v\":1\"type\":\"\($0)\"" })
    for text in writes.texts { #expect(text.firstIndex(of: "\n") == text.index(before: text.endIndex), "\(text)") }
    #expect(writes.texts[4].contains(#""time":"1970-01-01T00:00:00.000Z""#))
    #expect(writes.texts[5].contains("cleared"))
    #expect(writes.texts[6].contains("raised"))
  }

  private struct ClosedPipe: Error {}

  private struct Closed: ByteOutput {
    mutating func write(_ bytes: [UInt8]) throws { throw ClosedPipe() }
  }

  @Test func `an error of the output ends the sink's run`() throws {
    var sink = JSONLinesSink(Closed()) { Timestamp(seconds: 0, nanoseconds: 0) }
    #expect(throws: ClosedPipe.self) { try sink.begin(root: "r", view: [:]) }
    let snapshot = try SampleList([]).snapshot
    #expect(throws: ClosedPipe.self) { try sink.receive(.snapshot(snapshot)) }
  }
}
