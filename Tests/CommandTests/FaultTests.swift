import Foundation
import Glibc
import TestSupport
import Testing

/// System calls of the watcher and of the reader fail for a while. No existing item is deleted,
/// nothing crashes, and afterwards the list equals that of a new `list`, without a restart and
/// without another change.
@Suite(
  .serialized, .timeLimit(.minutes(20)),
  .enabled(if: Fault.isPossible, "needs strace, and cannot run under strace itself"))
struct FaultTests {
  /// Some faults that cover each kind of call and different errors.
  private static let selection: [Fault] = [
    Fault("openat2", "EMFILE"), Fault("openat2", "EACCES"), Fault("statx", "EIO"), Fault("getdents64", "EIO"),
    Fault("read", "ENOMEM"),
    Fault("inotify_add_watch", "ENOMEM"), Fault("openat", "EMFILE"), Fault("newfstatat", "EINTR", "1..3"),
    Fault("read", "EINTR", "1..5"),
  ]

  /// Each call with each error. An interrupted call is repeated, so it fails only a few times.
  private static let all: [Fault] = [
    "read", "openat", "openat2", "getdents64", "statx", "newfstatat", "inotify_add_watch", "poll", "fcntl",
    "close",
  ]
  .flatMap { call in
    ["EIO", "EMFILE", "ENOMEM", "EACCES", "EINTR"].map { Fault(call, $0, $0 == "EINTR" ? "1..7" : "1+") }
  }

  @Test func `failing system calls lose no change and delete no item`() async throws {
    let faults = Randomness.factor == 1 ? FaultTests.selection : FaultTests.all
    // Each check mostly waits.
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
      "mkdir -p root/sub/deep; for i in 0 1 2 3; do for d in . sub sub/deep; do echo \"k: $i\" > root/$d/$i.yaml; done; done"
    )
    let root = "\(folder.path)/root"
    let program = try BuiltProgram.start([root, "-o", "jsonl"])
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
    let expected = try await BuiltProgram.items(in: root)
    try await program.wait(until: "what is there, after \(fault)") { state in
      let stream = try state.stream()
      return try stream.problems.isEmpty && stream.items() == expected
    }
    try await folder.shell(
      "cd root; echo 'k: 1' > z.yaml; echo 'k: 1' > new/x/z.yaml; echo 'k: 1' > deep2/z.yaml")
    let state = try await program.wait(until: "the next changes, after \(fault)") { state in
      try state.stream().items().keys.filter { $0.hasSuffix("z") }.count == 3
    }
    let gone = try state.stream().deleted.map(\.description)
    #expect(Set(gone).isSubset(of: ["1", "3"] + (0...3).map { "sub/deep/\($0)" }), "\(fault): \(gone)")
    #expect(Set(gone).count == gone.count, "\(fault): \(gone)")
  }
}

/// A system call that is made to fail with an error.
struct Fault: CustomStringConvertible, Sendable {
  let call: String
  let error: String
  /// The calls of each thread that fail, as for strace's `when`.
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

  /// Makes calls of a running program fail while `body` runs. `body` gets the tracer, whose output
  /// is the log of the calls.
  func inject(into process: pid_t, _ body: (Program) async throws -> Void) async throws {
    let tracer = try Program(
      "/bin/sh",
      [
        "-c",
        "exec strace -f -o '|exec cat' -e trace=\(call) -e inject=\(call):error=\(error):when=\(when) -p \(process)",
      ])
    try await tracer.wait(until: "an attached tracer") { $0.errorText.contains("attached") }
    try await body(tracer)
    // The tracer detaches, and the traced program goes on.
    kill(tracer.process, SIGTERM)
    _ = try await tracer.end()
  }
}
