import Files
import TestSupport
import Testing

@testable import Watch

@Suite struct GitFolderTests {
  @Test func `a repository is found from anywhere in its work tree`() throws {
    let folder = try TemporaryFolder()
    try folder.shell("git init -q top; mkdir -p top/a/b; mkdir -p top/a/.git")
    #expect(GitFolder.find(above: "\(folder.path)/top")?.path == "\(folder.path)/top/.git")
    // A `.git` without a HEAD is not a repository.
    #expect(GitFolder.find(above: "\(folder.path)/top/a/b")?.path == "\(folder.path)/top/.git")
  }

  @Test func `a repository is found through a file that points to it`() throws {
    let folder = try TemporaryFolder()
    try folder.shell(
      "git init -q top; cd top; git commit -q --allow-empty -m x; git worktree add -q ../linked; mkdir ../relative; echo 'gitdir: ../top/.git' > ../relative/.git"
    )
    #expect(
      GitFolder.find(above: "\(folder.path)/linked")?.path == "\(folder.path)/top/.git/worktrees/linked")
    #expect(GitFolder.find(above: "\(folder.path)/relative")?.path == "\(folder.path)/top/.git")
  }

  @Test func `a repository shows its markers`() throws {
    let folder = try TemporaryFolder()
    try folder.shell("git init -q .; cd .git; touch index.lock MERGE_HEAD config.lock; mkdir rebase-merge")
    let markers = GitFolder.find(above: folder.path)?.markers()
    #expect(markers == [.lock("index.lock"), .stop("MERGE_HEAD"), .steps("rebase-merge")])
  }
}
