import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Processes

@Suite(.timeLimit(.minutes(2))) struct ChildTests {
  /// Runs a shell script as a child, and returns its output and its end.
  private func run(
    _ script: String, _ words: [String] = [], environment: [[UInt8]]? = nil, in directory: String? = nil,
    _ kind: Child.Kind = .isolated
  ) throws -> (output: String, end: Child.End) {
    let pipe = try PipeEnd.makePipe()
    let arguments = (["-c", script, "sh"] + words).map { Array($0.utf8) }
    let streams = Child.Streams(pipe.writing.raw)
    let child = try Child("/bin/sh", arguments, environment: environment, streams, kind, in: directory)
    pipe.writing.close()
    let output = try FileDescriptor(rawValue: pipe.reading.raw).readAll()
    defer { pipe.reading.close() }
    return (String(decoding: output, as: UTF8.self), child.reap())
  }

  @Test func `a child gets its words, its environment and its working directory`() throws {
    let folder = try TemporaryFolder()
    let entry = Array("NAME=v \u{e9}".utf8)
    let (output, end) = try run(
      "pwd; echo \"$NAME\"; echo \"$1|$2\"", ["a b", ""], environment: [entry], in: folder.path)
    #expect(output.split(separator: "\n").dropFirst() == ["v \u{e9}", "a b|"])
    #expect(output.hasPrefix(try #require(realPath(folder.path))))
    #expect(end == .exited(0))
  }

  @Test(arguments: [("exit 3", Child.End.exited(3), 3), ("kill -9 $$", .signaled(9), 137)])
  func `the end of a child has the code that a shell reports`(script: String, expected: Child.End, code: CInt)
    throws
  {
    let end = try run(script).end
    #expect(end == expected)
    #expect(end.code == code)
  }

  @Test func `an isolated child leads its group, and has only the standard streams and default signals`()
    throws
  {
    let file = try Descriptor.open("/", O_RDONLY)
    let kept = fcntl(file.raw, F_DUPFD, 50)
    defer { close(kept) }
    let script =
      "ls /proc/self/fd | wc -l; cut -d' ' -f1,5 /proc/$$/stat; grep -E 'Sig(Blk|Ign)' /proc/self/status | cut -f2"
    let lines = try run(script).output.split(separator: "\n").map(String.init)
    // `ls` has the folder open.
    #expect(lines.first == "4")
    let numbers = lines[1].split(separator: " ")
    #expect(numbers.first == numbers.last)
    // 32 and 33 belong to the C library, and no program can set them.
    #expect(lines[2...].allSatisfy { UInt64($0, radix: 16).map { $0 & ~0x1_8000_0000 } == 0 })
  }

  @Test func `a child in the foreground shares the group and the open files of this program`() throws {
    let file = try Descriptor.open("/", O_RDONLY)
    let kept = fcntl(file.raw, F_DUPFD, 50)
    defer { close(kept) }
    let lines = try run(
      "test -e /proc/self/fd/\(kept) && echo open; cut -d' ' -f5 /proc/$$/stat", [], .foreground
    )
    .output.split(separator: "\n").map(String.init)
    #expect(lines == ["open", "\(getpgrp())"])
  }

  @Test func `a program that does not exist is not started`() {
    #expect(throws: Errno.noSuchFileOrDirectory) { try Child("/nowhere/program", []) }
  }

  @Test func `words of a command in a shell are never parsed`() throws {
    let pipe = try PipeEnd.makePipe()
    let child = try Child(
      shell: "printf %s \"$@\"", ["name", "$(echo x); `y`"], Child.Streams(pipe.writing.raw), .isolated)
    pipe.writing.close()
    #expect(
      String(decoding: try FileDescriptor(rawValue: pipe.reading.raw).readAll(), as: UTF8.self)
        == "$(echo x); `y`")
    pipe.reading.close()
    #expect(child.reap() == .exited(0))
  }

  @Test func `a write to a reader that is gone fails, and no signal stays`() throws {
    try SignalAction.withOwn(of: SIGPIPE) {
      let pipe = try PipeEnd.makePipe()
      pipe.reading.close()
      let (count, error) = withoutSIGPIPE { (write(pipe.writing.raw, "x", 1), errno) }
      #expect(count == -1)
      #expect(error == EPIPE)
      var waiting = sigset_t()
      sigpending(&waiting)
      #expect(sigismember(&waiting, SIGPIPE) == 0)
      #expect(SignalAction.calls == 0)
      pipe.writing.close()
    }
  }
}
