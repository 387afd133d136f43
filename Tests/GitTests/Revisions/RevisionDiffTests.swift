import DiffableSnapshot
import Files
import Git
import Store
import TestSupport
import Testing
import Values
import Streams

@Suite(.enabled(if: Machine.has("git"), "git is not installed"), .timeLimit(.minutes(3)))
struct RevisionDiffTests {
  @Test func `a comparison of two revisions lists the changed items`() async throws {
    let repository = try Repository([
      "ada.yaml": "rating: 1\n", "bob.json": "{\"rating\":2}", "cleo.md": "---\nrating: 3\n---\nText\n",
    ])
    try repository.folder.shell(
      "echo 'rating: 5' > ada.yaml; rm bob.json; echo 'rating: 4' > dan.yml; echo > other.txt")
    try repository.commit("second")
    let diff = try await repository.diff("HEAD~1", "HEAD")
    #expect(diff.summary == ["- bob", "+ dan", "~ ada /rating"])
    #expect(diff.update?.origin == .git)
    #expect(diff.problems.isEmpty)
    #expect(try await repository.diff("HEAD", "HEAD~1").summary == ["- dan", "+ bob", "~ ada /rating"])
    #expect(try await repository.diff("HEAD", "HEAD").event == nil)
    #expect(try await repository.diff("HEAD~1..HEAD").summary == diff.summary)
  }

  @Test func `places are counted in the list of the view`() async throws {
    let repository = try Repository([
      "a.yaml": "n: 1\nx: 0\n", "b.yaml": "n: 2\nx: 0\n", "c.yaml": "n: 3\nx: 0\n",
    ])
    try repository.folder.shell("printf 'n: 9\\nx: 0\\n' > a.yaml; printf 'n: 2\\nx: 5\\n' > b.yaml")
    try repository.commit("second")
    var view = ViewDefinition()
    view.sort = [ItemSortDescriptor("n")].compactMap { $0 }
    view.fields = [FieldPath("n")].compactMap { $0 }
    let diff = try await repository.diff("HEAD~1", "HEAD", view: view)
    // Only changed items move, and fields that are not shown are not compared.
    #expect(diff.summary == ["→ a /n"])
    let change = try #require(diff.update?.diff.changes.first)
    #expect([change.from?.index, change.to?.index] == [0, 2])
    view.limit = 1
    #expect(try await repository.diff("HEAD~1", "HEAD", view: view).summary == ["- a", "+ b"])
  }

  @Test func `the work tree and the index are compared with HEAD`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n", "b.yaml": "n: 2\n"])
    try repository.folder.shell(
      "echo 'n: 3' > a.yaml; git add a.yaml; echo 'n: 4' > a.yaml; echo 'n: 5' > new.yaml; rm b.yaml")
    #expect(try await repository.diff().summary == ["- b", "+ new", "~ a /n"])
    let staged = try await repository.diff(staged: true)
    #expect(staged.summary == ["~ a /n"])
    #expect(staged.to.name == "index")
    #expect(
      staged.update?.new.item(Item.ID(printed: "a"))?.value(at: FieldPath(keys: ["n"]))
        == .number(.integer(3)))
    #expect(try await repository.diff("HEAD", staged: true).summary == staged.summary)
  }

  @Test func `a renamed file keeps its item`() async throws {
    let long = "title: A long enough title\nauthor: Ada\nrating: 7\n"
    let repository = try Repository([
      "old.yaml": long, "z.yaml": "title: Another one\nauthor: Zoe\nrating: 1\n",
    ])
    try repository.folder.shell("git mv old.yaml new.yaml; sed -i 's/7/8/' new.yaml")
    try repository.commit("second")
    let diff = try await repository.diff("HEAD~1", "HEAD")
    #expect(diff.summary == ["~ new /rating /@path"])
    #expect(
      diff.update?.fieldChanges(of: Item.ID(printed: "new"))?.before == [
        "rating": .number(.integer(7)), "@path": .string("old.yaml"),
      ])
    // The old list is in the order of the old ids.
    try repository.folder.shell("git mv new.yaml zz.yaml")
    let moved = try await repository.diff("HEAD", staged: true)
    #expect(moved.summary == ["→ zz /@path"])
    let change = try #require(moved.update?.diff.changes.first)
    #expect([change.from?.index, change.to?.index] == [0, 1])
  }

  @Test func `the id fields of the newer side apply to both sides`() async throws {
    let repository = try Repository(["a.yaml": "uuid: 1\nn: 1\n"])
    try repository.folder.shell(
      "git mv a.yaml b.yaml; printf 'uuid: 1\\nn: 2\\n' > b.yaml; echo 'id-field: uuid' > .notes-watch.yaml")
    try repository.commit("second")
    #expect(try await repository.diff("HEAD~1", "HEAD").summary == ["~ 1 /n /@path"])
    // The older side has no id fields: these are two files that share one value.
    #expect(try await repository.diff("HEAD", "HEAD~1").summary == ["~ a /n /@path"])
  }

  @Test func `problems are raised and cleared`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n", "b.yaml": "n: [\n", "d/c.yaml": "n: 1\n"])
    try repository.folder.shell(
      "echo 'n: [' > a.yaml; echo 'n: 2' > b.yaml; ln -s a.yaml link.yaml; mkdir x.yaml; echo 'k: 1' > x.yaml/y.yaml"
    )
    try repository.commit("second")
    let diff = try await repository.diff("HEAD~1", "HEAD")
    #expect(diff.summary == ["- a", "+ b"])
    #expect(diff.problems.map(\.problem.path.description) == ["a.yaml", "b.yaml", "link.yaml", "x.yaml"])
    let checkedOut = try ItemStore(at: repository.path)
    #expect(diff.update?.new.problems == checkedOut.problems)
  }

  @Test func `a file in conflict is a problem of the index`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      "git checkout -q -b other; echo 'n: 2' > a.yaml; git commit -qam other; git checkout -q main; echo 'n: 3' > a.yaml"
    )
    try repository.commit("ours")
    try repository.folder.shell("git merge -q other || true")
    let diff = try await repository.diff(staged: true)
    #expect(diff.summary == [])
    #expect(diff.problems.map(\.problem.path.description) == ["a.yaml"])
  }

  @Test func `a file that is broken in the work tree or the index keeps its last item and is a problem`()
    async throws
  {
    let repository = try Repository(["a.yaml": "n: 1\n", "b.yaml": "n: 1\n"])
    try repository.folder.shell("echo 'n: [' > a.yaml; echo 'n: 2' > b.yaml")
    for isStaged in [false, true] {
      if isStaged { try repository.folder.shell("git add -A") }
      let diff = try await repository.diff(staged: isStaged)
      #expect(diff.summary == ["~ b /n"])
      #expect(diff.problems.map(\.problem.path.description) == ["a.yaml"])
    }
  }

  @Test func `a folder that exists on one side only is compared with an empty list`() async throws {
    let repository = try Repository(["notes/a.yaml": "n: 1\n", "other/b.yaml": "n: 1\n"])
    try repository.folder.shell("git mv notes/a.yaml other/a.yaml")
    try repository.commit("second")
    let gone = try await repository.diff("HEAD~1", "HEAD", in: "notes")
    #expect(gone.summary == ["- a"])
    #expect([gone.from.hasFolder, gone.to.hasFolder] == [true, false])
    #expect(try await repository.diff("HEAD~1", in: "notes").summary == ["- a"])
    #expect(try await repository.diff("HEAD~1", staged: true, in: "notes").summary == ["- a"])
    #expect(try await repository.diff("HEAD~1", "HEAD", in: "other").summary == ["+ a"])
    await #expect { try await repository.diff("HEAD~1", "HEAD", in: "nowhere") } throws: {
      ($0 as? GitError)?.code == .noRepository
    }
  }

  @Test func `bare repositories, linked work trees, submodules and links are read`() async throws {
    let repository = try Repository(["notes/a.yaml": "n: 1\n"])
    try repository.folder.shell("echo 'n: 2' > notes/a.yaml")
    try repository.commit("second")
    try repository.folder.shell(
      """
      git worktree add -q "$PWD.tree" HEAD~1; git clone -q --bare . "$PWD.git"
      git -c protocol.file.allow=always submodule --quiet add "$PWD" sub; ln -s sub/notes link
      """)
    defer { _ = try? repository.folder.shell("rm -rf \"$PWD.tree\" \"$PWD.git\"") }
    func summary(_ folder: String, _ words: String...) async throws -> [String] {
      try RevisionDiff(of: folder, RevisionRange(words)) { _ in FetchRequest() }.summary
    }
    #expect(try await summary("\(repository.path).tree/notes", "main") == ["~ a /n"])
    #expect(try await summary("\(repository.path).git/notes", "HEAD~1", "HEAD") == ["~ a /n"])
    #expect(try await summary("\(repository.path)/sub/notes", "HEAD~1") == ["~ a /n"])
    #expect(try await summary("\(repository.path)/link", "HEAD~1") == ["~ a /n"])
    // The files of a submodule do not belong to the outer repository.
    #expect(try await summary(repository.path, "HEAD") == [])
    await #expect { try await summary("\(repository.path).git/notes", "HEAD") } throws: {
      ($0 as? GitError)?.code == .usage
    }
  }

  @Test func `a repository without commits is compared with an empty list`() async throws {
    let repository = try Repository()
    try repository.folder.write("n: 1\n", to: "a.yaml")
    let diff = try await repository.diff()
    #expect(diff.summary == ["+ a"])
    #expect(!diff.from.hasFolder)
    await #expect { try await repository.diff("HEAD") } throws: {
      ($0 as? GitError)?.code == .unknownRevision
    }
  }

  @Test(arguments: [
    "nope", "", "--upload-pack=x", "-h", "HEAD\nHEAD", "HEAD:a.yaml", "HEAD^{tree}", "^HEAD", "HEAD --all",
  ])
  func `a name that is not a commit is an error`(name: String) async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    await #expect { try await repository.diff(name) } throws: { ($0 as? GitError)?.code == .unknownRevision }
  }

  @Test func `tags, relative names, searches and short ids name commits`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell("git tag -a -m t v1; git tag light; echo 'n: 2' > a.yaml")
    try repository.commit("second one")
    for name in ["v1", "light", "HEAD^", "main~1", ":/first", "HEAD^{/first}", "main@{1}"] {
      #expect(try await repository.diff(name, "HEAD").summary == ["~ a /n"], "\(name)")
    }
    let commit = try repository.folder.shell("git rev-parse HEAD~1").prefix { $0 != "\n" }
    #expect(try await repository.diff("\(commit.prefix(10))", "HEAD").from.revision?.commit == String(commit))
  }

  @Test func `files with special names are compared`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.folder.shell(
      """
      mkdir 'two words' 'da\t\nch'; for name in 'two words/q"u.yaml' 'da\t\nch/x.yaml' '50%.yaml' 'é.yaml' ':(top).yaml' '*.yaml'; do echo 'n: 1' > "$name"; done
      printf 'n: 1\\n' > "$(printf 'b\\377d.yaml')"
      """)
    try repository.commit("second")
    let diff = try await repository.diff("HEAD~1", "HEAD")
    let store = try ItemStore(at: repository.path)
    #expect(diff.update?.new.map(\.id) == store.list(FetchRequest()).snapshot.map(\.id))
    #expect(diff.update?.new.count == 8)
    #expect(diff.summary.count == 7, "\(diff.summary)")
    #expect(try await repository.diff().event == nil)
    #expect(try await repository.diff("HEAD~1", in: "two words").summary == ["+ q\"u"])
  }

  @Test func `items have the time of the commit`() async throws {
    let repository = try Repository(["a.yaml": "n: 1\n"])
    try repository.commit("second", time: 1_700_000_100)
    try repository.folder.write("n: 2\n", to: "b.yaml")
    try repository.commit("third", time: 1_700_000_200)
    var view = ViewDefinition()
    view.fields = [FieldPath(keys: ["@modified"])]
    #expect(try await repository.diff("HEAD~2", "HEAD~1", view: view).event == nil)
    let diff = try await repository.diff("HEAD~1", "HEAD", view: view)
    #expect(diff.summary == ["+ b"])
    #expect(diff.update?.new.item(Item.ID(printed: "b"))?.stamp.modified.seconds == 1_700_000_200)
    #expect(try await repository.diff(view: view).event == nil)
  }
}
