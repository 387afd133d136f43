import Files
import Store
import TestSupport
import Testing
import Values

@testable import Git

/// The work tree as git sees it: files that git does not expect in the work tree are not deletions.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3))) struct WorkTreeTests
{
  private func sparse() throws -> Repository {
    let repository = try Repository([
      ".notes-watch.yaml": "ignore: [skipped]\n", "a/x.yaml": "n: 1\n", "b/y.yaml": "n: 1\n",
      "b/c/z.md": "Text\n",
      "skipped/s.yaml": "n: 1\n",
    ])
    try repository.folder.shell("git sparse-checkout set --no-cone '/a/'")
    return repository
  }

  @Test(arguments: ["--no-cone '/a/'", "--cone a", "--cone --sparse-index a"])
  func `files outside of a sparse checkout are not deleted`(patterns: String) async throws {
    let repository = try sparse()
    try repository.folder.shell("git sparse-checkout set \(patterns)")
    #expect(try await repository.diff().event == nil)
    #expect(try await repository.diff(staged: true).event == nil)
    #expect(try await repository.diff(in: "b").event == nil)
    try repository.folder.shell("echo 'n: 2' > a/x.yaml; echo 'n: 3' > a/new.yaml")
    #expect(try await repository.diff().summary == ["+ a/new", "~ a/x /n"])
  }

  @Test func `a deleted file is deleted in a sparse checkout too`() async throws {
    let repository = try sparse()
    try repository.folder.remove("a/x.yaml")
    #expect(try await repository.diff().summary == ["- a/x"])
  }

  @Test func `a change in the index is shown if the file is not checked out`() async throws {
    let repository = try sparse()
    try repository.folder.shell(
      "git update-index --cacheinfo 100644,$(echo 'n: 5' | git hash-object -w --stdin),b/y.yaml; git update-index --skip-worktree b/y.yaml"
    )
    #expect(try await repository.diff().summary == ["~ b/y /n"])
  }

  @Test func `new files that git ignores are not inserts`() async throws {
    let repository = try Repository([
      ".gitignore": "*.gen.yaml\nbuild/\n", "a.yaml": "n: 1\n", "d/b.yaml": "n: 1\n",
    ])
    try repository.folder.shell(
      "mkdir build; for name in x.gen.yaml d/y.gen.yaml build/z.yaml ':(top).gen.yaml' new.yaml; do echo 'n: 1' > \"$name\"; done; echo 'n: [' > bad.gen.yaml"
    )
    let diff = try await repository.diff()
    #expect(diff.summary == ["+ new"])
    #expect(diff.problems.isEmpty)
    try repository.folder.shell("git add -f x.gen.yaml")
    #expect(try await repository.diff().summary == ["+ new", "+ x.gen"])
    try repository.folder.shell(
      "echo 'd/*' > .git/info/exclude; echo 'n: 2' > d/b.yaml; echo 'n: 1' > d/c.yaml")
    #expect(try await repository.diff().summary == ["+ new", "+ x.gen", "~ d/b /n"])
  }

  @Test func `a file marked as unchanged is still read`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell("git update-index --assume-unchanged a.yaml; echo 'n: 2' > a.yaml")
    #expect(try await repository.diff().summary == ["~ a /n"])
  }

  @Test func `a file that is only announced to the index is not staged`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      "echo 'n: 1' > new.yaml; git add -N new.yaml; : > empty.txt; : > empty.yaml; git add empty.yaml empty.txt"
    )
    let staged = try await repository.diff(staged: true)
    #expect(staged.summary == [])
    #expect(staged.problems.map(\.problem.path.description) == ["empty.yaml"])
    #expect(try await repository.diff().summary == ["+ new"])
  }

  private func state(_ paths: [String], unreadable: [String] = []) -> StoreState {
    let stamp = FileStamp(size: 1, at: FileTime(seconds: 0, nanoseconds: 0))
    var findings: [(path: RelativePath, finding: FileFinding)] = paths.map { path in
      (RelativePath(bytes: path.utf8), .item(stamp, PackedValue(.map(["n": .string(path)]))))
    }
    for path in unreadable {
      var problem = Problem(path: RelativePath(bytes: path.utf8), message: "No.")
      problem.isTransient = true
      findings.append((problem.path, .problem(problem)))
    }
    return StoreState(findings, settings: Settings(), idFields: nil)
  }

  @Test func `an unreadable file or folder keeps its last items`() {
    let old = state(["a.yaml", "b.yaml", "d/c.yaml", "d/e/f.yaml", "gone.yaml"])
    var new = state(["b.yaml"], unreadable: ["a.yaml", "d"])
    new.keepUnreadable(of: old, all: false)
    #expect(
      Set(new.items.map { $0.value.path.description }) == ["a.yaml", "b.yaml", "d/c.yaml", "d/e/f.yaml"])
    #expect(Set(new.problems.map { $0.key.description }) == ["a.yaml", "d"])
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "dropping privileges needs root and setpriv"))
  func `an unreadable file is a problem and not a delete`() throws {
    let repository = try Repository(["a.yaml": "n: 1\n", "d/b.yaml": "n: 1\n", "c.yaml": "n: 1\n"])
    try repository.folder.shell(
      "cp '\(BuiltProgram.path)' nw; chmod 755 . nw; chmod 000 a.yaml d; chown -R 65534 .; setpriv --reuid=65534 --clear-groups ./nw diff . -o jsonl > out 2>&1"
    )
    let lines = String(decoding: try repository.folder.bytes(of: "out"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.filter { $0.contains("\"problem\"") }.count == 2)
  }
}
