import Files
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Watch

@Suite struct GitProcessesTests {
  @Test(arguments: [
    (["git", "rebase", "main"], "rebase"),
    (["/usr/bin/git", "-C", "/x y", "-c", "a=b", "--no-pager", "pull", "--rebase"], "pull"),
    (["/usr/lib/git-core/git-rebase", "--continue"], "rebase"), (["git"], nil), (["git", "-C"], nil),
    (["vim", "rebase"], nil), ([], nil),
    (["git", "--git-dir", "rebase", "status"], "status"),
  ])
  func `the command of git is found in its arguments`(words: [String], command: String?) {
    #expect(GitProcesses.command(in: words.flatMap { Array($0.utf8) + [0] }) == command)
  }

  /// The rebase waits for a program that it runs.
  @Test(.enabled(if: Machine.canRun("git --version"), "needs git"), .timeLimit(.minutes(2)))
  func `a process at work is found only in its own tree, and so is its end`() async throws {
    let folder = try TemporaryFolder()
    _ = try Shell.run(
      """
      git init -q -b main r; mkdir -p r/deep other; cd r; echo 1 > a; git add .; git commit -qm 1; echo 2 > a; git commit -qam 2
      mkfifo ../begun ../go; (git rebase -q -x 'echo > ../begun; read x < ../go' HEAD~1 > ../log 2>&1 &); read x < ../begun
      """, in: folder.path)
    // Opened in both ways, a pipe does not wait for a reader.
    defer { _ = try? Shell.run("echo 1<> go", in: folder.path) }
    var processes = GitProcesses()
    let isSeen = processes.isAtWork(in: .root, top: "\(folder.path)/r", isFollowing: true)
    #expect(isSeen)
    let isSeenElsewhere = processes.isAtWork(
      in: RelativePath(bytes: "other".utf8), top: "\(folder.path)/other", isFollowing: true)
    #expect(!isSeenElsewhere)
    let early = processes.removeEnded()
    #expect(early == [])
    let root = RootPath("\(folder.path)/r/deep")
    #expect(root.topOfWorkTree(.root) == RootPath("\(folder.path)/r").resolved)
    _ = try Shell.run("echo > go", in: folder.path)
    var process = processes.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    #expect(!process.isEmpty)
    #expect(poll(&process, nfds_t(process.count), 60_000) > 0)
    let ended = processes.removeEnded()
    #expect(ended == [.root])
    let isSeenLater = processes.isAtWork(in: .root, top: "\(folder.path)/r", isFollowing: true)
    #expect(!isSeenLater)
  }
}
