import Git
import Store
import TestSupport
import Testing
import Values
import Streams

/// The list of a commit, compared with the list of its checkout.
@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3)))
struct RevisionListTests {
  private static func checkedOut(_ repository: Repository, _ request: FetchRequest) throws -> ListSnapshot<
    Item
  > {
    try ItemStore(at: repository.path, watching: false).list(request).snapshot
  }

  private static func commit(_ repository: Repository) throws -> String {
    String(try repository.folder.shell("git rev-parse HEAD").prefix { $0 != "\n" })
  }

  @Test func `the list of a commit is that of its checkout`() async throws {
    let repository = try Repository([
      "a.yaml": "n: 1\ng: x\n", "b.json": "{\"n\": 2, \"g\": \"y\"}", "sub/c.md": "---\nn: 3\n---\nText\n",
      "bad.yaml": "k: [\n",
      ".notes-watch.yaml": "ignore: [d.yaml]\n", "d.yaml": "n: 4\n",
    ])
    let request = FetchRequest(sort: ["-n"], section: SectionDescriptor("g"))
    let expected = try RevisionListTests.checkedOut(repository, request)
    let commit = try RevisionListTests.commit(repository)
    try repository.folder.shell("echo 'n: 9' > a.yaml; rm b.json; echo 'n: 5' > e.yaml; rm .notes-watch.yaml")
    try repository.commit("second")
    let list = try await RevisionList.list(of: repository.path, at: commit) { _ in request }
    #expect(list.list == expected.list)
    #expect(list.count == 3)
    #expect(ListDigest(of: list) == ListDigest(of: expected))
    // The settings of the commit count, and the newer list is another one.
    let new = try await RevisionList.list(of: repository.path, at: try RevisionListTests.commit(repository)) {
      _ in request
    }
    #expect(ListDigest(of: new) == ListDigest(of: try RevisionListTests.checkedOut(repository, request)))
    #expect(ListDigest(of: new) != ListDigest(of: list))
  }

  @Test func `a folder that a commit does not have is empty there`() async throws {
    let repository = try Repository(["other/a.yaml": "n: 1\n"])
    let commit = try RevisionListTests.commit(repository)
    try repository.folder.shell("mkdir notes; echo 'n: 1' > notes/a.yaml")
    let list = try await RevisionList.list(of: "\(repository.path)/notes", at: commit) { _ in FetchRequest() }
    #expect(list.isEmpty)
  }

  @Test func `an unknown commit is an error`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    await #expect(throws: GitError.self) {
      try await RevisionList.list(of: repository.path, at: String(repeating: "0", count: 40)) { _ in
        FetchRequest()
      }
    }
  }
}
