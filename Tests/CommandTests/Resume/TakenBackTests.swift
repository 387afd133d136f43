import Foundation
import Glibc
import TestSupport
import Testing

/// What a run did that failed, was stopped or was killed is taken back by a later run.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TakenBackTests {
  private static let failing = "[ -e good ] || status=5"

  /// What the last run takes back: `delete x x.yaml`, `update a a.yaml {"k":1}`.
  private static func takenBack(_ run: ScriptSpy.Run?) throws -> [String] {
    guard let update = try run?.update() else { return ["no run"] }
    return update.takenBack.list.map { entry in
      let value = entry.value == .null ? "" : " \(entry.value.k.int ?? -1)"
      return "\(entry.op.string ?? "") \(entry.id.string ?? "") \(entry.path.string ?? "")\(value)"
    }
  }

  @Test func `an insert and a delete that failed are taken back, and the update has no changes`() async throws
  {
    let spy = try ScriptSpy(then: Self.failing)
    try await spy.once()
    try await spy.save("x.yaml", "k: 1")
    try await spy.folder.shell("mv root/a.yaml a")
    try await spy.once(status: 5)
    try await spy.folder.shell("rm root/x.yaml; mv a root/a.yaml")
    try await spy.once(status: 5)
    try await spy.folder.shell("touch good")
    let runs = try await spy.once()
    #expect(runs.count == 3)
    for run in runs.dropFirst() {
      #expect(try Self.takenBack(run) == ["delete x x.yaml", "update a a.yaml 1"])
      #expect(try run.update().changes.list.isEmpty)
      #expect(try run.update().since == runs[0].update().since)
    }
    #expect(try await spy.once().count == 3)
  }

  @Test func `the changes and the ids name what is taken back after what changed`() async throws {
    let spy = try ScriptSpy(then: Self.failing)
    try await spy.once()
    try await spy.save("x.yaml", "k: 1")
    try await spy.once(status: 5)
    try await spy.folder.shell("rm root/x.yaml")
    try await spy.save("a.yaml", "k: 2")
    try await spy.once("--stdin", "ids", status: 5)
    try await spy.once("--stdin", "changes", status: 5)
    let runs = try await spy.once("--each", "--stdin", "changes", status: 5)
    #expect(runs[1].text == "a\nx\n")
    let lines = try runs[2].text.split(separator: "\n").map { try JSON(Data($0.utf8)) }
    #expect(lines.map(\.op) == ["update", "delete"])
    #expect(lines.map(\.takenBack) == [.null, true])
    #expect(lines[1].from == .null)
    #expect(runs[3...].map { $0.environment["OP"] } == ["update", "delete"])
    #expect(runs[3...].map { $0.environment["PATH"] } == ["a.yaml", "x.yaml"])
    #expect(runs[4].text == #"{"op":"delete","id":"x","path":"x.yaml","takenBack":true}"# + "\n")
  }

  @Test func `a success with each covers only its item`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || [ \"$NOTES_WATCH_PATH\" = x.yaml ] || status=5")
    try await spy.once("--each")
    try await spy.save("x.yaml", "k: 1")
    try await spy.save("y.yaml", "k: 1")
    try await spy.once("--each", status: 5)
    try await spy.folder.shell("rm root/y.yaml; touch good")
    let count = try spy.runs().count
    let later = try await spy.once("--each").dropFirst(count)
    #expect(later.map { $0.environment["PATH"] } == ["y.yaml"])
    #expect(later.map { $0.environment["OP"] } == ["delete"])
  }

  @Test func `a run that is stopped after its timeout is taken back`() async throws {
    let spy = try ScriptSpy(then: "[ -e good ] || sleep 60")
    let program = try await spy.start("--timeout", "300ms")
    try await spy.save("x.yaml", "k: 1")
    try await program.wait(until: "the timeout") { $0.errorText.contains("did not end in time") }
    try await spy.folder.shell("touch good; rm root/x.yaml")
    try await program.wait(until: "a run") { $0.errorText.contains("ran 2\n") }
    #expect(try Self.takenBack(spy.runs().last) == ["delete x x.yaml"])
  }

  @Test func `a run that is stopped for a restart is taken back`() async throws {
    let spy = try ScriptSpy(then: "echo begun $n >&2; [ $n -gt 1 ] || sleep 60")
    let program = try await spy.start("--on-busy", "restart")
    try await spy.save("x.yaml", "k: 1")
    try await program.wait(until: "the first run") { $0.errorText.contains("begun 1\n") }
    // While everything is reverted, the run continues.
    try await spy.folder.shell("rm root/x.yaml")
    try await program.wait(until: "the delete") { $0.outputText.contains(#""op":"delete","id":"x""#) }
    try await spy.save("b.yaml", "k: 1")
    try await program.wait(until: "everything is delivered") { state in
      let runs = try spy.runs()
      guard runs.last?.status == 0, runs.count > 1, state.errorText.contains("ran \(runs.count)\n") else {
        return false
      }
      let isDelivered = try runs.flatMap { try $0.ids() }.contains("b")
      return try isDelivered && runs.contains { try Self.takenBack($0).contains("delete x x.yaml") }
    }
  }

  @Test func `what a killed watch had offered is taken back`() async throws {
    for options in [["--stdin", "update"], ["--each", "--stdin", "update"], ["--split-on-error"]] {
      let spy = try ScriptSpy(
        then: "[ -e good ] || { echo begun >&2; while ! [ -e good ]; do sleep 0.05; done; exit 1; }")
      try await spy.once()
      try await spy.save("x.yaml", "k: 1")
      let arguments = ["root", "--state", "spy"] + options + ["--", "/bin/sh", "\(spy.folder.path)/spy.sh"]
      let program = try BuiltProgram.start(arguments, environment: spy.environment, in: spy.folder.path)
      try await program.wait(until: "a run") { $0.errorText.contains("begun") }
      program.signal(SIGKILL)
      _ = try? await spy.folder.shell("rm root/x.yaml; touch good; flock lock true")
      _ = try await program.end()
      #expect(try await Self.takenBack(spy.once().last) == ["delete x x.yaml"], "\(options)")
      #expect(try await spy.once().count == 2, "\(options)")
    }
  }

  @Test func `a reader that acknowledges gets what it was offered and what is again as before`() async throws
  {
    let reader = try ResumableFolder()
    let first = try reader.reader("--control", hasInput: true)
    try await first.begin()
    let used = try await first.save("a.yaml", "k: 2")
    first.program.write("{\"ack\":\"\(used.token.string ?? "")\"}\n{\"limit\":100}\n")
    #expect(try await first.next().type == "bookmark")
    _ = try await first.save("b.yaml", "k: 2")
    _ = try await first.save("x.yaml", "k: 1")
    try await first.kill()
    try await reader.folder.shell("rm x.yaml; echo 'k: 1' > b.yaml")
    for _ in 0..<2 {
      let next = try reader.reader("--control", hasInput: true)
      let (_, resumed) = try await next.resume(after: used.token)
      #expect(resumed.type == "update")
      #expect(resumed.cause == "resumed")
      #expect(resumed.changes.list.isEmpty)
      #expect(resumed.takenBack.list.map(\.op) == ["delete", "update"])
      #expect(resumed.takenBack.list.map(\.id) == ["x", "b"])
      #expect(resumed.takenBack[1].value == ["k": 1])
      try await next.kill()
    }
    let last = try reader.reader("--control", hasInput: true)
    let (_, resumed) = try await last.resume(after: used.token)
    last.program.write("{\"ack\":\"\(resumed.token.string ?? "")\"}\n{\"limit\":100}\n")
    #expect(try await last.next().type == "bookmark")
    try await last.kill()
    let done = try reader.reader("--control", hasInput: true)
    #expect(try await done.resume(after: resumed.token).next.type == "bookmark")
  }

  // MARK: A full disk

  private static let canMount: Bool = Machine.canRun(
    "unshare -m --propagation private mount -t tmpfs none /mnt")

  /// Runs a shell script with a small disk at `disk`; `$0` is the program.
  private static func shell(_ script: String, in folder: TemporaryFolder) async throws -> String {
    try folder.makeFolder("disk")
    let program = try Program(
      "/usr/bin/env",
      [
        "unshare", "-m", "--propagation", "private", "/bin/sh", "-c",
        "mount -t tmpfs -o size=300k none disk; \(script)", BuiltProgram.path,
      ],
      environment: ["XDG_STATE_HOME": "\(folder.path)/state"], folder: folder.path)
    return try await program.end().outputText
  }

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `--once runs nothing on a full disk, and everything when there is space`() async throws {
    for options in ["", "--each", "--persistent --timeout 5s"] {
      let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
      let output = try await Self.shell(
        """
        "$0" root --state disk/s --once -- true; echo "first $?"
        dd if=/dev/zero of=disk/fill bs=4k 2> /dev/null
        echo 'k: 2' > root/a.yaml
        for try in 1 2; do
          "$0" root --state disk/s --once \(options) -- sh -c 'echo ran; read -r line; echo 2' 2> errors; echo "full $?"
          grep -c 'the command did not run' errors
        done
        rm disk/fill
        "$0" root --state disk/s --once \(options) -- sh -c 'echo ran; read -r line; echo 2' | grep ran
        """, in: folder)
      #expect(output == "first 0\nfull 73\n1\nfull 73\n1\nran\n", "\(options)")
    }
  }

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `a watch on a full disk runs, and takes back what it offered`() async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try folder.write(
      """
      input=$(cat)
      [ -e good ] || { touch failed; exit 1; }
      echo "$input" > got.new; mv got.new got
      """, to: "run.sh")
    let output = try await Self.shell(
      """
      "$0" root --state disk/s --once -- true
      dd if=/dev/zero of=disk/fill bs=4k 2> /dev/null
      "$0" root --state disk/s --stdin changes -- sh run.sh 2> errors & watch=$!
      await() { n=0; until "$@"; do sleep 0.1; n=$((n+1)); [ $n -lt 400 ] || exit 1; done; }
      echo 'k: 1' > new; mv new root/x.yaml
      await test -e failed
      touch good
      rm root/x.yaml
      await test -e got
      cat got
      kill $watch
      """, in: folder)
    #expect(output == #"{"op":"delete","id":"x","path":"x.yaml","takenBack":true}"# + "\n")
  }
}
