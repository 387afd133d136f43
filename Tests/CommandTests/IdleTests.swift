import Glibc
import TestSupport
import Testing

/// While nothing happens the program sleeps: no timer, no thread that looks whether there is something to do.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Fault.isPossible, "needs strace, and may not run under it"))
struct IdleTests {
  private static let ways = [["-o", "jsonl", "--control"], ["-o", "jsonl"], ["-o", "text"]]

  @Test(arguments: Randomness.factor == 1 ? Array(ways.prefix(1)) : ways)
  func nothingWakesItUp(arguments: [String]) async throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    // More than one thread's worth, so that several read.
    try await folder.shell("mkdir root; i=0; while [ $i -lt 300 ]; do echo \"k: $i\" > root/$i.yaml; i=$((i+1)); done")
    let program = try NotesWatch.start(["root"] + arguments, in: folder.path, hasInput: true)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await folder.shell("echo 'k: edited' > root/5.yaml")
    try await program.wait(until: "an update") { $0.outputText.contains("edited") }
    let end = try await NotesWatch.calls(of: program.process, for: 5, in: folder)
    // Threads that are no longer needed end within some seconds, once.
    let wakeUps = end.filter { $0.contains(" epoll_wait(") || $0.contains(" poll(") || $0.contains("timerfd") }
    #expect(wakeUps.count <= 4, "\(wakeUps)")
  }
}

extension NotesWatch {
  /// The system calls that a program begins in so many seconds.
  fileprivate static func calls(of process: pid_t, for seconds: Int, in folder: TemporaryFolder) async throws -> [Substring] {
    let trace = try await folder.shell("timeout -s INT \(seconds) strace -f -o .trace -p \(process) 2> /dev/null || true; cat .trace")
    return trace.split(separator: "\n").filter { !$0.contains("resumed>") && !$0.contains("restart_syscall") }
  }
}
