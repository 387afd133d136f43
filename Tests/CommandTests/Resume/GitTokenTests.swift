import TestSupport
import Testing

/// A token names the commit of its list. Without a state, the list is read from git.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: Machine.has("git"), "needs git"))
struct GitTokenTests {
  private static func reader() async throws -> ResumableFolder {
    let reader = try ResumableFolder()
    try await reader.folder.shell("git init -q -b main .; git add .; git commit -qm first")
    return reader
  }

  @Test(arguments: [false, true]) func `a clean work tree is resumed without its state`(hasState: Bool)
    async throws
  {
    let reader = try await Self.reader()
    let first = try hasState ? reader.reader() : reader.stream()
    let token = try await first.begin().token
    try await first.kill()
    if hasState { try await reader.states.shell("rm -r notes-watch") }
    try await reader.folder.shell(
      "echo 'k: 2' > a.yaml; git commit -qam second; echo 'k: 3' > c.yaml; git rm -q b.yaml; git commit -qm third"
    )
    let second =
      try hasState
      ? reader.reader("--since", token.string ?? "") : reader.stream("--since", token.string ?? "")
    let (hello, update) = try await second.resume(after: token)
    #expect(hello.seq == 1)
    #expect(update.cause == "resumed")
    #expect(update.seq == 2)
    #expect(update.changes.list.map(\.op) == ["delete", "insert", "update"])
    #expect(update.changes[2].before == ["k": 1])
  }

  @Test func `a list with uncommitted changes is not taken from git`() async throws {
    let reader = try await Self.reader()
    try await reader.save("a.yaml", "k: dirty")
    let first = try reader.stream()
    let token = try await first.begin().token.string ?? ""
    try await first.kill()
    let second = try reader.stream("--since", token)
    #expect(try await second.beginAgain().why == "unknown-token")
  }

  @Test func `a token of another view is not taken from git`() async throws {
    let reader = try await Self.reader()
    let first = try reader.stream()
    let token = try await first.begin().token.string ?? ""
    try await first.kill()
    let second = try reader.stream("--sort", "-k", "--since", token)
    #expect(try await second.beginAgain().why == "view-mismatch")
  }

  @Test func `a commit that no longer exists is gone`() async throws {
    let reader = try await Self.reader()
    let first = try reader.stream()
    let token = try await first.begin().token.string ?? ""
    try await first.kill()
    try await reader.folder.shell("rm -rf .git; git init -q -b main .; git add .; git commit -qm other")
    let second = try reader.stream("--since", token)
    #expect(try await second.beginAgain().why == "unknown-token")
  }
}
