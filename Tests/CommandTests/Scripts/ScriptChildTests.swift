import Foundation
import TestSupport
import Testing

/// What a command inherits and leaves behind, for each option: clean descriptors and signals, no
/// zombies, and no wait for output that nobody reads.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ScriptChildTests {
  private static let options: [[String]] = [
    [], ["--each"], ["--persistent"], ["--prefix=p"], ["--timeout", "100s"], ["--on-busy", "restart"],
    ["--on-error", "retry"],
    ["--split-on-error"], ["--defer-git"], ["--state", "s"], ["--state", "s", "--persistent", "--prefix=p"],
  ]

  /// Notes what it has inherited, and acknowledges what it reads. It reads its signals itself: a
  /// shell blocks them while it starts another program.
  private static let script = """
    { ls -l /proc/self/fd; while read -r line; do echo "$line"; done < /proc/$$/status; } > seen.new; mv seen.new seen
    while read -r line; do seq=${line#*\\"seq\\":}; echo ${seq%%,*}; echo "ran" >&2; done

    """

  @Test(arguments: options) func `a command inherits no descriptor and no signal, and leaves no zombie`(
    options: [String]
  ) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n", "script.sh": Self.script])
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl"] + options + ["--", "/bin/sh", "script.sh"],
      environment: ["XDG_STATE_HOME": "\(folder.path)/state"],
      in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    for number in 2...4 {
      try await folder.replace("root/a.yaml", with: "k: \(number)")
      try await program.wait(until: "run \(number)") { $0.errorText.ranges(of: "ran\n").count == number - 1 }
    }
    let seen = try await folder.shell("cat seen")
    // `ls` has the listed folder open.
    let descriptors = seen.split(separator: "\n").filter { $0.contains(" -> ") && !$0.contains(" -> /proc/") }
      .compactMap { $0.firstMatch(of: #/(\d+) -> /#).flatMap { Int($0.1) } }
    #expect(descriptors.sorted() == [0, 1, 2], "\(seen)")
    for mask in ["SigBlk", "SigIgn"] {
      let signals = try #require(
        seen.firstMatch(of: try Regex("\(mask):\t([0-9a-f]{16})", as: (Substring, Substring).self))?.1)
      // 32 and 33 belong to the C library, and no program can set them.
      #expect(UInt64(signals, radix: 16).map { $0 & ~0x1_8000_0000 } == 0, "\(seen)")
    }
    // The last run may just be ending.
    try await folder.shell("while ps -o stat= --ppid \(program.process) | grep -q Z; do sleep 0.02; done")
  }

  @Test(arguments: [[], ["--prefix=p"]]) func `a command may flood its output`(options: [String]) async throws
  {
    let spy = try ScriptSpy(then: "yes flood | head -c 5000000 >&2")
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl", "--initial"] + options + ["--", "/bin/sh", "spy.sh"],
      environment: spy.environment, in: spy.folder.path)
    let state = try await program.wait(until: "the end of the flood") { $0.errorText.hasSuffix("ran 1\n") }
    #expect(state.error.count > 5_000_000)
  }

  @Test(arguments: [["--each"], ["--split-on-error"], ["--timeout", "100s"], ["--prefix=p"]])
  func `a command may leave a large update unread`(options: [String]) async throws {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl"] + options + ["--", "/bin/sh", "-c", "echo ran >&2"],
      environment: ["XDG_STATE_HOME": "\(folder.path)/state"], in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    for number in 1...2 {
      try folder.write("k: \(String(repeating: "x", count: 1 << 20))\(number)\n", to: ".new")
      try await folder.shell("mv .new root/a.yaml")
      try await program.wait(until: "run \(number)") { $0.errorText.ranges(of: "ran\n").count == number }
    }
    #expect(!program.state.errorText.contains("notes-watch: "))
  }

  @Test func `runs of many changes never overlap, and lose nothing`() async throws {
    for seed in Randomness.seeds(1) {
      var random = SeededGenerator(seed: seed)
      let spy = try ScriptSpy([:], then: "[ $n -ne 3 ] || status=1")
      let program = try await spy.start("--initial", "--sort", "@id")
      for number in 0..<40 {
        let name = random.one(of: ["a", "b", "c", "d"])
        try await spy.folder.shell(
          random.oneIn(4) ? "rm -f root/\(name).yaml" : "echo 'k: \(number)' > .n; mv .n root/\(name).yaml")
      }
      // If the failing run was the last one, its change comes with this one.
      try await program.wait(until: "the failure") { $0.errorText.contains("ran 3\n") }
      try await spy.save("last.yaml", "k: 1")
      let truth = try await BuiltProgram.items(in: "\(spy.folder.path)/root")
      try await program.wait(until: "\(truth), \(seedNote(seed))") { _ in
        try spy.consumer().items() == truth
      }
      #expect(!spy.hasOverlap, "\(seedNote(seed))")
    }
  }
}
