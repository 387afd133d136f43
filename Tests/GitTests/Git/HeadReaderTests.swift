import Foundation
import TestSupport
import Testing

@testable import Git

/// The commit at HEAD, read from the files of a repository, compared with what git says.
@Suite(.enabled(if: Machine.has("git"), "git is not installed")) struct HeadReaderTests {
  private static func head(_ folder: TemporaryFolder, in directory: String = ".") throws -> String {
    try folder.shell("git -C \(directory) rev-parse HEAD").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func expectHead(_ reader: HeadReader?, _ folder: TemporaryFolder, in directory: String = ".")
    throws
  {
    #expect(reader?.commit() == (try head(folder, in: directory)))
  }

  @Test func `a folder outside of a repository has no HEAD`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    #expect(HeadReader(above: folder.path) == nil)
    #expect(HeadReader(above: "\(folder.path)/none") == nil)
  }

  @Test func `a repository without commits has no commit`() throws {
    let repository = try Repository()
    let reader = HeadReader(above: repository.path)
    #expect(reader != nil)
    #expect(reader?.commit() == nil)
  }

  @Test func `each commit, branch and checkout is seen`() throws {
    let repository = try Repository(["sub/a.yaml": "k: 1\n"])
    let reader = HeadReader(above: "\(repository.path)/sub")
    try HeadReaderTests.expectHead(reader, repository.folder)
    let first = reader?.commit()
    try repository.folder.shell("echo 'k: 2' > sub/a.yaml")
    try repository.commit("second")
    try HeadReaderTests.expectHead(reader, repository.folder)
    #expect(reader?.commit() != first)
    try repository.folder.shell("git checkout -q -b feature/x HEAD~1")
    try HeadReaderTests.expectHead(reader, repository.folder)
    try repository.folder.shell("git checkout -q --detach main")
    try HeadReaderTests.expectHead(reader, repository.folder)
    try repository.folder.shell("git checkout -q main; git reset -q --hard HEAD~1")
    try HeadReaderTests.expectHead(reader, repository.folder)
    #expect(reader?.commit() == first)
  }

  @Test func `packed refs are read, and a loose one overrides them`() throws {
    let repository = try Repository(["a.yaml": "k: 1\n"])
    let reader = HeadReader(above: repository.path)
    #expect(reader?.commit() != nil)
    try repository.folder.shell(
      "git branch main2; git tag -a -m x main; git pack-refs --all; test ! -e .git/refs/heads/main")
    try HeadReaderTests.expectHead(reader, repository.folder)
    try repository.folder.shell("echo 'k: 2' > a.yaml")
    try repository.commit("second")
    try HeadReaderTests.expectHead(reader, repository.folder)
  }

  @Test func `a linked work tree has its own HEAD and the shared branches`() throws {
    let repository = try Repository(["a.yaml": "k: 1\n"])
    try repository.folder.shell(
      "git worktree add -q tree -b other; git -C tree commit -q --allow-empty -m second")
    let (tree, main) = (HeadReader(above: "\(repository.path)/tree"), HeadReader(above: repository.path))
    try HeadReaderTests.expectHead(tree, repository.folder, in: "tree")
    try HeadReaderTests.expectHead(main, repository.folder)
    #expect(tree?.commit() != main?.commit())
    try repository.folder.shell("git pack-refs --all; git -C tree checkout -q --detach")
    try HeadReaderTests.expectHead(tree, repository.folder, in: "tree")
  }

  @Test func `a symbolic ref is followed, and a cycle has no commit`() throws {
    let repository = try Repository(["a.yaml": "k: 1\n"])
    try repository.folder.shell(
      "git symbolic-ref refs/heads/alias refs/heads/main; git symbolic-ref HEAD refs/heads/alias")
    let reader = HeadReader(above: repository.path)
    try HeadReaderTests.expectHead(reader, repository.folder)
    try repository.folder.shell("printf 'ref: refs/heads/alias\\n' > .git/refs/heads/main")
    #expect(reader?.commit() == nil)
  }

  @Test(arguments: [
    "ref: ../../etc/passwd", "ref: refs/../config", "ref: refs/heads/.invalid", "0123",
    String(repeating: "g", count: 40), "",
    String(repeating: "a", count: 5000), "ref: ", "ref: refs//x",
  ])
  func `a HEAD that names nothing has no commit`(text: String) throws {
    let repository = try Repository(["a.yaml": "k: 1\n"])
    try repository.folder.shell("printf '%s\\n' '\(text)' > .git/HEAD")
    #expect(HeadReader(repository: "\(repository.path)/.git").commit() == nil)
  }

  @Test func `a FIFO as HEAD does not block`() throws {
    let repository = try Repository(["a.yaml": "k: 1\n"])
    try repository.folder.shell("rm .git/HEAD; mkfifo .git/HEAD")
    #expect(HeadReader(repository: "\(repository.path)/.git").commit() == nil)
  }
}
