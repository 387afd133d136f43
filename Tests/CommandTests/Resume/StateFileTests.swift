import Glibc
import TestSupport
import Testing

/// The file of a state: who may read it, who has it, and what happens if it cannot be written.
@Suite(.serialized, .timeLimit(.minutes(3))) struct StateFileTests {
  @Test func `only its owner may read a state`() async throws {
    let reader = try ResumableFolder()
    let program = try Program(
      "/bin/sh",
      [
        "-c", "umask 0; exec \"$0\" \"$@\"", BuiltProgram.path, reader.folder.path, "-o", "jsonl", "--state",
        "reader",
      ],
      environment: reader.environment)
    let stream = WatchRun(reader.folder, program)
    try await stream.begin()
    _ = try await stream.save("a.yaml", "k: 2")
    let modes = try await reader.states.shell(
      "find notes-watch -type d -printf '%m\\n' | sort -u; find notes-watch -type f -printf '%m\\n' | sort -u"
    )
    #expect(modes == "700\n600\n")
    let owners = try await reader.states.shell("find notes-watch -printf '%U\\n' | sort -u; id -u").split(
      separator: "\n")
    #expect(Set(owners).count == 1)
  }

  @Test func `a second process ends with 75 and names the first`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    try await first.begin()
    let second = try reader.reader()
    let end = try await second.program.end()
    #expect(end.status == .exited(75))
    #expect(end.errorText.contains("\(first.program.process)"), "\(end.errorText)")
    #expect(end.outputText == "")
    // A state is free again as soon as its process is gone.
    try await first.kill()
    let third = try reader.reader()
    #expect(try await third.next().type == "hello")
  }

  @Test func `--once runs no command if it cannot record it`() async throws {
    let spy = try ScriptSpy()
    try spy.folder.write("my notes\n", to: "notes.txt")
    let end = try await BuiltProgram.start(
      ["root", "--state", "./notes.txt", "--once", "--initial", "--", "/bin/sh", "spy.sh"],
      environment: spy.environment,
      in: spy.folder.path
    ).end()
    #expect(end.status == .exited(73))
    #expect(end.errorText.contains("notes.txt"))
    #expect(try spy.runs().isEmpty)
    #expect(try await spy.folder.shell("cat notes.txt") == "my notes\n")
  }

  @Test func `--once prints the stream although it cannot record it, and ends with 73`() async throws {
    let reader = try ResumableFolder()
    try reader.folder.write("my notes\n", to: "notes.txt")
    let file = "\(reader.folder.path)/notes.txt"
    let end = try await BuiltProgram.start(
      [reader.folder.path, "-o", "jsonl", "--state", file, "--once"], environment: reader.environment
    ).end()
    #expect(end.status == .exited(73))
    let lines = try (0..<end.lineCount).map { try JSON(end.line($0)) }
    #expect(lines.map(\.type) == ["hello", "error", "snapshot"])
    #expect(end.errorText.contains("prints this again"), "\(end.errorText)")
    #expect(try await reader.folder.shell("cat notes.txt") == "my notes\n")
  }

  @Test func `of two processes with --once only one runs the command`() async throws {
    let spy = try ScriptSpy(then: "echo begun >&2; while ! [ -e go ]; do sleep 0.02; done")
    let options = ["--state", "spy", "--once", "--initial"]
    let arguments = ["root"] + options + ["--", "/bin/sh", "\(spy.folder.path)/spy.sh"]
    let first = try BuiltProgram.start(arguments, environment: spy.environment, in: spy.folder.path)
    try await first.wait(until: "a run") { $0.errorText.contains("begun") }
    let second = try await BuiltProgram.start(arguments, environment: spy.environment, in: spy.folder.path)
      .end()
    #expect(second.status == .exited(75))
    try await spy.folder.shell("touch go")
    #expect(try await first.end().status == .exited(0))
    #expect(try spy.runs().count == 1)
    #expect(!spy.hasOverlap)
  }

  @Test func `a state that is deleted while the program runs is written again`() async throws {
    let reader = try ResumableFolder()
    let stream = try reader.reader()
    try await stream.begin()
    try await reader.states.shell("rm -r notes-watch")
    let update = try await stream.save("a.yaml", "k: 2")
    // The position of an update is written before its line.
    try await stream.kill()
    let again = try reader.reader("--since", update.token.string ?? "")
    #expect(try await again.resume(after: update.token).next.type == "bookmark")
  }

  @Test func `a deleted state is a new one`() async throws {
    let reader = try ResumableFolder()
    _ = try await reader.once()
    try await reader.states.shell("rm -r notes-watch")
    #expect(try await reader.once().map(\.type) == ["hello", "snapshot"])
  }

  @Test func `a state is found by the real path of the folder`() async throws {
    let reader = try ResumableFolder()
    let first = try await reader.once()
    try await reader.states.shell("ln -s '\(reader.folder.path)' link")
    let end = try await BuiltProgram.start(
      ["link/.", "-o", "jsonl", "--state", "reader", "--once"], environment: reader.environment,
      in: reader.states.path
    ).end()
    #expect(end.outputText.contains("\"since\":\"\(first[1].token.string ?? "-")\""), "\(end.outputText)")
  }

  private static let canMount: Bool = Machine.canRun(
    "unshare -m --propagation private mount -t tmpfs none /mnt")

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `a folder that cannot be written is reported, and the stream runs`() async throws {
    let reader = try ResumableFolder()
    try reader.states.makeFolder("notes-watch")
    let stream = try reader.reader(afterMounting: "mount -t tmpfs -o ro none notes-watch")
    try await stream.begin()
    #expect(try await stream.save("a.yaml", "k: 2").seq == 2)
    #expect(try await stream.save("a.yaml", "k: 3").seq == 3)
    let text = stream.program.state.errorText
    #expect(text.ranges(of: "notes-watch: ").count == 1, "\(text)")
  }

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `a disk that becomes full is reported once, and the stream runs`() async throws {
    let reader = try ResumableFolder()
    try reader.states.makeFolder("notes-watch")
    let stream = try reader.reader(afterMounting: "mount -t tmpfs -o size=160k none notes-watch")
    try await stream.begin()
    for number in 2..<8 {
      let update = try await stream.save("a.yaml", "k: \(String(repeating: "x", count: 60_000))\(number)")
      #expect(update.seq == .number(Double(number)))
    }
    #expect(try await stream.save("a.yaml", "k: small").seq == 8)
    let text = stream.program.state.errorText
    #expect(text.ranges(of: "notes-watch: ").count == 1, "\(text)")
  }

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `--once ends with 73 if the list does not fit on the disk`() async throws {
    let reader = try ResumableFolder(["a.yaml": "k: \(String(repeating: "x", count: 300_000))\n"])
    try reader.states.makeFolder("notes-watch")
    let stream = try reader.reader(afterMounting: "mount -t tmpfs -o size=160k none notes-watch", "--once")
    let end = try await stream.program.end()
    #expect(end.status == .exited(73), "\(end.errorText)")
    #expect(end.lineCount == 2)
  }

  @Test(.enabled(if: canMount, "needs a root that may mount in a namespace"))
  func `a command runs although its state cannot be written`() async throws {
    let spy = try ScriptSpy()
    try spy.folder.makeFolder("state/notes-watch")
    let program = try Program(
      "/usr/bin/env",
      [
        "unshare", "-m", "--propagation", "private", "/bin/sh", "-c",
        "mount -t tmpfs -o ro none state/notes-watch && exec \"$0\" \"$@\"",
        BuiltProgram.path, "root", "-o", "jsonl", "--state", "spy", "--", "/bin/sh", "spy.sh",
      ], environment: spy.environment, folder: spy.folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    try await spy.save("a.yaml", "k: 2")
    try await spy.runs(1, of: program)
    try await spy.save("a.yaml", "k: 3")
    #expect(try await spy.runs(2, of: program).map { try $0.update().seq } == [2, 3])
  }
}
