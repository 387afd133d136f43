import SampleLists
import Files
import Store
import TestSupport
import Testing
import Values

@testable import Printing
@testable import Streams

/// The record of an output for people, and the sentences about positions that are gone.
struct RecordedDeliveryTests {
  private struct Closed: Error {}

  @Test func `an event is recorded, written and acknowledged, in this order`() throws {
    let log = MemoryLog()
    var positions = StreamPositions(tokens: TokenSource(hasDigests: true))
    let lists = (0..<3).map { SampleList([.sample("a", ["n": .int($0)])]) }
    try positions.deliver(.snapshot(lists[0].snapshot), recordedIn: log) { #expect(log.calls == ["begin 1"]) }
    try positions.deliver(.step(update: lists[0].update(to: lists[1]), problems: []), recordedIn: log) {
      #expect(log.calls.last == "offer 2")
    }
    try positions.deliver(.step(update: nil, problems: []), recordedIn: log) {}
    #expect(throws: Closed.self) {
      try positions.deliver(.step(update: lists[1].update(to: lists[2]), problems: []), recordedIn: log) {
        throw Closed()
      }
    }
    #expect(log.calls == ["begin 1", "ack 1", "offer 2", "ack 2", "offer 3"])
    #expect(log.violations == [])
  }

  @Test func `a failure to resume names the token or the state, and the reason`() {
    #expect(
      ResumeFailure(.unknownToken, token: "abc.1").description
        == "Cannot resume from token abc.1; sending the complete list.")
    #expect(
      ResumeFailure(.viewMismatch, state: "site").description
        == "Cannot resume from the state `site`: it belongs to a view with other options; sending the complete list."
    )
    #expect(
      ResumeFailure(.newerVersion, token: "n2.x", state: "site").description
        == "Cannot resume from token n2.x: a newer version of notes-watch wrote it; sending the complete list."
    )
    #expect(ResumeFailure(.damaged, state: "site").reason == .damaged)
  }

  private final class Text: ByteOutput {
    private(set) var text = ""
    func write(_ bytes: [UInt8]) throws { text += String(decoding: bytes, as: UTF8.self) }
  }

  private static func text(followsChanges: Bool, _ event: ListEvent?, _ list: ListSnapshot<Item>) throws
    -> String
  {
    var output = Text()
    let options = TextOptions(width: nil, usesColor: false, isTerminal: false)
    let writer = EventWriter(root: "contacts", options: options, followsChanges: followsChanges) {
      Timestamp(seconds: 0, nanoseconds: 0)
    }
    try writer.resume(event, list: list).write(to: &output)
    return output.text
  }

  @Test func `text that resumes shows what changed since the last run`() throws {
    let lists = [1, 2].map { SampleList([.sample("a", ["n": .int($0)])]) }
    let event = ListEvent.step(update: try lists[0].update(to: lists[1]), problems: [])
    let live = try RecordedDeliveryTests.text(followsChanges: true, event, lists[1].snapshot)
    #expect(live.hasPrefix("1970-01-01T00:00:00.000Z  since the last run  1 updated · 1 item\n"), "\(live)")
    #expect(live.hasSuffix("n: 1 → 2\nWatching contacts…\n"), "\(live)")
    let once = try RecordedDeliveryTests.text(followsChanges: false, event, lists[1].snapshot)
    #expect(once.hasSuffix("n: 1 → 2\n"), "\(once)")
  }

  @Test func `text that resumes says that nothing changed`() throws {
    let list = try SampleList([.sample("a", [:])]).snapshot
    #expect(
      try RecordedDeliveryTests.text(followsChanges: true, nil, list)
        == "Nothing changed since the last run · 1 item. Watching contacts…\n")
    #expect(try RecordedDeliveryTests.text(followsChanges: false, nil, list) == "")
  }
}
