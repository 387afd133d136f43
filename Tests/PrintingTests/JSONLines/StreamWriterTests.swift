import SampleLists
import Files
import Store
import Testing
import TextEdits
import Values
import Watch

@testable import Printing
@testable import Streams

struct StreamWriterTests {
  /// Records each write separately.
  private final class Writes: ByteOutput {
    private(set) var texts: [String] = []

    func write(_ bytes: [UInt8]) throws { texts.append(String(decoding: bytes, as: UTF8.self)) }

    /// The start of each write, up to its type.
    var types: [String] {
      texts.map { String($0.prefix { $0 != "," }) + String($0.split(separator: ",")[1]) }
    }
  }

  private static func writer(_ start: StreamStart = .new, itemsPerLine: Int = 1_000) -> StreamWriter {
    StreamWriter(start, root: "r", itemsPerLine: itemsPerLine) { Timestamp(seconds: 0, nanoseconds: 0) }
  }

  @Test func `each line is one write, and problems follow their snapshot or update`() throws {
    var writes = Writes()
    var writer = StreamWriterTests.writer(itemsPerLine: 1)
    let problem = Problem(path: RelativePath(bytes: "x.md".utf8), message: "No.")
    let old = SampleList([.sample("a", [:]), .sample("b", [:])], problems: [problem])
    let new = SampleList([.sample("a", [:])])
    writer.begin(view: [:], .snapshot(try old.snapshot))
    writer.add(.step(update: try old.update(to: new), problems: [.cleared(problem)]))
    writer.add(.step(update: nil, problems: [.raised(problem)]))
    writer.addBookmark()
    try writer.write(to: &writes)
    let kinds = ["hello", "snapshot", "snapshot", "problem", "update", "problem", "problem", "bookmark"]
    #expect(writes.types == kinds.map { "{\"v\":1\"type\":\"\($0)\"" })
    for text in writes.texts {
      #expect(text.firstIndex(of: "\n") == text.index(before: text.endIndex), "\(text)")
    }
    #expect(writes.texts[4].contains(#""time":"1970-01-01T00:00:00.000Z""#))
    #expect(writes.texts[5].contains("cleared"))
    #expect(writes.texts[6].contains("raised"))
  }

  @Test func `an output that pulls gets the same lines, each token with its line`() throws {
    let (old, new) = (SampleList([.sample("a", [:]), .sample("b", [:])]), SampleList([.sample("a", [:])]))
    var writer = StreamWriterTests.writer(itemsPerLine: 1)
    writer.begin(view: [:], .snapshot(try old.snapshot))
    let first = writer.position.token
    writer.add(.step(update: try old.update(to: new), problems: []))
    var pushed = Writes()
    var copy = writer
    try copy.write(to: &pushed)
    var pulled: [String] = []
    var tokens: [String?] = []
    while let line = writer.lines.next() {
      pulled.append(String(decoding: (0..<line.pieces.count).flatMap { line.pieces[$0] }, as: UTF8.self))
      tokens.append(line.token)
    }
    #expect(pulled == pushed.texts)
    #expect(tokens == [nil, nil, first, writer.position.token])
  }

  @Test func `a reader whose position is gone gets an error line before the list`() throws {
    var writer = StreamWriterTests.writer(.gone(ResumeFailure(.damaged, state: "s")))
    var writes = Writes()
    writer.begin(view: [:], .snapshot(try SampleList([]).snapshot))
    try writer.write(to: &writes)
    #expect(writes.types == ["hello", "error", "snapshot"].map { "{\"v\":1\"type\":\"\($0)\"" })
    #expect(
      writes.texts[1].contains(
        #""code":"gone","why":"damaged","message":"Cannot resume from the state `s`: "#))
  }

  @Test func `a new output begins with the list that the last one has, at the same position`() throws {
    let (old, new) = (SampleList([.sample("a", [:])]), SampleList([.sample("b", [:])]))
    var writer = StreamWriterTests.writer()
    var first = Writes()
    writer.begin(view: [:], .snapshot(try old.snapshot))
    writer.add(.step(update: try old.update(to: new), problems: []))
    try writer.write(to: &first)
    let position = writer.position
    var second = Writes()
    writer.repeatStart(view: [:], [Problem(path: RelativePath(bytes: "x.md".utf8), message: "No.")])
    try writer.write(to: &second)
    #expect(writer.position == position)
    #expect(second.texts[0] == first.texts[0])
    #expect(
      second.texts[1].hasPrefix(#"{"v":1,"type":"snapshot","seq":2,"token":"\#(position.token)","count":1,"#))
    #expect(second.texts[2].contains("raised"))
  }

  private struct ClosedPipe: Error {}

  private struct Closed: ByteOutput {
    mutating func write(_ bytes: [UInt8]) throws { throw ClosedPipe() }
  }

  @Test func `an error of the output ends the writing`() throws {
    var writer = StreamWriterTests.writer()
    var output = Closed()
    writer.begin(view: [:], nil)
    #expect(throws: ClosedPipe.self) { try writer.write(to: &output) }
  }
}
