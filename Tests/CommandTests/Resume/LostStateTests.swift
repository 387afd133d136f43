import Foundation
import TestSupport
import Testing

/// Tokens and states that cannot be used: the reader gets the reason and the complete list. The
/// stream always runs.
@Suite(.serialized, .timeLimit(.minutes(3))) struct LostStateTests {
  @Test(arguments: [("rubbish", "unknown-token"), ("n2.a.b.c", "newer-version"), ("-", "unknown-token")])
  func `an unknown token is gone`(token: String, why: JSON) async throws {
    let reader = try ResumableFolder()
    for options in [[], ["--state", "reader"]] {
      let stream = try WatchRun(reader.folder, options + ["--since", token], environment: reader.environment)
      let (reason, snapshot) = try await stream.beginAgain()
      #expect(reason == why, "\(options)")
      #expect(snapshot.count == 2)
      try await stream.kill()
    }
  }

  @Test func `a token of another folder is gone`() async throws {
    let reader = try ResumableFolder()
    let other = try ResumableFolder()
    let stream = try other.reader()
    let token = try await stream.begin().token.string ?? ""
    try await stream.kill()
    let again = try reader.reader("--since", token)
    #expect(try await again.beginAgain().why == "unknown-token")
  }

  @Test func `a state of another view is gone`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader("--where", "k > 0")
    try await first.begin()
    try await first.kill()
    let second = try reader.reader("--where", "k > 5")
    let (why, snapshot) = try await second.beginAgain()
    #expect(why == "view-mismatch")
    #expect(snapshot.count == 0)
    try await second.kill()
    // The new view has replaced the old one.
    let third = try reader.reader("--where", "k > 5", "--since", snapshot.token.string ?? "")
    #expect(try await third.resume(after: snapshot.token).next.type == "bookmark")
  }

  @Test func `another --id-field is another view`() async throws {
    let reader = try ResumableFolder()
    let first = try reader.reader()
    let token = try await first.begin().token.string ?? ""
    try await first.kill()
    let second = try reader.reader("--id-field", "k", "--since", token)
    #expect(try await second.beginAgain().why == "view-mismatch")
  }

  private static let damage: [(String, String)] = [
    ("zeros in the middle", "dd if=/dev/zero of=$S bs=512 seek=1 count=8 conv=notrunc 2> /dev/null"),
    ("truncated", "truncate -s 5000 $S"), ("rubbish", "head -c 9000 /dev/urandom > $S"),
    ("another header", "printf 'nonsense' | dd of=$S conv=notrunc 2> /dev/null"),
  ]

  @Test(arguments: damage) func `a damaged state is replaced`(name: String, script: String) async throws {
    let reader = try ResumableFolder()
    _ = try await reader.once()
    let file = try await reader.stateFile()
    try await reader.states.shell("S='\(file)'; rm -f $S-wal $S-shm; \(script)")
    let second = try reader.reader()
    let (why, snapshot) = try await second.beginAgain()
    #expect(why == "damaged")
    try await second.kill()
    let third = try reader.reader("--since", snapshot.token.string ?? "")
    #expect(try await third.resume(after: snapshot.token).next.type == "bookmark")
  }

  @Test(arguments: 0..<10) func `a state with random damage resumes exactly or is gone`(round: Int)
    async throws
  {
    for seed in Randomness.seeds(1, test: "random damage \(round)") {
      var random = SeededGenerator(seed: seed)
      let reader = try ResumableFolder(
        Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0).yaml", "k: \($0)\n") }))
      let first = try await reader.once()
      let file = URL(fileURLWithPath: try await reader.stateFile())
      var bytes = try Data(contentsOf: file)
      for _ in 0..<random.one(of: [1, 4, 64]) {
        let (offset, byte) = (random.below(bytes.count), UInt8(random.below(256)))
        // Another version is no damage: such a state is kept.
        if !LostStateTests.versionBytes.contains(offset) { bytes[offset] = byte }
      }
      try bytes.write(to: file)
      try await reader.save("1.yaml", "k: changed")
      let second = try await reader.once()
      if second[0].since != nil {
        #expect(second[0].since == first[1].token, "\(seedNote(seed))")
        #expect(second[1].changes.list.map(\.id) == ["1"], "\(seedNote(seed))")
      } else {
        #expect(second[1].code == "gone", "\(seedNote(seed))")
        #expect(second[2].count == 40, "\(seedNote(seed))")
      }
    }
  }

  /// The place of the version in the file, SQLite's `user_version`.
  private static let versionBytes = 60..<64

  @Test func `a state of a newer version is kept, and the stream runs without it`() async throws {
    let reader = try ResumableFolder()
    _ = try await reader.once()
    let file = try await reader.stateFile()
    let offset = Self.versionBytes.lowerBound
    try await reader.states.shell(
      "printf '\\000\\000\\003\\350' | dd of='\(file)' bs=1 seek=\(offset) conv=notrunc 2> /dev/null; cp '\(file)' kept"
    )
    let second = try reader.reader()
    #expect(try await second.beginAgain().why == "newer-version")
    #expect(try await second.save("a.yaml", "k: 2").seq == 2)
    #expect(second.program.state.errorText.contains("notes-watch: "))
    try await second.kill()
    try await reader.states.shell("cmp '\(file)' kept")
  }

  private static let foreign: [(String, String)] = [
    ("a text", "echo 'my notes' > state"), ("a folder", "mkdir state; echo kept > state/file"),
    ("a FIFO", "mkfifo state"),
    ("a dangling link", "ln -s nowhere/x state"),
  ]

  @Test(arguments: foreign) func `a file that is not a state is never changed`(name: String, script: String)
    async throws
  {
    let reader = try ResumableFolder()
    try await reader.states.shell("\(script); ls -ld state > before")
    let file = "\(reader.states.path)/state"
    let stream = try reader.stream("--state", file)
    let (why, _) = try await stream.beginAgain()
    #expect(why == "damaged", "\(name)")
    #expect(try await stream.save("a.yaml", "k: 2").seq == 2, "\(name)")
    #expect(stream.program.state.errorText.contains("notes-watch: "), "\(name)")
    try await stream.kill()
    #expect(
      try await reader.states.shell("ls -ld state | cmp - before; ls -A") == "before\nstate\n", "\(name)")
  }

  @Test(.enabled(if: Machine.has("sqlite3"), "needs sqlite3"))
  func `a database of another program is never changed`() async throws {
    let reader = try ResumableFolder()
    try await reader.states.shell(
      "sqlite3 state 'create table t(x); insert into t values(1)'; cp state before")
    let stream = try reader.stream("--state", "\(reader.states.path)/state")
    #expect(try await stream.beginAgain().why == "damaged")
    #expect(try await stream.save("a.yaml", "k: 2").seq == 2)
    try await stream.kill()
    #expect(try await reader.states.shell("cmp state before; ls -A") == "before\nstate\n")
  }

  @Test func `a lost position of a command is delivered from the empty list`() async throws {
    let spy = try ScriptSpy(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    try await spy.once()
    try await spy.folder.shell(
      "for f in state/notes-watch/*/spy.sqlite; do rm -f $f-wal; truncate -s 5000 $f; done")
    let runs = try await spy.once()
    #expect(try runs.map { try $0.ids() } == [["a", "b"]])
    #expect(try runs.map { try $0.update().cause } == ["rescanned"])
    #expect(try await spy.once().count == 1)
  }
}
