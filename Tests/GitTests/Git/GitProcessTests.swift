import Files
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

@testable import Git

/// A repository may come from a clone or an archive: reading it runs nothing, whatever its settings
/// say.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3)))
struct GitProcessTests {
  private static func hostile() throws -> Repository {
    let repository = try Repository([
      "a.yaml": "n: 1\n", ".gitattributes": "* filter=evil diff=evil merge=evil\n",
    ])
    try repository.folder.shell(
      """
      echo 'n: 2' > a.yaml; git add -A; git commit -qm second; echo 'n: 3' > a.yaml; git tag -a -m signed v1
      printf '#!/bin/sh\\ntouch "%s/canary"\\n' "$PWD" > evil; chmod +x evil; evil="$PWD/evil"
      for hook in post-index-change post-checkout fsmonitor-watchman pre-auto-gc reference-transaction; do ln -s "$evil" .git/hooks/$hook; done
      git config core.fsmonitor "$evil"; git config core.hooksPath .git/hooks; git config core.pager "$evil"; git config pager.log "$evil"
      git config diff.external "$evil"; git config diff.evil.textconv "$evil"; git config diff.evil.command "$evil"
      git config filter.evil.clean "$evil"; git config filter.evil.smudge "$evil"; git config filter.evil.process "$evil"
      git config core.sshCommand "$evil"; git config core.gitProxy "$evil"; git config core.askPass "$evil"; git config core.editor "$evil"
      git config credential.helper "!$evil"; git config gpg.program "$evil"; git config log.showSignature true
      git config core.alternateRefsCommand "$evil"; git config protocol.allow always; git config protocol.ext.allow always
      for word in rev-parse cat-file ls-tree ls-files diff-tree rev-list merge-base; do git config alias.$word "!$evil"; done
      git config merge.evil.driver "$evil"; git config gc.auto 1; git config core.untrackedCache true
      """)
    return repository
  }

  @Test func `reading a hostile repository runs no program`() async throws {
    let repository = try GitProcessTests.hostile()
    #expect(try await repository.diff("HEAD~1", "HEAD").summary == ["~ a /n"])
    #expect(try await repository.diff().summary == ["~ a /n"])
    #expect(try await repository.diff(staged: true).summary == [])
    #expect(try await repository.diff("v1...HEAD").summary == [])
    #expect(try await ItemHistory.entries(of: "a", in: repository.path).count == 2)
    let drivers = try GitDrivers(of: repository.path)
    try drivers.install("/bin/true")
    #expect(try drivers.status().handled == 1)
    try drivers.uninstall()
    #expect(try repository.folder.shell("ls").contains("canary") == false)
    // A plain git runs the program.
    #expect(try repository.folder.shell("git status >/dev/null 2>&1 || true; ls").contains("canary"))
  }

  @Test func `warnings and the reason of a failure are told apart`() {
    let text =
      "warning: refname \u{1b}[31m is ambiguous.\nhint: advice\nfatal: log for 'x' only has 1 entries\nwarning: second\n"
    let result = GitResult(status: 128, messages: Array(text.utf8))
    #expect(result.message == "log for 'x' only has 1 entries")
    #expect(result.warnings == ["refname \u{1b}[31m is ambiguous.", "second"])
    let warning = Array("warning: only this\n".utf8)
    #expect(GitResult(status: 128, messages: warning).message == "warning: only this")
    #expect(GitResult(status: 128, messages: []).message == "")
  }

  @Test func `git that leaves its input unread changes no signal of the program`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    let git = try GitRepository(holding: repository.path).git
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] {
      let isOwn = try SignalAction.withOwn(of: number) {
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let status = try git.run(["rev-parse", "HEAD"], input: input).status
        #expect(status == 0)
      }
      #expect(isOwn, "signal \(number)")
      #expect(SignalAction.calls == 0, "signal \(number)")
    }
  }

  @Test func `a warning reaches its reader also if git is stopped early`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell("git tag main")
    let warnings = Mutex<[String]>([])
    let opened = try GitRepository(holding: repository.path) { warning in
      warnings.withLock { $0.append(warning) }
    }
    #expect(try opened.revision("main").name == "main")
    #expect(warnings.withLock { $0 } == ["refname 'main' is ambiguous."])
    let child = try opened.git.start(
      ["cat-file", "--batch-check"], input: Array("main\n".utf8), keepsInputOpen: true)
    _ = try child.next()
    child.stop()
    #expect(warnings.withLock { $0.count } == 2)
  }

  /// git itself would fetch missing objects with a command from the settings of the repository.
  @Test func `missing objects of a partial clone are not fetched`() async throws {
    let repository = try GitProcessTests.hostile()
    try repository.folder.shell(
      """
      git config core.repositoryFormatVersion 1; git config extensions.partialClone origin; git config remote.origin.promisor true
      git config remote.origin.url "ext::$PWD/evil"; git config remote.origin.uploadpack "$PWD/evil"; git config remote.origin.partialclonefilter blob:none
      blob=$(git rev-parse HEAD:a.yaml); rm -f ".git/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)"
      """)
    let diff = try await repository.diff("HEAD~1", "HEAD")
    // A missing object does not mean that the item was deleted.
    #expect(diff.summary == [])
    #expect(diff.problems.map(\.problem.path.description) == ["a.yaml"])
    await #expect {
      try await ItemHistory.entries(of: "a", in: repository.path)
    } throws: {
      guard let error = $0 as? GitError else { return false }
      return error.code == .damaged && error.description.contains("partial clone")
    }
    #expect(try repository.folder.shell("ls").contains("canary") == false)
  }

  /// A FIFO in place of a file that git reads blocks it forever.
  @Test(arguments: [".git/config", "included"]) func `settings that block git are an error`(name: String)
    async throws
  {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell("git config include.path ../included; rm -f \(name)")
    try repository.folder.makeFIFO(name)
    #expect {
      try GitRepository(holding: repository.path, settingsTimeout: .milliseconds(300))
    } throws: {
      guard let error = $0 as? GitError else { return false }
      return error.code == .timedOut && error.description.contains("include.path")
    }
  }

  @Test func `a git that hangs is stopped and one that computes is not`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    var git = try GitRepository(holding: repository.path).git
    git.idleLimit = .milliseconds(600)
    try repository.folder.makeFIFO(".gitignore")
    #expect { try git.run(["ls-files", "-o", "--exclude-standard"]) } throws: {
      ($0 as? GitError)?.code == .timedOut
    }
    try repository.folder.remove(".gitignore")
    // git prints nothing while it compresses.
    let blank = [UInt8](repeating: 0, count: 1 << 26)
    #expect(try git.run(["hash-object", "--stdin"], input: blank).status == 0)
  }

  @Test func `more content than the bound is an error`() async throws {
    let repository = try Repository(["a.yaml": "n: \(String(repeating: "x", count: 100_000))\n"])
    let opened = try GitRepository(holding: repository.path)
    let reader = try ObjectReader(
      opened, limit: 1 << 20, budget: ContentBudget(limit: 250_000, advice: "Do less."))
    try reader.read(["HEAD:a.yaml", "HEAD:a.yaml"]) { _, _ in }
    #expect {
      try reader.read(["HEAD:a.yaml"]) { _, _ in }
    } throws: {
      ($0 as? GitError)?.description.hasSuffix("Do less.") == true
    }
  }

  @Test func `a missing tree is an error`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      "tree=$(git rev-parse HEAD^{tree}); rm -f .git/objects/$(echo $tree | cut -c1-2)/$(echo $tree | cut -c3-)"
    )
    await #expect(throws: GitError.self) { try await repository.diff("HEAD") }
  }

  @Test func `input that git does not read is not an error`() throws {
    let folder = try TemporaryFolder()
    let input = [UInt8](repeating: UInt8(ascii: "\n"), count: 4 << 20)
    let outcome = try GitProcess(folder: folder.path).run(["cat-file", "--batch-check"], input: input)
    #expect(outcome.status == 128)
    #expect(outcome.message.contains("not a git repository"))
  }

  /// Ten trees, each of them ten times in the next: ten billion files in eleven objects.
  @Test func `a tree with more files than fit into memory is an error`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      """
      id=$(git rev-parse HEAD:a.yaml); line="100644 blob $id"; end=.yaml
      for level in 1 2 3 4 5 6 7 8 9 10; do
        id=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '%s\\t%s\\n' "$line" $n$end; done | git mktree); line="040000 tree $id"; end=
      done
      git update-ref refs/heads/bomb $(git commit-tree -m bomb $id)
      """)
    var git = try GitRepository(holding: repository.path).git
    git.maxOutput = 1 << 20
    #expect { try git.run(["ls-tree", "-r", "-z", "--full-tree", "bomb"]) } throws: {
      ($0 as? GitError)?.code == .damaged
    }
  }
}
