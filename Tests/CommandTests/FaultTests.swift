import Foundation
import Glibc
import TestSupport
import Testing

/// The kernel says no, for any reason, to any call that the watcher and the reader make: nothing is deleted that is there, nothing crashes, and when the kernel says yes again
/// the list is that of a fresh `list`, without a restart and without anybody touching a file.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Fault.isPossible, "needs strace, and may not run under it"))
struct FaultTests {
  /// One of each kind of call, with different errors.
  private static let selection: [Fault] = [
    Fault("openat2", "EMFILE"), Fault("openat2", "EACCES"), Fault("statx", "EIO"), Fault("getdents64", "EIO"), Fault("read", "ENOMEM"),
    Fault("inotify_add_watch", "ENOMEM"), Fault("openat", "EMFILE"), Fault("newfstatat", "EINTR", "1..3"), Fault("read", "EINTR", "1..5"),
  ]

  /// Every call with every error. A call that is interrupted is made again, so it is not interrupted for ever.
  private static let all: [Fault] = [
    "read", "openat", "openat2", "getdents64", "statx", "newfstatat", "inotify_add_watch", "poll", "fcntl", "close",
  ]
  .flatMap { call in ["EIO", "EMFILE", "ENOMEM", "EACCES", "EINTR"].map { Fault(call, $0, $0 == "EINTR" ? "1..7" : "1+") } }

  @Test func nothingIsLostAndNothingIsDeleted() async throws {
    let faults = Randomness.factor == 1 ? FaultTests.selection : FaultTests.all
    // Each is mostly waiting.
    for start in stride(from: 0, to: faults.count, by: 3) {
      try await withThrowingTaskGroup { group in
        for fault in faults[start..<min(faults.count, start + 3)] { group.addTask { try await check(fault) } }
        try await group.waitForAll()
      }
    }
  }

  private func check(_ fault: Fault) async throws {
    let folder = try TemporaryFolder()
    try await folder.shell(
      "mkdir -p root/sub/deep; for i in 0 1 2 3; do for d in . sub sub/deep; do echo \"k: $i\" > root/$d/$i.yaml; done; done")
    let root = "\(folder.path)/root"
    let program = try NotesWatch.start([root, "-o", "jsonl"])
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await fault.inject(into: program.process) { log in
      try await folder.shell(
        """
        cd root; echo 'k: 10' > 0.yaml; mv 1.yaml sub/moved.yaml; mkdir -p new/x; echo 'k: 5' > new/x/n.yaml; echo 'k: 7' > .t; mv .t 2.yaml; mv sub/deep deep2
        """)
      kill(program.process, SIGHUP)
      try await log.wait(until: "a fault") { $0.outputText.contains("INJECTED") }
      try await folder.shell("cd root; chmod 700 sub; echo 'k: 9' > deep2/d9.yaml; rm 3.yaml")
    }
    let expected = try await NotesWatch.items(in: root)
    try await program.wait(until: "what is there, after \(fault)") { state in
      let stream = try state.stream()
      return try stream.problems.isEmpty && stream.items() == expected
    }
    try await folder.shell("cd root; echo 'k: 1' > z.yaml; echo 'k: 1' > new/x/z.yaml; echo 'k: 1' > deep2/z.yaml")
    let state = try await program.wait(until: "the next changes, after \(fault)") { state in
      try state.stream().items().keys.filter { $0.hasSuffix("z") }.count == 3
    }
    let gone = try state.stream().deleted.map(\.description)
    #expect(Set(gone).isSubset(of: ["1", "3"] + (0...3).map { "sub/deep/\($0)" }), "\(fault): \(gone)")
    #expect(Set(gone).count == gone.count, "\(fault): \(gone)")
  }
}

/// An error that a system call is made to end with.
struct Fault: CustomStringConvertible, Sendable {
  let call: String
  let error: String
  /// Which calls of each thread: as strace's `when`.
  let when: String

  init(_ call: String, _ error: String, _ when: String = "1+") {
    self.call = call
    self.error = error
    self.when = when
  }

  var description: String { "\(call): \(error) (\(when))" }

  static let isPossible = Machine.has("strace") && !isTraced

  private static let isTraced: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: /TracerPid:\t([1-9]\d*)/) != nil
  }()

  /// Lets the calls of a running program fail for as long as `body` runs, which gets the log of the calls as an output.
  func inject(into process: pid_t, _ body: (Program) async throws -> Void) async throws {
    let tracer = try Program(
      "/bin/sh",
      [
        "-c",
        "exec strace -f -o '|exec cat' -e trace=\(call) -e inject=\(call):error=\(error):when=\(when) -p \(process)",
      ])
    try await tracer.wait(until: "an attached tracer") { $0.errorText.contains("attached") }
    try await body(tracer)
    // It detaches, and what it traced goes on.
    kill(tracer.process, SIGTERM)
    _ = try await tracer.end()
  }
}
