import Foundation
import Glibc
import TestSupport
import Testing

/// `--persistent`: one process that reads updates and acknowledges them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PersistentScriptTests {
  /// Acknowledges each update after it has written it to `log`, and obeys some files of the test.
  private static let reader = """
    echo "started $$" >&2
    while read -r line; do
      printf '%s\\n' "$line" >> log
      count=$(wc -l < log)
      seq=${line#*\\"seq\\":}; seq=${seq%%,*}
      THEN
      echo "$seq"
      echo "read $count" >&2
    done
    """

  private static func folder(then: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder(["root/a.yaml": "k: 1\n"])
    try folder.write(reader.replacing("THEN", with: then) + "\n", to: "reader.sh")
    return folder
  }

  private static func start(_ folder: TemporaryFolder, _ options: String...) async throws -> Program {
    let program = try BuiltProgram.start(
      ["root", "-o", "jsonl", "--persistent"] + options + ["--", "/bin/sh", "\(folder.path)/reader.sh"],
      environment: ["XDG_STATE_HOME": "\(folder.path)/state"], in: folder.path)
    try await program.wait(until: "the snapshot") { $0.lineCount >= 2 }
    return program
  }

  private static func log(_ folder: TemporaryFolder) throws -> [JSON] {
    try folder.bytes(of: "log").split(separator: UInt8(ascii: "\n")).map { try JSON(Data($0)) }
  }

  private static func ids(_ update: JSON) -> Set<String> { Set(update.changes.list.compactMap(\.id.string)) }

  @Test func `one process gets every update`() async throws {
    let folder = try Self.folder()
    let program = try await Self.start(folder)
    for number in 2...4 {
      try await folder.replace("root/a.yaml", with: "k: \(number)")
      try await program.wait(until: "update \(number)") { $0.errorText.contains("read \(number - 1)\n") }
    }
    let updates = try Self.log(folder)
    #expect(updates.map(\.seq) == [2, 3, 4])
    #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.token == $1.since })
    #expect(updates.map { $0.changes[0].value.k } == [2, 3, 4])
    let text = program.state.errorText
    #expect(text.matches(of: /started/).count == 1)
    // Acknowledgements are not output.
    #expect(text.split(separator: "\n").allSatisfy { !$0.allSatisfy(\.isNumber) })
  }

  @Test func `--initial gives the complete list first`() async throws {
    let folder = try Self.folder()
    let program = try await Self.start(folder, "--initial")
    try await program.wait(until: "the list") { $0.errorText.contains("read 1\n") }
    let first = try #require(try Self.log(folder).first)
    #expect(first.seq == 1)
    #expect(first.cause == "rescanned")
    #expect(Self.ids(first) == ["a"])
  }

  @Test func `while a line is not acknowledged, later changes are squashed`() async throws {
    let folder = try Self.folder(then: "while [ -e wait ]; do sleep 0.02; done")
    let program = try await Self.start(folder)
    try await folder.shell("touch wait")
    try await folder.replace("root/a.yaml", with: "k: 2")
    try await program.updates(1)
    for (number, name) in ["b", "c", "b"].enumerated() {
      try await folder.replace("root/\(name).yaml", with: "k: \(number)")
      try await program.updates(number + 2)
    }
    try await folder.shell("rm wait")
    try await program.wait(until: "the second update") { $0.errorText.contains("read 2\n") }
    let updates = try Self.log(folder)
    try #require(updates.count == 2)
    #expect(updates.map(\.seq) == [2, 3])
    #expect(updates[1].since == updates[0].token)
    #expect(Self.ids(updates[1]) == ["b", "c"])
  }

  @Test func `other output passes through, and a wrong acknowledgement is reported once`() async throws {
    let folder = try Self.folder(
      then:
        "[ $count -gt 1 ] || printf '99999\\n88888\\nhello\\n12 monkeys\\n7'; [ $count -gt 1 ] || printf ' dwarfs\\n'"
    )
    let program = try await Self.start(folder)
    try await folder.replace("root/a.yaml", with: "k: 2")
    try await program.wait(until: "the first update") { $0.errorText.contains("read 1\n") }
    try await folder.replace("root/a.yaml", with: "k: 3")
    let text = try await program.wait(until: "the second update") { $0.errorText.contains("read 2\n") }
      .errorText
    for line in ["hello\n", "12 monkeys\n", "7 dwarfs\n"] { #expect(text.contains(line), "\(text)") }
    #expect(text.ranges(of: "notes-watch: ").count == 1, "\(text)")
    #expect(text.contains("99999"))
    #expect(try Self.log(folder).map(\.seq) == [2, 3])
  }

  @Test func `after a crash a new process gets everything since the last acknowledgement`() async throws {
    let folder = try Self.folder(then: "[ -e good ] || [ $count -ne 2 ] || exit 3")
    let program = try await Self.start(folder)
    try await folder.replace("root/a.yaml", with: "k: 2")
    try await program.wait(until: "the first update") { $0.errorText.contains("read 1\n") }
    try await folder.replace("root/b.yaml", with: "k: 2")
    try await program.wait(until: "another process") { $0.errorText.contains("read 3\n") }
    let updates = try Self.log(folder)
    try #require(updates.count == 3)
    #expect(updates.map(\.seq) == [2, 3, 3])
    #expect(updates[1].since == updates[0].token)
    #expect(updates[2].since == updates[0].token)
    #expect(Self.ids(updates[2]) == ["b"])
    let processes = program.state.errorText.matches(of: /started (\d+)/).map { String($0.1) }
    #expect(Set(processes).count == 2)
    #expect(program.state.errorText.contains("notes-watch: "))
  }

  @Test func `a process that hangs is ended and started again`() async throws {
    let folder = try Self.folder(then: "[ $count -gt 1 ] || sleep 1000")
    let program = try await Self.start(folder, "--timeout", "500ms")
    try await folder.replace("root/a.yaml", with: "k: 2")
    try await program.wait(until: "another process") { $0.errorText.contains("read 2\n") }
    let updates = try Self.log(folder)
    #expect(updates.map(\.seq) == [2, 2])
    #expect(updates[0].since == updates[1].since)
  }

  @Test func `--on-error stop ends the program with the status of the process`() async throws {
    let folder = try Self.folder(then: "exit 7")
    let program = try await Self.start(folder, "--on-error", "stop")
    try await folder.replace("root/a.yaml", with: "k: 2")
    #expect(try await program.end().status == .exited(7))
  }

  @Test func `a process that ends too often is parked until SIGHUP`() async throws {
    let folder = try Self.folder(then: "[ -e good ] || exit 3")
    let program = try await Self.start(folder, "--max-failures", "2")
    try await folder.replace("root/a.yaml", with: "k: 2")
    try await program.wait(until: "a report that says what to do") { $0.errorText.contains("SIGHUP") }
    try await folder.shell("touch good")
    kill(program.process, SIGHUP)
    try await program.wait(until: "an acknowledgement") { $0.errorText.contains("read ") }
    let updates = try Self.log(folder)
    #expect(Set(updates.map(\.since)).count == 1)
  }

  @Test func `the process ends with the watch`() async throws {
    let folder = try Self.folder(then: "trap '' TERM")
    let program = try await Self.start(folder)
    try await folder.replace("root/a.yaml", with: "k: 2")
    let text = try await program.wait(until: "the first update") { $0.errorText.contains("read 1\n") }
      .errorText
    let process = try #require(text.firstMatch(of: /started (\d+)/)).1
    kill(program.process, SIGTERM)
    #expect(try await program.end().status == .signaled(SIGTERM))
    #expect(access("/proc/\(process)/exe", F_OK) != 0)
  }
}
