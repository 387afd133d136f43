import SampleLists
import Store
import TestSupport
import Testing
import Values

@testable import Scripts
@testable import Streams

extension StreamEncoder {
  /// Returns the line of one step.
  fileprivate func line(of update: ListUpdate<Item>) -> [UInt8] {
    var encoder = self
    return encoder.update(update, time: Timestamp(seconds: 0, nanoseconds: 0))
  }
}

/// The standard input and the environment of runs.
struct ScriptInputTests {
  private static let old = SampleList([.sample("a", ["k": .int(1)]), .sample("b", ["k": .int(1)])])
  private static let new = SampleList([.sample("a", ["k": .int(2)]), .sample("new\n%", ["k": .int(1)])])

  private static func input(_ configure: (inout CommandSettings) -> Void) throws -> ScriptInput {
    var options = CommandSettings()
    configure(&options)
    return ScriptInput(
      of: try old.update(to: new), line: Array("line\n".utf8), from: StreamPosition(seq: 4, token: "t4"),
      to: StreamPosition(seq: 5, token: "t5"), root: [0x2F, 0xFF], options: options)
  }

  private static func text(_ configure: (inout CommandSettings) -> Void) throws -> String {
    String(decoding: try input(configure).bytes, as: UTF8.self)
  }

  @Test func `the input is the update, its changes, its ids or nothing`() throws {
    #expect(try ScriptInputTests.text { _ in } == "line\n")
    #expect(try ScriptInputTests.text { $0.input = .update } == "line\n")
    #expect(try ScriptInputTests.text { $0.input = .nothing } == "")
    #expect(try ScriptInputTests.text { $0.input = .ids } == "b\nnew%0A%25\na\n")
    #expect(
      try ScriptInputTests.text {
        $0.input = .ids
        $0.isNullTerminated = true
      } == "b\0new%0A%25\0a\0")
    #expect(
      try ScriptInputTests.text { $0.input = .changes } == """
        {"op":"delete","id":"b","from":{"section":"","index":1},"reason":"removed"}
        {"op":"insert","id":"new%0A%25","to":{"section":"","index":1},"path":"new%0A%25.yaml","value":{"k":1}}
        {"op":"update","id":"a","from":{"section":"","index":0},"to":{"section":"","index":0},"path":"a.yaml","fields":["/k"],"value":{"k":2},"before":{"k":1}}

        """)
  }

  @Test func `what is taken back follows the changes, without places`() throws {
    var pending = PendingChanges(after: try ScriptInputTests.old.snapshot)
    pending.add(try ScriptInputTests.old.update(to: ScriptInputTests.new))
    pending.offer(try #require(pending.update))
    pending.add(
      try ScriptInputTests.new.update(
        to: SampleList([.sample("a", ["k": .int(1)]), .sample("b", ["k": .int(3)])])))
    let update = try #require(pending.update)
    func input(_ input: CommandSettings.Input) -> String {
      var options = CommandSettings()
      options.input = input
      let script = ScriptInput(
        of: update, line: StreamEncoder(at: StreamPosition(seq: 1, token: "t")).line(of: update),
        from: StreamPosition(seq: 4, token: "t4"),
        to: StreamPosition(seq: 5, token: "t5"), root: [0x2F], options: options)
      return String(decoding: script.bytes, as: UTF8.self)
    }
    let before = #""fields":["/k"],"value":{"k":3},"before":{"k":1}}"#
    #expect(
      input(.changes) == """
        {"op":"update","id":"b","from":{"section":"","index":1},"to":{"section":"","index":1},"path":"b.yaml",\(before)
        {"op":"delete","id":"new%0A%25","path":"new%0A%25.yaml","takenBack":true}
        {"op":"update","id":"a","path":"a.yaml","value":{"k":1},"takenBack":true}

        """)
    #expect(input(.ids) == "b\nnew%0A%25\na\n")
    let taken =
      #""takenBack":[{"op":"delete","id":"new%0A%25","path":"new%0A%25.yaml"},{"op":"update","id":"a","path":"a.yaml","value":{"k":1}}]}"#
    #expect(input(.update).hasSuffix("],\(taken)\n"))
  }

  @Test func `with each the default input is the change`() throws {
    #expect(try ScriptInputTests.text { $0.isEach = true } == ScriptInputTests.text { $0.input = .changes })
    #expect(
      try ScriptInputTests.text {
        $0.isEach = true
        $0.input = .update
      } == "line\n")
  }

  @Test func `the environment has the position, and with each the operation and the path`() throws {
    let plain = try ScriptInputTests.input { _ in }.environment
    #expect(
      plain.map(\.name) == ["ROOT", "SEQ", "TOKEN", "SINCE", "COUNT"].map { "NOTES_WATCH_\($0)" })
    #expect(plain[0].value == [0x2F, 0xFF])
    #expect(plain[1...4].map { String(decoding: $0.value, as: UTF8.self) } == ["5", "t5", "t4", "2"])
    let each = try ScriptInputTests.input { $0.isEach = true }.environment.suffix(2)
    #expect(each.map(\.name) == ["NOTES_WATCH_OP", "NOTES_WATCH_PATH"])
    #expect(each.map { String(decoding: $0.value, as: UTF8.self) } == ["delete", "b.yaml"])
  }

  @Test func `messages say what failed, what comes next and what to do`() {
    let failure = RunEnd.exited(3)
    let texts: [(CommandReport, String)] = [
      (
        .failed(failure, item: nil, .nextChange),
        "`./x` failed with exit code 3. Its change will be included in the next run."
      ),
      (
        .failed(failure, item: "`a%1B` (a.yaml)", .retry(after: .seconds(300))),
        "`./x` failed with exit code 3. It failed for the item `a%1B` (a.yaml). Its change will be tried again in 5 min."
      ),
      (.failed(failure, item: nil, .stop), "`./x` failed with exit code 3. The program ends."),
      (
        .failed(.timedOut, item: nil, .parked(failures: 20)),
        "`./x` did not end in time and was stopped. It failed 20 times in a row, so its change is kept after step 7 and not tried again."
          + " Send SIGHUP to continue, or start the program again."
      ),
      (
        .failed(failure, item: nil, .parked(failures: 1)),
        "`./x` failed with exit code 3. It failed once, so its change is kept after step 7 and not tried again."
          + " Send SIGHUP to continue, or start the program again."
      ),
      (
        .splitting(failure, changes: 8),
        "`./x` failed with exit code 3. Its 8 changes are now tried in halves."
      ),
      (
        .broken(failure, tries: 5, .retry(after: .seconds(1.04))),
        "`./x` failed with exit code 3. It failed for each of 5 single changes, so the command itself seems to be broken."
          + " Its change will be tried again in 1 s."
      ),
      (.continued, "`./x` continues after step 7."),
      (
        .looping(runs: 20, ["a.yaml", "b.yaml"]),
        "`./x` seems to run because of its own changes: 20 runs in a row were caused by changes (a.yaml, b.yaml) made during the run before."
          + " It is slowed down. Let the command write outside of the folder, or only what differs."
      ),
      (
        .gitTooLong(.cherryPick, .seconds(600)),
        "A cherry-pick has been in progress for 10 min. `./x` runs now."
      ),
    ]
    for (report, text) in texts { #expect(report.message(about: "./x", seq: 7) == text) }
  }

  @Test func `durations are short and rounded`() {
    let texts = [Duration.milliseconds(250), .seconds(0.96), .seconds(63.6), .seconds(119), .seconds(3600)]
      .map(CommandReport.text)
    #expect(texts == ["250 ms", "1 s", "64 s", "119 s", "60 min"])
  }
}
