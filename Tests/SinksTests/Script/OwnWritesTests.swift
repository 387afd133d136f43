import Files
import Glibc
import PlainStore
import TestSupport
import Testing

@testable import Sinks

/// The records of what commands of this program write, from both sides.
struct OwnWritesTests {
  /// A folder with items, a folder for records, and lists of the items.
  private struct Folder {
    let items: TemporaryFolder
    let state: TemporaryFolder
    var records: RunRecords
    private var list: ResultsSnapshot

    init(_ files: [String: String] = [:]) throws {
      items = try TemporaryFolder(files)
      state = try TemporaryFolder()
      records = try #require(RunRecords(root: items.path, environment: ["XDG_STATE_HOME": state.path]))
      list = try Folder.list(items)
    }

    private static func list(_ items: TemporaryFolder) throws -> ResultsSnapshot {
      try ItemStore(at: items.path, watching: false).results(FetchRequest()).snapshot
    }

    var runs: String { "\(state.path)/notes-watch/runs" }

    /// Begins a run, and returns the recorder of a command in it.
    mutating func begin() throws -> (run: RunID, writes: Command) {
      let run = RunID()
      records.begin(run)
      let writes = OwnWrites(root: items.path, environment: ["XDG_STATE_HOME": state.path, RunID.variable: run.description])
      return (run, Command(writes: try #require(writes), folder: items.path))
    }

    /// Returns the own ones among the items that changed since the last call.
    mutating func own() throws -> [String] {
      let new = try Folder.list(items)
      let update = ResultsUpdate(from: list, to: new, touched: nil, origin: .files)
      list = new
      return records.ownChanges(in: update).map(\.description).sorted()
    }
  }

  /// A command that is about to write.
  private struct Command {
    let writes: OwnWrites
    let folder: String

    /// Records a write that replaces the file as it is now.
    func record(_ path: RelativePath, _ content: [UInt8]?) {
      writes.record(path, content, replacing: try? version(path))
    }

    private func version(_ path: RelativePath) throws -> FileVersion {
      let file = try Descriptor.open("\(folder)/\(path)", O_RDONLY)
      return FileVersion(bytes: try file.contents(), stamp: try FileStatus(of: file.raw).stamp)
    }
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `a file with exactly the recorded content is own`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let (_, writes) = try folder.begin()
    writes.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
    writes.record("b.yaml", OwnWritesTests.bytes("k: 2\n"))
    writes.record("sub/c.yaml", OwnWritesTests.bytes("k: 2\n"))
    for name in ["a.yaml", "sub/c.yaml"] { try folder.items.write("k: 2\n", to: name) }
    // The same value with another byte is a change of another program.
    try folder.items.write("k: 2 \n", to: "b.yaml")
    #expect(try folder.own() == ["a", "sub/c"])
  }

  @Test func `a removed file is own if its removal was recorded`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let (_, writes) = try folder.begin()
    writes.record("a.yaml", nil)
    try folder.items.remove("a.yaml")
    try folder.items.remove("b.yaml")
    #expect(try folder.own() == ["a"])
  }

  @Test func `a record is used by one change only`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n"])
    let (_, writes) = try folder.begin()
    writes.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
    try folder.items.write("k: 2\n", to: "a.yaml")
    #expect(try folder.own() == ["a"])
    try folder.items.write("k: 3\n", to: "a.yaml")
    #expect(try folder.own() == [])
    try folder.items.write("k: 2\n", to: "a.yaml")
    #expect(try folder.own() == [])
  }

  @Test func `a record is not used later if another change came first`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n"])
    let (_, writes) = try folder.begin()
    writes.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
    try folder.items.write("k: 3\n", to: "a.yaml")
    #expect(try folder.own() == [])
    try folder.items.write("k: 2\n", to: "a.yaml")
    #expect(try folder.own() == [])
  }

  @Test func `an edit by somebody else just before an own write is not own`() throws {
    for edit in ["k: 2\n", nil] {
      var folder = try Folder(["a.yaml": "k: 1\n"])
      let (_, writes) = try folder.begin()
      if let edit { try folder.items.write(edit, to: "a.yaml") } else { try folder.items.remove("a.yaml") }
      writes.record("a.yaml", OwnWritesTests.bytes("k: 3\n"))
      try folder.items.write("k: 3\n", to: "a.yaml")
      #expect(try folder.own() == [])
    }
    var folder = try Folder()
    let (_, writes) = try folder.begin()
    try folder.items.write("k: 1\n", to: "new.yaml")
    writes.record("new.yaml", OwnWritesTests.bytes("k: 2\n"))
    try folder.items.write("k: 2\n", to: "new.yaml")
    #expect(try folder.own() == [], "somebody else created it")
  }

  @Test func `own writes of one file that follow each other are own, but not with an edit in between`() throws {
    for edit in ["k: 2\n", "k: 0\n"] {
      var folder = try Folder(["a.yaml": "k: 1\n"])
      let (_, writes) = try folder.begin()
      writes.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
      try folder.items.write("k: 2\n", to: "a.yaml")
      try folder.items.write(edit, to: "a.yaml")
      writes.record("a.yaml", OwnWritesTests.bytes("k: 3\n"))
      try folder.items.write("k: 3\n", to: "a.yaml")
      #expect(try folder.own() == (edit == "k: 2\n" ? ["a"] : []))
    }
  }

  @Test func `the last record of a file counts, and records of earlier runs count, too`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n"])
    let (_, first) = try folder.begin()
    for _ in 0..<19 { _ = try folder.begin() }
    first.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
    first.record("a.yaml", OwnWritesTests.bytes("k: 3\n"))
    try folder.items.write("k: 3\n", to: "a.yaml")
    #expect(try folder.own() == ["a"])
    let (_, _) = try folder.begin()
    first.record("a.yaml", OwnWritesTests.bytes("k: 4\n"))
    try folder.items.write("k: 4\n", to: "a.yaml")
    #expect(try folder.own() == [], "the records of 20 runs are kept")
  }

  @Test func `names that are not UTF-8 and texts of any bytes are recorded`() throws {
    var folder = try Folder()
    let path = RelativePath(bytes: [0xFF, 0x0A] + Array("e.yaml".utf8))
    let (_, writes) = try folder.begin()
    let content = OwnWritesTests.bytes("k: \"\u{0}\"\n".replacing("\u{0}", with: "é"))
    writes.record(path, content)
    try folder.items.shell("printf 'k: \"é\"\\n' > \"$(printf '\\377\\ne.yaml')\"")
    #expect(try folder.own() == ["%FF%0Ae"])
  }

  @Test func `records are for this user only, and removed at the end`() throws {
    var folder = try Folder()
    let (run, _) = try folder.begin()
    #expect(try folder.state.shell("stat -c %a notes-watch/runs notes-watch/runs/\(run)") == "700\n600\n")
    folder.records.end()
    #expect(try folder.state.shell("ls notes-watch/runs") == "")
  }

  @Test func `a removed folder is made again for the next run`() throws {
    var folder = try Folder(["a.yaml": "k: 1\n"])
    let (_, lost) = try folder.begin()
    try folder.state.shell("rm -r notes-watch")
    lost.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
    let (_, writes) = try folder.begin()
    writes.record("a.yaml", OwnWritesTests.bytes("k: 3\n"))
    try folder.items.write("k: 3\n", to: "a.yaml")
    #expect(try folder.own() == ["a"])
  }

  @Test func `a start removes records older than a day and nothing else`() throws {
    var folder = try Folder()
    let (old, _) = try folder.begin()
    let (new, _) = try folder.begin()
    try folder.state.shell("cd notes-watch/runs; touch other; touch -d '2 days ago' \(old) other; mkdir \(RunID())")
    _ = RunRecords(root: folder.items.path, environment: ["XDG_STATE_HOME": folder.state.path])
    let names = try folder.state.shell("cd notes-watch/runs; ls -p | grep -v /").split(separator: "\n").map(String.init)
    #expect(Set(names) == [new.description, "other"])
  }

  @Test func `nothing is recorded outside of a run, with another name or without a record file`() throws {
    let folder = try Folder()
    for run in ["", "../../x", String(repeating: "A", count: 32), "\(RunID())0", "0"] {
      #expect(OwnWrites(root: folder.items.path, environment: ["XDG_STATE_HOME": folder.state.path, RunID.variable: run]) == nil, "\(run)")
    }
    #expect(OwnWrites(root: folder.items.path, environment: ["XDG_STATE_HOME": folder.state.path]) == nil)
    let unknown = try #require(
      OwnWrites(root: folder.items.path, environment: ["XDG_STATE_HOME": folder.state.path, RunID.variable: RunID().description]))
    unknown.record("a.yaml", [], replacing: nil)
    #expect(try folder.state.shell("ls notes-watch/runs") == "")
  }

  @Test func `a record that is not a regular file is not written to`() throws {
    var folder = try Folder()
    let (run, writes) = try folder.begin()
    try folder.state.shell("cd notes-watch/runs; rm \(run); touch other; ln -s other \(run)")
    writes.record("a.yaml", [])
    try folder.state.shell("cd notes-watch/runs; rm \(run); mkfifo \(run)")
    writes.record("a.yaml", [])
    #expect(try folder.state.shell("wc -c < notes-watch/runs/other") == "0\n")
  }

  @Test func `a record file with other bytes than entries is ignored from there on`() throws {
    for rubbish in ["\0", "-\0-\0relative\0", "xyz\0-\0/a\0", "-\0x\0/a\0", "-\0-\0\0", "\(String(repeating: "g", count: 32))\0-\0/a\0"] {
      var folder = try Folder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
      let (run, writes) = try folder.begin()
      let (_, other) = try folder.begin()
      let file = try #require(fopen("\(folder.runs)/\(run)", "a"))
      _ = rubbish.withCString { fwrite($0, 1, rubbish.utf8.count, file) }
      fclose(file)
      writes.record("a.yaml", OwnWritesTests.bytes("k: 2\n"))
      other.record("b.yaml", OwnWritesTests.bytes("k: 2\n"))
      for name in ["a.yaml", "b.yaml"] { try folder.items.write("k: 2\n", to: name) }
      let own = try folder.own()
      // A single NUL is the start of an entry whose digest is empty.
      #expect(own == ["b"], "\(rubbish.debugDescription)")
    }
  }

  @Test func `any cut of a record file is read without a crash`() throws {
    let entry = OwnWrite(
      path: Array("/a/b.yaml".utf8), digest: ContentDigest(of: [1]), replaced: OwnWrite.Version(String(repeating: "0a", count: 32)))
    let removed = OwnWrite(path: Array("/c".utf8), digest: nil)
    let bytes = entry.bytes + removed.bytes
    for count in 0...bytes.count {
      let result = OwnWrite.entries(in: bytes[..<count])
      let expected = count < entry.bytes.count ? [] : count < bytes.count ? [entry] : [entry, removed]
      #expect(result?.entries == expected)
      #expect(result?.length == expected.reduce(0) { $0 + $1.bytes.count })
    }
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let noise = (0..<random.below(100)).map { _ in random.one(of: bytes + [0, 0, 0x2D, 0x2F]) }
      if let (entries, length) = OwnWrite.entries(in: noise[...]) {
        #expect(entries.flatMap(\.bytes) == Array(noise[..<length]), "\(seedNote(seed))")
      }
    }
  }

  @Test func `there are no records without a folder for them`() throws {
    let folder = try TemporaryFolder(["notes-watch": "a file"])
    #expect(RunRecords(root: folder.path, environment: [:]) == nil)
    #expect(RunRecords(root: folder.path, environment: ["XDG_STATE_HOME": "relative"]) == nil)
    #expect(RunRecords(root: folder.path, environment: ["XDG_STATE_HOME": folder.path]) == nil)
    #expect(RunRecords(root: folder.path, environment: ["XDG_STATE_HOME": "relative", "HOME": "\(folder.path)/home"]) != nil)
  }
}
