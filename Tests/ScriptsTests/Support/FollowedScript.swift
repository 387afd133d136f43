import Glibc
import Store
import TestSupport
import Values

@testable import Files
@testable import Scripts
@testable import Streams

/// A shell script that follows the list of a temporary folder.
///
/// The script runs in a folder of its own, where it may write what it sees. `$0` is the folder with
/// the items.
final class FollowedScript: Sendable {
  let items: TemporaryFolder
  let work: TemporaryFolder
  let results: LiveList<Item>
  let log = SpyLog()
  let sink: CommandSink
  private let reported = Shared<[String]>([])
  private let following = Shared<Task<CommandSink.End, Never>?>(nil)

  init(
    _ script: String, files: [String: String] = ["a.yaml": "k: 1\n"], isFromNothing: Bool = false,
    _ configure: (inout CommandSettings) -> Void = { _ in }
  ) throws {
    items = try TemporaryFolder(files)
    work = try TemporaryFolder()
    var options = CommandSettings()
    configure(&options)
    let store = try ItemStore(at: items.path, watching: true)
    results = store.list(FetchRequest())
    let launch = CommandLaunch(
      ["/bin/sh", "-c", "cd \(work.path) || exit 99; \(script)", items.path], output: .standardError)
    let reported = reported
    var sink = CommandSink(
      launch, options, root: items.path, clock: { Timestamp(seconds: 0, nanoseconds: 0) }
    ) { message in
      reported.withLock { $0.append(message) }
    }
    // Other tests in this process have children, too.
    sink.runner = CommandRunner(launch, ProcessGroups(ShellRuns.childProcesses))
    self.sink = sink
    follow(isFromNothing: isFromNothing)
  }

  private func follow(isFromNothing: Bool) {
    let start = ScriptStart(.new, of: results, runsInitially: isFromNothing, log: log)
    let task = Task(executorPreference: QueueExecutor("script")) { [sink] in await sink.follow(start) }
    following.withLock { $0 = task }
  }

  deinit { following.withLock { $0?.cancel() } }

  var messages: [String] { reported.withLock { $0 } }

  /// Cancels the task, and returns after everything ended.
  func cancel() async -> CommandSink.End? {
    following.withLock { $0 }?.cancel()
    return await end()
  }

  /// Waits for the end.
  func end() async -> CommandSink.End? { await following.withLock { $0 }?.value }

  /// Replaces a file as an editor does.
  func write(_ text: String, to name: String) throws {
    try items.write(text, to: ".new")
    guard rename("\(items.path)/.new", "\(items.path)/\(name)") == 0 else {
      throw CocoaLikeError(code: errno)
    }
  }

  private struct CocoaLikeError: Error {
    let code: CInt
  }

  /// Returns the field `k` of an item in the list.
  func value(of id: Item.ID) -> Value? { results.snapshot.item(id)?.value(at: "k") }

  /// The text of a file that the script wrote; empty if there is none.
  func text(_ name: String) -> String {
    (try? work.bytes(of: name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The lines of a file that the script wrote.
  func lines(_ name: String) -> [String] { text(name).split(separator: "\n").map(String.init) }
}

/// A log of positions in memory. It folds what is acknowledged.
final class SpyLog: DeliveryLog {
  struct Contents {
    /// What was called, in order: `begin 1`, `offer 2`, `ack 2`.
    var calls: [String] = []
    var list: FoldedList?
    var begun: (list: ListSnapshot<Item>, position: StreamPosition)?
    /// The update that was offered last.
    var offered: (update: ListUpdate<Item>, position: StreamPosition)?
    var tokens: Set<String> = []
    var mistakes: [String] = []
  }

  private let contents = Shared(Contents())

  var calls: [String] { contents.withLock { $0.calls } }
  var list: FoldedList? { contents.withLock { $0.list } }
  /// Calls that no log can serve.
  var mistakes: [String] { contents.withLock { $0.mistakes } }

  func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool) {
    contents.withLock { contents in
      contents.calls.append("begin \(position.seq)")
      contents.begun = (list, position)
      contents.tokens.insert(position.token)
    }
    if isAcknowledged { _ = acknowledge(position.token) }
  }

  func offer(_ update: ListUpdate<Item>, at position: StreamPosition) {
    contents.withLock { contents in
      contents.calls.append("offer \(position.seq)")
      contents.offered = (update, position)
      if !contents.tokens.insert(position.token).inserted {
        contents.mistakes.append("token \(position.token) is used twice")
      }
      if contents.list != FoldedList(update.old) {
        contents.mistakes.append("update \(position.seq) is not from the acknowledged list")
      }
    }
  }

  var isRecorded: Bool { true }

  func requireAcknowledgements() {
    contents.withLock { $0.mistakes.append("a command has no reader that acknowledges") }
  }

  func takeBack(to token: String, from start: String?) -> Bool { acknowledge(token) }

  func acknowledge(_ token: String) -> Bool {
    contents.withLock { contents in
      if let (list, position) = contents.begun, position.token == token {
        contents.calls.append("ack \(position.seq)")
        contents.list = FoldedList(list)
        return true
      }
      guard let (update, position) = contents.offered, position.token == token else {
        contents.mistakes.append("an unknown token is acknowledged")
        return false
      }
      contents.calls.append("ack \(position.seq)")
      contents.list?.apply(update)
      return true
    }
  }
}
