import SampleLists
import Files
import Foundation
import Store
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

/// A stream with a log: what is recorded when, and how a reader resumes.
struct RecordedStreamTests {
  private struct Stopped: Error {}

  /// Records each write with the calls of the log so far, and fails at a chosen write.
  private final class Writes: ByteOutput {
    private(set) var lines: [[UInt8]] = []
    private(set) var callsBefore: [[String]] = []
    private let log: MemoryLog
    var limit = Int.max

    init(_ log: MemoryLog) { self.log = log }

    func write(_ bytes: [UInt8]) throws {
      if lines.count == limit { throw Stopped() }
      callsBefore.append(log.calls)
      lines.append(bytes)
      if let token = token(of: bytes) {
        #expect(log.tokens.contains(token), "A reader sees an unrecorded token.")
      }
    }

    func token(of line: [UInt8]) -> String? {
      ((try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any])?["token"] as? String
    }

    var types: [String] {
      lines.map {
        ((try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any])?["type"] as? String ?? "?"
      }
    }
  }

  private static func list(_ numbers: Int...) -> SampleList {
    SampleList(numbers.enumerated().map { .sample("i\($0.offset)", ["n": .int($0.element)]) })
  }

  /// A writer that writes the lines of each call.
  private struct Stream {
    var writer: StreamWriter
    var writes: Writes

    init(
      _ writes: Writes, _ log: MemoryLog,
      after start: (position: StreamPosition, list: ListSnapshot<Item>)? = nil,
      readerAcknowledges: Bool = false
    ) {
      writer = StreamWriter(
        start.map { .resumed($0.list, $0.position) } ?? .new, root: "r",
        tokens: TokenSource(hasDigests: true), log: log,
        readerAcknowledges: readerAcknowledges, itemsPerLine: 1
      ) { Timestamp(seconds: 0, nanoseconds: 0) }
      self.writes = writes
    }

    mutating func begin(_ event: ListEvent?) throws {
      writer.begin(view: [:], event)
      try writer.write(to: &writes)
    }

    mutating func receive(_ event: ListEvent) throws {
      writer.add(event)
      try writer.write(to: &writes)
    }
  }

  @Test func `a position is recorded before its line is written and acknowledged after it`() throws {
    let log = MemoryLog()
    let writes = Writes(log)
    var sink = Stream(writes, log)
    let (old, new) = (RecordedStreamTests.list(1, 2), RecordedStreamTests.list(1, 3))
    try sink.begin(.snapshot(old.snapshot))
    try sink.receive(.step(update: old.update(to: new), problems: []))
    sink.writer.addBookmark()
    try sink.writer.write(to: &sink.writes)
    #expect(writes.types == ["hello", "snapshot", "snapshot", "update", "bookmark"])
    #expect(log.calls == ["begin 1", "ack 1", "offer 2", "ack 2", "offer 2", "ack 2"])
    // The parts before the last one have no token.
    #expect(writes.callsBefore.map(\.last) == [nil, nil, "begin 1", "offer 2", "offer 2"])
    #expect(log.violations == [])
  }

  @Test func `a line that was not written is not acknowledged`() throws {
    let log = MemoryLog()
    let writes = Writes(log)
    var sink = Stream(writes, log)
    let (old, new) = (RecordedStreamTests.list(1), RecordedStreamTests.list(2))
    try sink.begin(.snapshot(old.snapshot))
    writes.limit = writes.lines.count
    #expect(throws: Stopped.self) { try sink.receive(.step(update: old.update(to: new), problems: [])) }
    #expect(log.acknowledged?.position.seq == 1)
  }

  @Test func `after the first acknowledgement of the reader, only its own count`() throws {
    let log = MemoryLog()
    let writes = Writes(log)
    var sink = Stream(writes, log)
    let lists = (0..<4).map { RecordedStreamTests.list($0) }
    try sink.begin(.snapshot(lists[0].snapshot))
    let first = try #require(writes.lines.last.flatMap(writes.token))
    let isKnown = sink.writer.acknowledge(first)
    #expect(isKnown)
    try sink.receive(.step(update: lists[0].update(to: lists[1]), problems: []))
    let second = try #require(writes.lines.last.flatMap(writes.token))
    try sink.receive(.step(update: lists[1].update(to: lists[2]), problems: []))
    #expect(log.acknowledged?.position.seq == 1)
    let answers = [sink.writer.acknowledge("n1.a.1.1.-.-.-"), sink.writer.acknowledge(second)]
    #expect(answers == [false, true])
    #expect(log.acknowledged?.position.seq == 2)
    #expect(log.calls.count { $0 == "require acks" } == 1)
    #expect(log.violations == [])
  }

  @Test func `a reader that acknowledged in an earlier run acknowledges from the start`() throws {
    let log = MemoryLog()
    let (old, new) = (RecordedStreamTests.list(1, 2), RecordedStreamTests.list(1, 3))
    let start = StreamPosition(seq: 6, token: "n1.a.1.6.-.-.-")
    log.begin(try old.snapshot, at: start, isAcknowledged: true)
    var sink = Stream(Writes(log), log, after: (start, try old.snapshot), readerAcknowledges: true)
    let update = ListUpdate<Item>(
      from: try old.snapshot, to: try new.snapshot, touched: nil, origin: .files, cause: .resumed)
    try sink.begin(.step(update: update, problems: []))
    #expect(log.calls.last == "offer 7")
    #expect(log.acknowledged?.position.seq == 6)
  }

  @Test func `without a log a stream accepts its own tokens and no others`() throws {
    let tokens = TokenSource()
    let own = tokens.next(seq: 1)
    var writer = StreamWriter(.new, root: "r", tokens: tokens) { Timestamp(seconds: 0, nanoseconds: 0) }
    let answers = [writer.acknowledge(own), writer.acknowledge("abc")]
    #expect(answers == [true, false])
  }

  @Test func `a resumed stream begins with the position, then the update, then the problems`() throws {
    let log = MemoryLog()
    let (old, new) = (RecordedStreamTests.list(1, 2), RecordedStreamTests.list(1, 3))
    let start = StreamPosition(seq: 6, token: "n1.a.1.6.-.-.-")
    log.begin(try old.snapshot, at: start, isAcknowledged: false)
    _ = log.acknowledge(start.token)
    let writes = Writes(log)
    var sink = Stream(writes, log, after: (start, try old.snapshot))
    let problem = Problem(path: RelativePath(bytes: "x.md".utf8), message: "No.")
    let update = ListUpdate<Item>(
      from: try old.snapshot, to: try new.snapshot, touched: nil, origin: .files, cause: .resumed)
    try sink.begin(.step(update: update, problems: [.raised(problem)]))
    #expect(writes.types == ["hello", "update", "problem"])
    let text = writes.lines.map { String(decoding: $0, as: UTF8.self) }
    #expect(text[0].hasSuffix(#""since":"n1.a.1.6.-.-.-","seq":6}"# + "\n"))
    #expect(text[1].contains(#""seq":7,"since":"n1.a.1.6.-.-.-","token":"n1."#))
    #expect(text[1].contains(#""cause":"resumed""#))
    #expect(log.calls.suffix(2) == ["offer 7", "ack 7"])
    #expect(log.violations == [])
  }

  @Test func `a resumed stream without changes has a bookmark with the same token`() throws {
    let list = RecordedStreamTests.list(1, 2)
    let start = StreamPosition(seq: 6, token: "n1.a.1.6.-.-.-")
    let problem = Problem(path: RelativePath(bytes: "x.md".utf8), message: "No.")
    for event in [nil, ListEvent.step(update: nil, problems: [.raised(problem)])] {
      let log = MemoryLog()
      log.begin(try list.snapshot, at: start, isAcknowledged: false)
      let writes = Writes(log)
      var sink = Stream(writes, log, after: (start, try list.snapshot))
      try sink.begin(event)
      #expect(writes.types == ["hello", "bookmark"] + (event == nil ? [] : ["problem"]))
      #expect(
        String(decoding: writes.lines[1], as: UTF8.self)
          == #"{"v":1,"type":"bookmark","seq":6,"token":"n1.a.1.6.-.-.-"}"# + "\n")
      #expect(log.calls == ["begin 6"])
    }
  }

  /// A reader is stopped at random writes and resumes, many times, while the list changes. What it
  /// folds must always be the list, and a line is repeated at most once per stop.
  @Test(arguments: Randomness.seeds(20))
  func `a reader that is stopped at any write loses nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let log = MemoryLog()
    var numbers = (0..<4).map { _ in random.below(3) }
    var start: (position: StreamPosition, list: ListSnapshot<Item>)?
    var known = RecordedStreamTests.list(numbers[0], numbers[1], numbers[2], numbers[3])
    for _ in 0..<30 {
      let writes = Writes(log)
      writes.limit = 1 + random.below(8)
      var sink = Stream(writes, log, after: start)
      do {
        let now = try known.snapshot
        if let start {
          let update = ListUpdate<Item>(
            from: start.list, to: now, touched: nil, origin: .files, cause: .resumed)
          try sink.begin(update.diff.isEmpty ? nil : .step(update: update, problems: []))
        } else {
          try sink.begin(.snapshot(now))
        }
        while true {
          let old = known
          numbers[random.below(4)] = random.below(3)
          known = RecordedStreamTests.list(numbers[0], numbers[1], numbers[2], numbers[3])
          let update = try old.update(to: known)
          if !update.diff.isEmpty { try sink.receive(.step(update: update, problems: [])) }
        }
      } catch is Stopped {
        start = log.acknowledged
        // The reader has at least what was acknowledged, and at most one line more.
        let last = writes.lines.compactMap(writes.token).last
        if let start, let last {
          let isNewest = start.position.token == last || writes.lines.count == 1
          #expect(isNewest, "\(seedNote(seed))")
        }
      }
      #expect(log.violations == [], "\(seedNote(seed))")
    }
  }
}
