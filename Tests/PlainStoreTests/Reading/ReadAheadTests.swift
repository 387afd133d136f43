import Files
import Query
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Folder

@Suite(.timeLimit(.minutes(1)))
struct ReadAheadTests {
  private static func batch(
    _ files: Set<RelativePath>, early: Set<RelativePath>, origin: DirtyPaths.Origin = .git
  ) -> DirtyPaths {
    var batch = DirtyPaths(files: files, origin: origin)
    batch.early = early
    return batch
  }

  /// Reads files and waits until that is done.
  private static func read(_ files: Set<RelativePath>, with reader: ReadAhead) async throws {
    reader.add(files)
    while !reader.isIdle { try await Task.sleep(for: .milliseconds(1)) }
  }

  private static func values(_ found: [RelativePath: ReadAhead.EarlyFile]) -> [RelativePath: Value?] {
    found.mapValues { $0.fields.value["n"] }
  }

  @Test func `early files of a batch are returned once`() async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "n: 1\n", "b.json": "{\"n\": 2}", "d/c.md": "---\nn: 3\n---\n",
    ])
    let reader = ReadAhead(root: folder.path, limits: ReadLimits())
    try await Self.read(["a.yaml", "b.json", "d/c.md"], with: reader)
    let batch = Self.batch(["a.yaml", "b.json", "d/c.md"], early: ["a.yaml", "d/c.md"])
    #expect(Self.values(reader.consume(batch)) == ["a.yaml": 1, "d/c.md": 3])
    #expect(reader.consume(batch).isEmpty)
  }

  @Test func `a batch of saves leaves what a git command has completed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    let reader = ReadAhead(root: folder.path, limits: ReadLimits())
    try await Self.read(["a.yaml"], with: reader)
    #expect(reader.consume(Self.batch(["b.yaml"], early: [], origin: .files)).isEmpty)
    #expect(Self.values(reader.consume(Self.batch(["a.yaml"], early: ["a.yaml"]))) == ["a.yaml": 1])
  }

  @Test func `a file that is reported again is read again`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let reader = ReadAhead(root: folder.path, limits: ReadLimits())
    try await Self.read(["a.yaml"], with: reader)
    try folder.write("n: 2\n", to: "a.yaml")
    try await Self.read(["a.yaml"], with: reader)
    #expect(Self.values(reader.consume(Self.batch(["a.yaml"], early: ["a.yaml"]))) == ["a.yaml": 2])
  }

  @Test func `what is no ordinary item is left to the batch`() async throws {
    let folder = try TemporaryFolder([
      "broken.yaml": "n: [\n", "notes.txt": "n: 1\n", "folder.yaml/x.yaml": "n: 1\n",
      "aliases.yaml":
        "a: &a [\(String(repeating: "long ", count: 2_000))]\nb: [\(String(repeating: "*a, ", count: 100))]\n",
    ])
    let reader = ReadAhead(root: folder.path, limits: ReadLimits())
    let files: Set<RelativePath> = [
      "broken.yaml", "notes.txt", "folder.yaml", "aliases.yaml", "missing.yaml",
    ]
    try await Self.read(files, with: reader)
    #expect(reader.consume(Self.batch(files, early: files)).isEmpty)
  }

  @Test func `more files than a chunk are all read`() async throws {
    let names = (0..<100).map { "\($0).yaml" }
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "n: 1\n") }))
    let reader = ReadAhead(root: folder.path, limits: ReadLimits())
    let files = Set(names.map { RelativePath(bytes: $0.utf8) })
    try await Self.read(files, with: reader)
    #expect(reader.consume(Self.batch(files, early: files)).count == 100)
  }

  /// The value that was read early is not used if the file has another stamp.
  @Test func `an early value is used only while the file has its stamp`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let root = try OpenFolder(folder.path)
    let stamp = try #require(try root.stamp(of: "a.yaml"))
    let early = ReadAhead.EarlyFile(stamp: stamp, fields: PackedValue(["n": "early"]))
    let request = ReadRequest(path: "a.yaml", format: .yaml, early: early)
    var reader = FileReader(limits: ReadLimits())
    #expect(Self.value(of: reader.read(request, below: root)) == "early")
    try folder.shell("echo 'n: 2' > .new; mv .new a.yaml")
    #expect(Self.value(of: reader.read(request, below: root)) == 2)
    try folder.remove("a.yaml")
    guard case .missing = reader.read(request, below: root) else {
      Issue.record("a missing file has a value")
      return
    }
  }

  private static func value(of finding: FileFinding) -> Value? {
    if case .item(_, let fields) = finding { fields.value["n"] } else { nil }
  }
}
